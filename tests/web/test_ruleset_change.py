"""A change of ruleset is a mark in the history, never an event."""

from msgspec.structs import replace

from findable.reports.report import Engine
from findable.service.values.report_values import Changes
from findable.vocabulary import Profile
from findable.web.pages.report.run_trend import compare_page, trend_of
from findable.wording import ENGLISH
from tests.web import test_contexts as contexts


def engine(ruleset: str) -> Engine:
    return Engine("1", ruleset, Profile.STATIC, ())


def test_a_rescored_run_is_no_dot_and_the_change_is_a_mark() -> None:
    old = replace(contexts.run(1, 40), engine=engine("2026-11"))
    rescored = replace(contexts.run(2, 70), engine=engine("2026-12"), rescored_from=1)
    new = replace(contexts.run(3, 72), engine=engine("2026-12"))
    trend = trend_of([new, rescored, old], ENGLISH)

    assert [dot.score for dot in trend.dots] == [40, 72]
    assert trend.marks == (300.0,)
    assert trend_of([new, replace(new, run=4)], ENGLISH).marks == ()


def test_scores_of_two_rulesets_are_not_compared() -> None:
    two = (replace(contexts.run(1, 40), engine=engine("2026-11")), replace(contexts.run(2, 30), engine=engine("2026-12")))
    changes = Changes(1, 2, 40, 30, None, None, None, (), (), (), (), rulesets=("2026-11", "2026-12"))
    shown = compare_page(contexts.view(""), "a page", two, changes, ENGLISH, None, bar=contexts.BAR)

    assert shown.change == "The ruleset changed from 2026-11 to 2026-12: the two scores cannot be compared."
    assert shown.direction == "same"
