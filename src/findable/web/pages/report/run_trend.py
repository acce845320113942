"""Runs of a report: score trend, changed findings, and the pages that show them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, tzinfo
from itertools import pairwise

from msgspec import Struct

from findable.capture.crawl import Reason
from findable.crawl.changes import ChangeKind, PageChange
from findable.reports.charts import PairTable, findings_before_and_now
from findable.reports.gain_words import points
from findable.reports.reported_finding import ReportedFinding
from findable.reports.score_change_words import new_ruleset
from findable.service.values.report_values import ChangedFinding, Changes, ReportView, RunView
from findable.vocabulary import Category, Importance, Verdict
from findable.web.pages.report.report_visit import ReportVisit
from findable.web.pages.result.changes import ChangedLine, FindingChange, not_compared
from findable.web.pages.result.finding_cards import Card, card
from findable.web.pages.shared.page_templates import Bar, PageContext
from findable.web.pages.shared.plots import Plot, score_plot, with_events
from findable.web.pages.shared.run_names import name_of
from findable.web.pages.shared.viewer import bar_of
from findable.wording import Translator, later

ChangedValue = tuple[str, str, str]


class HistorySummary(Struct, frozen=True):
    """Summary of the history on the report's page, for viewers who may see older runs."""

    trend: Plot | None
    """Scores over time; None for fewer than two."""
    values: tuple[ChangedValue, ...]
    """Changed values of the page: name, value before and after."""
    changed: tuple[FindingChange, ...]
    compare: str
    """URL of the comparison with the previous run; empty if none is comparable."""
    not_compared: str
    """Reason why the result is not compared with the previous one, such as a change of the ruleset, in a sentence; empty if it is."""


class HistoryPage(PageContext, frozen=True):
    """Variables of history.html."""

    visit: ReportVisit
    trend: Plot | None
    """Scores over time; None for fewer than two."""
    runs: tuple[RunView, ...]
    """Runs, newest first."""
    first: str
    """First run of the comparison, unless another run is chosen."""
    last: str
    """Last run of the comparison; empty if there is nothing to compare."""
    problem: str
    """Error message about the comparison; empty without an error."""
    bar: Bar
    unchanged: Sequence[datetime] = ()
    """Times of the runs that found the page unchanged, newest first."""


class ComparePage(PageContext, frozen=True):
    """Variables of compare.html."""

    visit: ReportVisit
    before: RunView
    after: RunView
    direction: str
    """Direction: ``up``, ``down`` or ``same``; a class of the stylesheet. Empty if unknown."""
    change: str
    """Score change, in words."""
    parts: tuple[tuple[str, str], ...]
    """Causes of the score change: points with their sign, and words."""
    values: tuple[ChangedValue, ...]
    changed: tuple[FindingChange, ...]
    still: tuple[Card, ...]
    """Problems and warnings of both runs."""
    kinds: PairTable | None
    """Problems and warnings of the two runs by category; None if the numbers are the same."""
    bar: Bar


def trend_of(runs: Iterable[RunView], say: Translator, zone: tzinfo | None = None) -> Plot | None:
    """Return the scores of rated runs that fetched the page, in the mode of the newest one: others are not comparable.

    ``runs`` are sorted newest first. None for fewer than two.
    """
    fetched = [run for run in runs if run.score is not None and run.result is not None and run.rescored_from is None]
    rated = [run for run in reversed(fetched) if run.mode is fetched[0].mode]
    values = [(run.finished_at or run.started_at, run.score or 0) for run in rated]
    changed = [
        (at, say("Ruleset %(ruleset)s", ruleset=after.engine.ruleset))
        for (before, after), (at, _) in zip(pairwise(rated), values[1:], strict=True)
        if before.engine and after.engine and before.engine.ruleset != after.engine.ruleset
    ]
    plot = score_plot(values, [at for at, _ in changed], say, zone)
    return with_events(plot, changed, values[0][0], values[-1][0]) if plot else None


def history_summary(
    view: ReportView, runs: Sequence[RunView], changes: Changes, say: Translator, zone: tzinfo | None = None
) -> HistorySummary | None:
    """Return the summary of the history on the report's page; None without a result."""
    if view.run is None:
        return None
    compare = ""
    if changes.since is not None:
        name = name_of(changes.since_report or view.id, changes.since, view.id)
        compare = f"/r/{view.public_id}/compare?from={name}&to={view.run}"
    return HistorySummary(
        trend_of(runs, say, zone),
        changed_values(changes.values, say),
        finding_changes(changes, say),
        compare,
        _rulesets(changes, say) or not_compared(changes.reason, say),
    )


_MENDED = (Verdict.PASSED, Verdict.INFO)


def finding_changes(changes: Changes, say: Translator) -> tuple[FindingChange, ...]:
    """Return the non-empty groups of changed findings. A finding whose subject was removed from the page does not count as fixed."""
    fixed = [one for one in changes.fixed if one.after in _MENDED]
    lapsed = [one for one in changes.fixed if one.after not in _MENDED]
    kinds = (
        ("new", changes.new),
        ("returned", changes.returned),
        ("worse", changes.worse),
        ("better", changes.better),
        ("fixed", fixed),
        ("lapsed", lapsed),
    )
    return tuple(FindingChange(kind, tuple(_changed_lines(found, kind, say))) for kind, found in kinds if found)


def _changed_lines(changes: Iterable[ChangedFinding], kind: str, say: Translator) -> Iterator[ChangedLine]:
    is_gone = kind in ("fixed", "lapsed")
    for finding in _by_harm(changes):
        worth = points(finding.lost if is_gone else -finding.lost, say)
        if finding.cap is not None:
            cap = say.number(finding.cap)
            worth = say("limited the score to %(score)s", score=cap) if is_gone else say("limits the score to %(score)s", score=cap)
        yield ChangedLine(card(finding, say, names=True), worth)


def _by_harm(changes: Iterable[ChangedFinding]) -> list[ReportedFinding]:
    """Return the changed findings, worst first: by the cap that they set for the score, then by the points that they cost."""
    importances = [importance.value for importance in Importance]

    def harm(finding: ReportedFinding) -> tuple[object, ...]:
        place = importances.index(finding.importance) if finding.importance in importances else len(importances)
        return 100 if finding.cap is None else finding.cap, -finding.lost, finding.verdict is not Verdict.FAILED, place

    return sorted((change.finding for change in changes), key=harm)


def changed_values(changes: Iterable[PageChange], say: Translator) -> tuple[ChangedValue, ...]:
    """Return the changed values of the page for display."""
    return tuple((say(_VALUE_NAMES[one.kind]), *_values(one, say)) for one in changes if one.kind in _VALUE_NAMES)


def _values(change: PageChange, say: Translator) -> tuple[str, str]:
    if change.kind in (ChangeKind.BECAME_INDEXABLE, ChangeKind.BECAME_NON_INDEXABLE):
        before, after = (
            say("no: %(reason)s", reason=say.text(Reason(reason).words)) if reason else say("yes")
            for reason in (change.before, change.after)
        )
        return before, after
    if change.kind is ChangeKind.TEXT:
        return say.number(int(change.before)), say.number(int(change.after))
    return change.before or "–", change.after or "–"


_VALUE_NAMES: Mapping[ChangeKind, str] = {
    ChangeKind.BECAME_NON_INDEXABLE: later("Google can index it"),
    ChangeKind.BECAME_INDEXABLE: later("Google can index it"),
    ChangeKind.STATUS: later("Status"),
    ChangeKind.ROBOTS: later("Rules for search engines"),
    ChangeKind.CANONICAL: later("Canonical URL"),
    ChangeKind.TITLE: later("Title"),
    ChangeKind.DESCRIPTION: later("Meta description"),
    ChangeKind.H1: later("Main heading"),
    ChangeKind.TEXT: later("Words"),
}


def has_result(run: RunView) -> bool:
    """Return whether a run has a result, so that people may compare it."""
    return run.engine is not None


def history_page(visit: ReportVisit, runs: Sequence[RunView], problem: str = "") -> HistoryPage:
    """Return the page that lists the runs."""
    names = [name_of(run.report, run.run, visit.report.id) for run in runs if has_result(run)]
    first, last = (names[1], names[0]) if len(names) > 1 else ("", "")
    return HistoryPage(visit, trend_of(runs, visit.say, visit.zone), tuple(runs), first, last, problem, bar_of(visit.caller))


def compare_page(visit: ReportVisit, runs: tuple[RunView, RunView], changes: Changes) -> ComparePage:
    """Return the page that compares two runs."""
    say = visit.say
    change, direction = _score_direction(changes, say)
    return ComparePage(
        visit=visit,
        before=runs[0],
        after=runs[1],
        direction=direction,
        change=change,
        parts=_score_causes(changes, say),
        values=changed_values(changes.values, say),
        changed=finding_changes(changes, say),
        still=tuple(card(finding, say, names=True) for finding in _by_harm(changes.still)),
        kinds=_kinds(changes, say),
        bar=bar_of(visit.caller),
    )


def _kinds(changes: Changes, say: Translator) -> PairTable | None:
    both = (*changes.still, *changes.worse, *changes.better)
    sides = (*both, *changes.fixed), (*both, *changes.new, *changes.returned)
    before, now = ([Category(one.finding.category) for one in side] for side in sides)
    return findings_before_and_now(before, now, say) if before != now else None


def _rulesets(changes: Changes, say: Translator) -> str:
    if changes.rulesets is None:
        return ""
    old, new = changes.rulesets
    return new_ruleset(old, new, say)


def _score_direction(changes: Changes, say: Translator) -> tuple[str, str]:
    before, after = changes.score.before, changes.score.after
    if before is None or after is None:
        return say("One of the two runs has no score, so there is no change of score."), ""
    if changes.rulesets and changes.score.from_page is None:
        return _rulesets(changes, say), "same"
    by = after - before
    if by > 0:
        return say.plural("%(count)s point better", "%(count)s points better", by), "up"
    if by < 0:
        return say.plural("%(count)s point worse", "%(count)s points worse", -by), "down"
    return say("The same score"), "same"


def _score_causes(changes: Changes, say: Translator) -> tuple[tuple[str, str], ...]:
    """Return the causes of a score change, which may cancel each other out; empty without any."""
    score = changes.score
    parts = (
        (score.from_page, say("because the page changed")),
        (score.from_ruleset, say("because the rules changed")),
        (score.from_accepted, say("because of accepted findings")),
    )
    return tuple((say.signed(points), words) for points, words in parts if points)
