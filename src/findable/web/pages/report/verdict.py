"""Rating of a report and its explanation, or the reason why there is none."""

from collections.abc import Mapping

from msgspec import Struct

from findable.errors import PageErrorCode
from findable.reports.page_error_text import sentences_of
from findable.reports.report import Explanation, Report
from findable.reports.scoring import CAPPED_TO_NOTHING, DECENT_FROM, GOOD_FROM, PROVISIONAL_BELOW
from findable.reports.titles import RATINGS
from findable.service.values.report_values import ReportView
from findable.vocabulary import Verdict
from findable.web.pages.report.finding_cards import Card
from findable.web.pages.report.finding_groups import FirstFix, Fixes
from findable.web.pages.shared.rating_words import RATING_WORDS
from findable.wording import ENGLISH, Wording, later

RING_LENGTH = 326.7
"""Circumference of the score ring in report.html: 2π times its radius of 52."""
NEXT_STEPS = {
    "login_required": later("Report the page as a visitor sees it without signing in, or give the service a login for this site."),
    "access_denied": later(
        "Allow the user agent and the IP address of this service on the server or its firewall, then run the report again."
    ),
    "bot_challenge": later("Allow the user agent of this service in the bot protection or consent page, then run the report again."),
    "target_rate_limited": later("Wait some minutes, then generate the report again."),
    "needs_browser": later("Serve the content in the HTML itself. Many crawlers also see an empty page."),
    "dns_failed": later("Check the spelling of the host and its DNS records, then generate the report again."),
    "connect_failed": later("Check that the server runs and that its firewall allows this service, then run the report again."),
    "tls_failed": later("Check the certificate and the TLS settings of the server."),
    "target_timeout": later("Check how long the server takes to respond, then run the report again."),
    "too_many_redirects": later("Follow the redirects listed by the server by hand; one of them leads back to an earlier one."),
    "not_html": later("Report on the URL of an HTML page."),
    "target_refused": later("Report on a URL on the public internet, or ask the operator of this service to allow this one."),
    "identity_unreadable": later("Enter the sign-in again in the settings of the project, then generate the report again."),
    "worker_crashed": later("Run the report again. If it fails again, contact the operator of this service."),
    "internal_error": later("Run the report again. If it fails again, contact the operator of this service."),
}
"""Advice for owners of pages that could not be loaded, by error code."""


class Change(Struct, frozen=True):
    """Score change since the previous run."""

    words: str
    direction: str
    """Direction: ``up``, ``down`` or ``same``; a class of the stylesheet."""


class VerdictBox(Struct, frozen=True):
    """Rating and its explanation."""

    score: int
    ring: str
    """Value of ``stroke-dasharray`` of the ring; empty for a score of 0."""
    rating: str
    """Rating: ``good``, ``decent`` or ``bad``; a class of the stylesheet."""
    words: str
    """Rating in words."""
    counts: str
    held_at: int | None
    """Score to which a cap limits the report; None without one."""
    held_by: tuple[Card, ...]
    measured: str
    """Coverage, if it was too low to be sure; empty elsewhere."""
    change: Change | None
    first: FirstFix | None
    """First fix."""
    first_holds: bool
    """Whether only the first fix lifts the cap."""
    why: str
    """Lost points, and the thresholds of the ratings."""


class Plate(Struct, frozen=True):
    """Reason why there is no rating."""

    title: str
    cause: str
    next_step: str
    retryable: bool


def plate_of(view: ReportView, say: Wording) -> Plate | None:
    """Return the reason, None if there is a rating or no run yet."""
    if view.error is None or view.score is not None:
        return None
    code = view.error.code
    title = (
        say("No rating: the page could not be judged")
        if code is PageErrorCode.NEEDS_BROWSER
        else say("No rating: the page could not be loaded")
    )
    return Plate(title, sentences_of(view.error, say), say.text(NEXT_STEPS.get(code, "")), code.retryable)


def rated(
    view: ReportView, report: Report, cards: Mapping[str, Card], fixes: Fixes | None, say: Wording, *, for_owner: bool
) -> VerdictBox | None:
    """Return the rating, None without a score. ``report`` is that of the view, ``cards`` its findings by check."""
    if view.score is None:
        return None
    score = view.score
    held = report.held_down_by
    sure = view.coverage is None or view.coverage >= PROVISIONAL_BELOW
    rating = view.result.value if view.result else ""
    return VerdictBox(
        score=score,
        ring=ring_of(score),
        rating=rating,
        words=say.text(RATINGS.get(rating, "")),
        counts=counts_sentence(report.counts, say),
        held_at=held.score if held else None,
        held_by=tuple(cards[name] for name in held.checks if name in cards) if held else (),
        measured="" if sure else say("Only %(share)s %% of what applies could be measured.", share=round((view.coverage or 0) * 100)),
        change=_change(view, say, for_owner=for_owner),
        first=fixes.items[0] if fixes else None,
        first_holds=bool(held and fixes and held.checks == (fixes.items[0].card.id,)),
        why=_why(score, report.explained, sum(1 for one in cards.values() if one.points), say),
    )


def ring_of(score: int) -> str:
    """Return the ``stroke-dasharray`` of the ring of a score; empty for a score of 0."""
    return f"{RING_LENGTH * score / 100:.1f} {RING_LENGTH}" if score else ""


def _why(score: int, explained: Explanation | None, against: int, say: Wording) -> str:
    """Return the explanation in words; ``against`` is the number of findings that cost points."""
    scale = say("Good begins at %(good)s, decent at %(decent)s.", good=GOOD_FROM, decent=DECENT_FROM)
    if explained and explained.held_down_by and explained.held_down_by.score == CAPPED_TO_NOTHING:
        return say("The content of the page was not checked.") + f" {scale}"
    if explained and explained.held_down_by:
        return say("By points alone it would be %(raw)s.", raw=int(explained.raw)) + f" {scale}"
    if not against:
        return scale
    taken = say.plural(
        "%(count)s finding takes %(points)s of 100 points.",
        "%(count)s findings take %(points)s of 100 points.",
        against,
        points=100 - score,
    )
    return f"{taken} {scale}"


def _change(view: ReportView, say: Wording, *, for_owner: bool) -> Change | None:
    """Return the score change. Guests only see changes between runs of this report, not of others."""
    before = view.previous
    if before is None or not (for_owner or before.report == view.id):
        return None
    was = {"score": before.score, "rating": say(RATING_WORDS[before.result.value])}
    if before.change > 0:
        better = say.plural(
            "%(count)s point better than the run before (%(score)s, %(rating)s)",
            "%(count)s points better than the run before (%(score)s, %(rating)s)",
            before.change,
            **was,
        )
        return Change(better, "up")
    if before.change < 0:
        worse = say.plural(
            "%(count)s point worse than the run before (%(score)s, %(rating)s)",
            "%(count)s points worse than the run before (%(score)s, %(rating)s)",
            -before.change,
            **was,
        )
        return Change(worse, "down")
    return Change(say("The same score as the run before"), "same")


def counts_sentence(counts: Mapping[str, int], say: Wording = ENGLISH) -> str:
    """Return the number of findings by verdict: ``1 problem, 6 warnings, 88 passed, 20 not applicable``; empty without a finding."""
    parts = (
        say.plural("%(count)s problem", "%(count)s problems", counts.get(Verdict.FAILED, 0)),
        say.plural("%(count)s warning", "%(count)s warnings", counts.get(Verdict.WARNED, 0)),
        say.plural("%(count)s passed", "%(count)s passed", counts.get(Verdict.PASSED, 0)),
        say.plural("%(count)s not applicable", "%(count)s not applicable", counts.get(Verdict.INAPPLICABLE, 0)),
        say.plural("%(count)s could not be measured", "%(count)s could not be measured", counts.get(Verdict.UNKNOWN, 0)),
    )
    verdicts = (Verdict.FAILED, Verdict.WARNED, Verdict.PASSED, Verdict.INAPPLICABLE, Verdict.UNKNOWN)
    return ", ".join(part for part, verdict in zip(parts, verdicts, strict=True) if counts.get(verdict))
