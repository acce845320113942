"""Facts of a page that are compared between two runs, and the signals of the rules about them."""

from collections.abc import Collection, Iterator
from datetime import UTC, datetime

from msgspec import Struct, UnsetType, structs

from findable.errors import UNREACHED, PageErrorCode
from findable.monitor.alert_rules import AlertRule, RuleSignal
from findable.monitor.alert_states import DAY_S, Signal
from findable.reports.google_listing import Listing, listing_of
from findable.reports.report import Report
from findable.reports.reported_finding import ReportedFinding
from findable.vocabulary import Category, Rating, Verdict

SCORE_POINTS = 5
"""Points from which a fall of the score counts."""
CERTIFICATE_DAYS = (21, 7, 1)
"""Days before the end of a certificate at which people are notified."""
TEXT_CHARS = 300
_SERVER_ERRORS = 500
_WORST_FIRST = (Rating.BAD.value, Rating.DECENT.value, Rating.GOOD.value)
_NEVER_A_PAGE = frozenset({PageErrorCode.TOO_MANY_REDIRECTS, PageErrorCode.NOT_HTML})
_FOR_THIS_CLIENT = frozenset({401, 403, 407, 408, 425, 429, 451})
"""Statuses that say nothing about what others get."""


class PageFacts(Struct, frozen=True, omit_defaults=True):
    """Facts of a page that are compared between two runs."""

    basis: str = ""
    """Ruleset and profile: ratings are comparable if it is equal."""
    status: int = 0
    listing: Listing = Listing.UNKNOWN
    canonical: str = ""
    rating: str = ""
    score: int | None = None
    failed: tuple[str, ...] = ()
    """Ids of failed checks whose verdict does not depend on the time that something took."""
    title: str = ""
    description: str = ""
    h1: str = ""
    certificate_ends: str = ""
    """Last moment of the certificate, ISO 8601; empty on http."""
    certificate_days: int = 0
    """Smallest of CERTIFICATE_DAYS that is left at most; 0 for more."""


def facts_of_page(report: Report) -> PageFacts | None:
    """Return the facts of a run; None if the page could not be loaded."""
    if report.error is not None or not report.findings:
        return None
    facts = report.facts
    hops = facts.timings.hops if facts.timings else ()
    outline = facts.headings.outline if facts.headings else ()
    ends = facts.tls.chain[0].not_after if facts.tls and facts.tls.chain else ""
    return PageFacts(
        basis=f"{report.engine.ruleset} {report.engine.profile.value}",
        status=hops[-1].status if hops else 0,
        listing=listing_of(report),
        canonical=(facts.canonical.target or "") if facts.canonical else "",
        rating=report.result.value if report.result else "",
        score=report.score,
        failed=tuple(sorted(one.id for one in report.findings if _is_lasting(one))),
        title=facts.page_title[:TEXT_CHARS],
        description=_text(facts.description.text if facts.description else ""),
        h1=_text(next((one.text for one in outline if one.level == 1), "")),
        certificate_ends=ends,
        certificate_days=_certificate_days(ends, report.captured_at),
    )


def _is_lasting(finding: ReportedFinding) -> bool:
    return finding.verdict is Verdict.FAILED and finding.category != Category.PERFORMANCE.value


def _text(text: str | UnsetType) -> str:
    return " ".join(str(text).split())[:TEXT_CHARS]


def at_time(facts: PageFacts, at: int) -> PageFacts:
    """Return the facts of an unchanged page at a later time: its certificate has fewer days left."""
    return structs.replace(facts, certificate_days=_certificate_days(facts.certificate_ends, datetime.fromtimestamp(at, UTC).isoformat()))


def _certificate_days(ends: str, now: str) -> int:
    try:
        left_s = (datetime.fromisoformat(ends) - datetime.fromisoformat(now)).total_seconds() if ends else float("inf")
    except (ValueError, TypeError):
        return 0
    return min((days for days in CERTIFICATE_DAYS if left_s <= days * DAY_S), default=0)


FIELDS: dict[AlertRule, tuple[str, ...]] = {
    AlertRule.NOT_INDEXABLE: ("listing",),
    AlertRule.CANONICAL_LOST: ("canonical",),
    AlertRule.RATING_FELL: ("basis", "rating", "failed"),
    AlertRule.SCORE_FELL: ("basis", "score", "failed"),
    AlertRule.CONTENT_CHANGED: ("title", "description", "h1"),
    AlertRule.CERTIFICATE: ("certificate_ends", "certificate_days"),
}
"""Facts that each rule compares."""


def reference_after(before: PageFacts | None, seen: PageFacts, unsettled: Collection[AlertRule]) -> PageFacts:
    """Return what later runs are compared with: the run itself, except for what rules compare that are not settled."""
    if before is None:
        return seen
    kept = {name for rule in unsettled for name in FIELDS.get(rule, ())}
    return structs.replace(seen, **{name: getattr(before, name) for name in kept})


def signals_of_page(before: PageFacts | None, seen: PageFacts) -> Iterator[RuleSignal]:
    """Yield what the rules say about a page that was loaded. ``before`` is the reference; None at the first run."""
    if seen.status in _FOR_THIS_CLIENT:
        return
    if seen.status >= _SERVER_ERRORS:
        yield RuleSignal(AlertRule.UNREACHABLE, Signal.BAD)
        return
    yield RuleSignal(AlertRule.UNREACHABLE, Signal.GOOD)
    yield _certificate(before or PageFacts(), seen)
    if before is None:
        return
    yield _listing(before, seen)
    lost = before.canonical and not seen.canonical and seen.listing in (Listing.CAN, Listing.UNKNOWN)
    yield RuleSignal(AlertRule.CANONICAL_LOST, Signal.BAD if lost else Signal.GOOD)
    yield from _ratings(before, seen)
    texts = [(one.title, one.description, one.h1) for one in (before, seen)]
    yield RuleSignal(AlertRule.CONTENT_CHANGED, Signal.GOOD if texts[0] == texts[1] else Signal.BAD)


def _listing(before: PageFacts, seen: PageFacts) -> RuleSignal:
    if Listing.UNKNOWN in (before.listing, seen.listing):
        return RuleSignal(AlertRule.NOT_INDEXABLE, Signal.INCONCLUSIVE)
    is_lost = before.listing is Listing.CAN and seen.listing is not Listing.CAN
    return RuleSignal(AlertRule.NOT_INDEXABLE, Signal.BAD if is_lost else Signal.GOOD, seen.listing.value if is_lost else "")


def _ratings(before: PageFacts, seen: PageFacts) -> Iterator[RuleSignal]:
    comparable = before.basis == seen.basis and before.rating and seen.rating
    has_reason = bool(set(seen.failed) - set(before.failed))
    fell = bool(comparable) and _WORST_FIRST.index(seen.rating) < _WORST_FIRST.index(before.rating)
    rating = Signal.INCONCLUSIVE if not comparable else Signal.BAD if fell and has_reason else Signal.INCONCLUSIVE if fell else Signal.GOOD
    yield RuleSignal(AlertRule.RATING_FELL, rating)
    if not comparable or before.score is None or seen.score is None:
        yield RuleSignal(AlertRule.SCORE_FELL, Signal.INCONCLUSIVE)
        return
    fell_much = before.score - seen.score >= SCORE_POINTS and has_reason
    yield RuleSignal(AlertRule.SCORE_FELL, Signal.BAD if fell_much else Signal.GOOD, values={"points": SCORE_POINTS})


def _certificate(before: PageFacts, seen: PageFacts) -> RuleSignal:
    known = before.certificate_days if before.certificate_ends == seen.certificate_ends else 0
    is_nearer = bool(seen.certificate_days) and (not known or seen.certificate_days < known)
    cause = f"{seen.certificate_ends[:10]} {seen.certificate_days}" if is_nearer else ""
    values: dict[str, str | int] = {"date": seen.certificate_ends[:10], "days": seen.certificate_days}
    return RuleSignal(AlertRule.CERTIFICATE, Signal.BAD if is_nearer else Signal.GOOD, cause, values)


def signals_of_unseen(before: PageFacts | None, code: PageErrorCode) -> Iterator[RuleSignal]:
    """Yield what the rules say about a page that could not be loaded. A login, a challenge or a limited rate is inconclusive."""
    if code in UNREACHED:
        yield RuleSignal(AlertRule.UNREACHABLE, Signal.BAD)
    elif code in _NEVER_A_PAGE and before is not None and before.listing is Listing.CAN:
        yield RuleSignal(AlertRule.NOT_INDEXABLE, Signal.BAD, Listing.STATUS.value)
