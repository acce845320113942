"""Rating of a page and its explanation."""

from collections.abc import Collection
from datetime import tzinfo

from findable.reports.charts import score_waterfall
from findable.reports.fixes import is_unchecked
from findable.reports.gain_words import outlook
from findable.reports.report import Report
from findable.reports.score_change_words import score_before_outage
from findable.reports.scoring import PROVISIONAL_BELOW, Cap
from findable.reports.search_verdict import VerdictCode
from findable.reports.titles import RATINGS, counts_sentence, measured_sentence, needs_words
from findable.service.values.report_values import ReportView
from findable.vocabulary import Verdict
from findable.web.pages.result.verdict import ResultVerdict
from findable.web.pages.shared.score_bar import score_bar
from findable.wording import Translator


class VerdictBox(ResultVerdict, frozen=True, kw_only=True):
    """Rating of a page."""

    tally: str
    """Checks with and without a result, in sentences: the sums of the categories."""
    has_open: bool
    """Whether a check that applies could not be measured."""
    measured: str
    """Coverage, if it was too low for a reliable score; otherwise empty."""


def verdict_box(view: ReportView, report: Report, say: Translator, zone: tzinfo | None, *, for_owner: bool) -> VerdictBox | None:
    """Return the rating of a report with its explanation; None without a score. ``report`` is that of ``view``.

    A report that is not rated because the page rejects this service shows its last rating, and says so.
    """
    is_blocked = view.last_error is not None and view.verdict is not None and view.verdict.code is VerdictCode.BLOCKED_FOR_US
    score, result = (report.score, report.result) if is_blocked else (view.score, view.result)
    if score is None:
        return None
    sure = view.coverage is None or view.coverage >= PROVISIONAL_BELOW
    rating = result.value if result else ""
    is_away = view.verdict is not None and view.verdict.is_away
    accepted = sum(1 for one in report.findings if one.accepted)
    change, direction = ("", "same") if is_away else _change(view, say, for_owner=for_owner)
    box = VerdictBox(
        words=say("Last rating: %(rating)s", rating=say.text(RATINGS.get(rating, ""))) if is_blocked else say.text(RATINGS.get(rating, "")),
        counts=counts_sentence({**report.counts, Verdict.INAPPLICABLE: 0} if is_unchecked(report) else report.counts, say, accepted),
        tally=_tally(report, view.not_asked, accepted, say),
        has_open=bool(report.counts.get(Verdict.UNKNOWN)) and not is_unchecked(report),
        bar=score_bar(score, rating, say, *(() if is_away else outlook(report, say))),
        measured="" if sure else measured_sentence(view.coverage or 0.0, say),
        is_provisional=not sure,
        change=change,
        direction=direction,
        parts=None if is_away else score_waterfall(report.score_parts, score, rating, say),
        limit=_last_score(report, say) if is_away else _score_reason(score, report, say),
    )
    if view.verdict is None or not view.verdict.leaves_rating or view.generated_at is None:
        return box
    return box.of_before(score_before_outage(score, say.day(view.generated_at, zone), say), say)


def _last_score(report: Report, say: Translator) -> str:
    if report.score is None:
        return ""
    return say("The findings are those of the last result, with score %(score)s.", score=report.score)


def _score_reason(score: int, report: Report, say: Translator) -> str:
    """Return why a score is not 100, in words: the cap of the score, else the points that findings cost."""
    if report.effective_cap:
        return "" if is_unchecked(report) else _limit(report, report.effective_cap, say)
    against = sum(1 for one in report.findings if one.has_problem)
    costly = sum(1 for one in report.findings if one.has_problem and one.lost)
    if not costly:
        return ""
    return say("%(count)s of %(all)s problems and warnings cost points: %(points)s of 100.", count=costly, all=against, points=100 - score)


def _limit(report: Report, cap: Cap, say: Translator) -> str:
    """Return a sentence with the number of problems that limit the score, other caps with the same score included."""
    caps = report.explained.caps if report.explained else ()
    names = dict.fromkeys(name for one in (cap, *caps) if one.score == cap.score for name in one.checks)
    causes = [one for name in names if (one := report.finding(name))]
    if not causes:
        return ""
    return say.plural(
        "Limited to %(score)s by %(count)s problem, listed first.",
        "Limited to %(score)s by %(count)s problems, listed first.",
        len(causes),
        score=cap.score,
    )


def _change(view: ReportView, say: Translator, *, for_owner: bool) -> tuple[str, str]:
    """Return the score change since the previous run in words, empty without one, and its direction.

    Guests only see changes between runs of this report, not of other reports.
    """
    before = view.previous
    if before is None or not (for_owner or before.report == view.id):
        return "", "same"
    was = {"score": before.score, "rating": say(before.result.words)}
    if before.change > 0:
        better = say.plural(
            "%(count)s point better than the previous run (%(score)s, %(rating)s)",
            "%(count)s points better than the previous run (%(score)s, %(rating)s)",
            before.change,
            **was,
        )
        return better, "up"
    if before.change < 0:
        worse = say.plural(
            "%(count)s point worse than the previous run (%(score)s, %(rating)s)",
            "%(count)s points worse than the previous run (%(score)s, %(rating)s)",
            -before.change,
            **was,
        )
        return worse, "down"
    return say("The same score as in the previous run"), "same"


def _tally(report: Report, not_asked: Collection[str], accepted: int, say: Translator) -> str:
    """Return sentences with the numbers of checks by outcome; empty if the content of the page was not checked."""
    if is_unchecked(report):
        return ""
    judged: dict[str, int] = {name: report.counts.get(name, 0) for name in (Verdict.FAILED, Verdict.WARNED, Verdict.PASSED)}
    rest: dict[str, int] = {name: report.counts.get(name, 0) for name in (Verdict.INAPPLICABLE, Verdict.INFO)}
    done, unknown = sum(judged.values()), report.counts.get(Verdict.UNKNOWN, 0)
    needs = needs_words(report, len(not_asked), say) if not_asked else ""
    checked = say("%(done)s of %(all)s checks gave a result", done=say.number(done), all=say.number(done + unknown + len(not_asked)))
    parts = (
        f"{checked}: {counts_sentence(judged, say)}",
        ", ".join(filter(None, (counts_sentence({Verdict.UNKNOWN: unknown}, say), needs))),
        counts_sentence(rest, say, accepted),
    )
    return " ".join(f"{part}." for part in parts if part)
