"""A change of ruleset is a mark in the history, never an event."""

from datetime import UTC, datetime

from msgspec.structs import replace

from findable.reports.report import Engine
from findable.service.values.report_values import Changes, RunView, ScoreChange
from findable.vocabulary import Profile
from findable.web.pages.report.run_trend import compare_page, trend_of
from findable.wording import ENGLISH
from tests.web import test_contexts as contexts
from tests.web.report_visits import visit_of


def engine(ruleset: str) -> Engine:
    return Engine("1", ruleset, Profile.STATIC, ())


def at(day: int, run: RunView) -> RunView:
    return replace(run, finished_at=datetime(2026, 11, day, 12, tzinfo=UTC))


def test_runs_stand_at_their_times_with_dates_and_scores() -> None:
    runs = [at(21, contexts.run(4, 44)), at(11, contexts.run(3, 43)), at(2, contexts.run(2, 42)), at(1, contexts.run(1, 41))]
    plot = trend_of(runs, ENGLISH)
    assert plot is not None
    dots = plot.lines[0].dots

    assert [dot.x for dot in dots] == [0, 16, 160, 320]
    assert [dot.when.words for dot in dots] == ["1 November 2026", "2 November 2026", "11 November 2026", "21 November 2026"]
    assert [dot.value for dot in dots if dot.is_labelled] == [41, 43, 44]  # the second is too close to the first


def test_a_rescored_run_is_no_dot_and_the_change_is_a_mark() -> None:
    old = at(1, replace(contexts.run(1, 40), engine=engine("2026-11")))
    rescored = at(2, replace(contexts.run(2, 70), engine=engine("2026-12"), rescored_from=1))
    new = at(3, replace(contexts.run(3, 72), engine=engine("2026-12")))
    trend, same = trend_of([new, rescored, old], ENGLISH), trend_of([new, replace(new, run=4)], ENGLISH)
    assert trend is not None
    assert same is not None
    (line,) = trend.lines

    assert [dot.value for dot in line.dots] == [40, 72]
    assert trend.markers == ((320.0, "A", "Ruleset 2026-12"),)
    assert line.parts == ("0.0,60.0", "320.0,28.0"), "no line joins two rulesets"
    assert same.markers == ()
    assert trend_of([new], ENGLISH) is None


def test_scores_of_two_rulesets_are_not_compared() -> None:
    two = (replace(contexts.run(1, 40), engine=engine("2026-11")), replace(contexts.run(2, 30), engine=engine("2026-12")))
    score = ScoreChange(before=40, after=30, from_page=None, from_ruleset=None)
    changes = Changes(since=1, run=2, score=score, rulesets=("2026-11", "2026-12"))
    shown = compare_page(visit_of(contexts.view("")), two, changes)

    assert shown.change == "The ruleset changed from 2026-11 to 2026-12: the two scores cannot be compared."
    assert shown.direction == "same"
