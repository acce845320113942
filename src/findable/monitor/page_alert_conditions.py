"""Conditions of alerts about a page: its facts, compared with those of an earlier run."""

from collections.abc import Collection, Iterable, Iterator
from datetime import UTC, datetime
from typing import TypeVar

from msgspec import Struct, structs

from findable.checks.engine import find_check
from findable.checks.security.tls_certificate import Verification, lacks_intermediate
from findable.errors import AWAY, PageErrorCode
from findable.monitor.alert_rules import REJECTED, AlertRule, RuleSignal
from findable.monitor.alert_states import DAY_S, Signal
from findable.reports.difference import Basis, Judged, basis_of_report, comparable, difference, judged_page
from findable.reports.facts.delivery_facts import TlsFacts
from findable.reports.google_listing import Listing, listing_of, status_of
from findable.reports.report import Report
from findable.reports.reported_finding import ReportedFinding
from findable.reports.scoring import cost_of, limit_of, rating_of
from findable.reports.totals import score_without
from findable.vocabulary import Category, Rating, Verdict

CERTIFICATE_DAYS = (21, 7, 1)
"""Days before the expiry of a certificate at which people are notified."""
TEXT_CHARS = 300
_OF_LISTING = frozenset({Category.INDEXABILITY, Category.AI})
"""Categories whose checks also fail when Google cannot index the page."""
_OTHER_CONTENT = frozenset({Listing.STATUS, Listing.NO_CONTENT})
"""Reasons against listing that imply other content, so that no other result is comparable."""
_NEVER_A_PAGE = frozenset({PageErrorCode.TOO_MANY_REDIRECTS, PageErrorCode.NOT_HTML})
_FOR_THIS_CLIENT = frozenset({401, 403, 407, 408, 425, 429, 451})
"""Status codes that may concern only this client."""

FactsT = TypeVar("FactsT", bound=Struct)


class PageFacts(Struct, frozen=True, omit_defaults=True):
    """Facts of a page for comparison between two runs."""

    basis: Basis | None = None
    """Basis of the rating, which decides with which others it can be compared; None if it is not known."""
    status: int = 0
    listing: Listing = Listing.UNKNOWN
    canonical: str = ""
    rating: str = ""
    score: int | None = None
    failed: tuple[str, ...] = ()
    """Ids of failed checks that do not depend on timing."""
    title: str = ""
    description: str = ""
    h1: str = ""
    certificate_ends: str = ""
    """Expiry of the certificate (ISO 8601); empty on http."""
    certificate_days: int = 0
    """Smallest of CERTIFICATE_DAYS that is not exceeded; 0 if more days remain."""
    certificate_error: str = ""
    """Reason why browsers reject the certificate; empty if they do not."""
    score_apart: int | None = None
    """Score without the checks that also fail when Google cannot index the page; None if it equals the score."""
    unjudged: tuple[str, ...] = ()
    """Ids of checks that were not judged."""


def facts_of_page(report: Report) -> PageFacts | None:
    """Return the facts of a run; None if the page could not be loaded."""
    if not report.findings or (report.error is not None and report.error.code is not PageErrorCode.ROBOTS_UNREADABLE):
        return None
    facts = report.facts
    ends = facts.tls.chain[0].not_after if facts.tls and facts.tls.chain else ""
    return PageFacts(
        basis=basis_of_report(report),
        status=status_of(report) or 0,
        listing=listing_of(report),
        canonical=facts.canonical_url,
        rating=report.result.value if report.result else "",
        score=report.score,
        score_apart=score_without(report, _OF_LISTING),
        failed=tuple(sorted(one.id for one in report.findings if _is_lasting(one))),
        unjudged=tuple(sorted(check for check, one in judged_page(report.findings).items() if one.verdict is None)),
        title=facts.page_title[:TEXT_CHARS],
        description=facts.meta_description[:TEXT_CHARS],
        h1=facts.main_heading[:TEXT_CHARS],
        certificate_ends=ends,
        certificate_days=_certificate_days(ends, report.captured_at),
        certificate_error=_rejection(facts.tls) if facts.tls else "",
    )


def _is_lasting(finding: ReportedFinding) -> bool:
    return finding.verdict is Verdict.FAILED and finding.category != Category.PERFORMANCE.value


def facts_at(facts: PageFacts, at: int) -> PageFacts:
    """Return the facts of an unchanged page at a later time, when its certificate expires in fewer days."""
    return structs.replace(facts, certificate_days=_certificate_days(facts.certificate_ends, datetime.fromtimestamp(at, UTC).isoformat()))


def _certificate_days(ends: str, now: str) -> int:
    try:
        left_s = (datetime.fromisoformat(ends) - datetime.fromisoformat(now)).total_seconds() if ends else float("inf")
    except (ValueError, TypeError):
        return 0
    return min((days for days in CERTIFICATE_DAYS if left_s <= days * DAY_S), default=0)


def reference_after(before: FactsT | None, after: FactsT, unsettled_rules: Collection[AlertRule], *, knows_none: bool = True) -> FactsT:
    """Return the reference for later runs: the facts of this run, but earlier facts for rules with a pending alert (unsettled).

    ``knows_none``: whether None is a fact; otherwise it means unknown, and the earlier fact stays too.
    """
    if before is None:
        return after
    earlier = {name for rule in unsettled_rules for name in rule.terms.facts if name in after.__struct_fields__}
    earlier |= {name for name in after.__struct_fields__ if not knows_none and getattr(after, name) is None}
    return structs.replace(after, **{name: getattr(before, name) for name in earlier})


def signals_of_page(before: PageFacts | None, after: PageFacts) -> Iterator[RuleSignal]:
    """Yield the signals of the rules for a page that was loaded. ``before`` is the reference; None at the first run."""
    if after.status in _FOR_THIS_CLIENT:
        return
    yield RuleSignal(AlertRule.UNREACHABLE, Signal.GOOD)
    yield _certificate(before or PageFacts(), after)
    if before is None:
        return
    yield _listing(before, after)
    lost = before.canonical and not after.canonical and after.listing in (Listing.CAN, Listing.UNKNOWN)
    yield RuleSignal(AlertRule.CANONICAL_LOST, Signal.BAD if lost else Signal.GOOD)
    yield from _ratings(before, after)
    texts = [(one.title, one.description, one.h1) for one in (before, after)]
    by = (AlertRule.NOT_INDEXABLE,) if after.listing in _OTHER_CONTENT else ()
    yield RuleSignal(AlertRule.CONTENT_CHANGED, Signal.GOOD if texts[0] == texts[1] else Signal.BAD, explained_by=by)


def _listing(before: PageFacts, after: PageFacts) -> RuleSignal:
    if Listing.UNKNOWN in (before.listing, after.listing):
        return RuleSignal(AlertRule.NOT_INDEXABLE, Signal.INCONCLUSIVE)
    if before.listing is not Listing.CAN or after.listing in (Listing.CAN, Listing.VARIANT):
        return RuleSignal(AlertRule.NOT_INDEXABLE, Signal.GOOD)
    by = (AlertRule.ROBOTS_BLOCKS_START,) if after.listing is Listing.BLOCKED else ()
    return RuleSignal(AlertRule.NOT_INDEXABLE, Signal.BAD, after.listing.value, explained_by=by)


def _ratings(before: PageFacts, after: PageFacts) -> Iterator[RuleSignal]:
    is_compared = after.basis is not None and comparable(before.basis, after.basis) is None
    if not is_compared or before.score is None or after.score is None or not before.rating or not after.rating:
        yield RuleSignal(AlertRule.RATING_FELL, Signal.INCONCLUSIVE)
        return
    new = set(difference(*(_judged(one, {*before.failed, *after.failed}) for one in (before, after))).problems)
    others = {one for one in new if (check := find_check(one)) is None or check.category not in _OF_LISTING}
    cause = _main_reason(new if after.listing is Listing.CAN else others or new)
    was, now = (one.score if one.score_apart is None else one.score_apart for one in (before, after))
    is_down = Rating(after.rating).is_below(Rating(before.rating))
    signal = Signal.GOOD if not is_down else Signal.BAD if new else Signal.INCONCLUSIVE
    is_rated_lower = rating_of(now or 0).is_below(rating_of(was or 0))
    yield RuleSignal(AlertRule.RATING_FELL, signal, cause, {"check": cause}, _explaining_rules(after, is_more=is_rated_lower))


def _judged(facts: PageFacts, checks: Iterable[str]) -> dict[str, Judged]:
    failed, unjudged = frozenset(facts.failed), frozenset(facts.unjudged)
    return {one: Judged(None if one in unjudged else Verdict.FAILED if one in failed else Verdict.PASSED) for one in checks}


def _explaining_rules(after: PageFacts, *, is_more: bool) -> tuple[AlertRule, ...]:
    """Return the rules that explain a drop of the score.

    ``is_more``: whether the score also fell without the checks that fail when Google cannot index the page.
    """
    if after.listing in _OTHER_CONTENT:
        return (AlertRule.NOT_INDEXABLE,)
    return () if is_more else (AlertRule.NOT_INDEXABLE, AlertRule.CANONICAL_LOST)


def _main_reason(failed: Collection[str]) -> str:
    """Return the failed check that costs most: the one with the lowest limit, then with the highest cost."""
    checks = [check for check in map(find_check, sorted(failed)) if check]
    worst = min(checks, key=lambda check: (limit_of(check, Verdict.FAILED), -cost_of(check, Verdict.FAILED)), default=None)
    return worst.id if worst else ""


def _rejection(tls: TlsFacts) -> str:
    if tls.verified or lacks_intermediate(tls.verify_error, tls.chain):
        return ""
    return tls.verify_error or Verification.FAILED.value


def _certificate(before: PageFacts, after: PageFacts) -> RuleSignal:
    if error := after.certificate_error:
        signal = Signal.GOOD if error == before.certificate_error else Signal.BAD
        return RuleSignal(AlertRule.CERTIFICATE, signal, REJECTED, {"reason": error})
    known = before.certificate_days if before.certificate_ends == after.certificate_ends else 0
    is_nearer = bool(after.certificate_days) and (not known or after.certificate_days < known)
    cause = f"{after.certificate_ends[:10]} {after.certificate_days}" if is_nearer else ""
    values: dict[str, str | int] = {"date": after.certificate_ends[:10], "days": after.certificate_days}
    return RuleSignal(AlertRule.CERTIFICATE, Signal.BAD if is_nearer else Signal.GOOD, cause, values)


def signals_of_unloaded_page(before: PageFacts | None, code: PageErrorCode) -> Iterator[RuleSignal]:
    """Yield the signals of the rules for a page that could not be loaded, and could before.

    A login, a challenge or a rate limit is inconclusive.
    """
    if before is None:
        return
    if code in AWAY:
        yield RuleSignal(AlertRule.UNREACHABLE, Signal.BAD)
    elif code in _NEVER_A_PAGE and before.listing is Listing.CAN:
        yield RuleSignal(AlertRule.NOT_INDEXABLE, Signal.BAD, Listing.STATUS.value)
