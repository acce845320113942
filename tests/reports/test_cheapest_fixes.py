"""Gains of fixes, and the cheapest fixes, against brute force."""

from collections.abc import Sequence
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from findable.reports.cheapest_fixes import Projection, cheapest_fixes, gains
from findable.reports.scoring import Row, Score, next_threshold
from findable.vocabulary import Fault, Importance, Rating, Verdict

HIGH, MEDIUM, LOW = Importance.HIGH, Importance.MEDIUM, Importance.LOW
NAMES = ["noindex", "https", "canonical-self", "csp", "b", "c", "d", "e", "f"]
GOOD = [Row(f"good-{index}", MEDIUM, Verdict.PASSED) for index in range(10)]


@st.composite
def pages(draw: st.DrawFn) -> tuple[list[Row], dict[str, int]]:
    """Rows with unique ids, and an effort for each."""
    found = [Row(name, draw(st.sampled_from([HIGH, MEDIUM, LOW])), draw(st.sampled_from(list(Verdict)[:4]))) for name in NAMES]
    efforts = {name: draw(st.sampled_from([1, 3, 8])) for name in NAMES}
    return [*found, *GOOD], efforts | {row.id: 1 for row in GOOD}


def against(rows: Sequence[Row]) -> list[str]:
    return [row.id for row in rows if row.verdict in (Verdict.FAILED, Verdict.WARNED)]


def fixed(rows: Sequence[Row], names: Sequence[str]) -> int:
    """The score of the page after the fixes were made."""
    score = Score(tuple(Row(row.id, row.importance, Verdict.PASSED) if row.id in names else row for row in rows)).score
    assert score is not None
    return score


@pytest.mark.full
@settings(max_examples=300, deadline=None)
@given(pages())
def test_no_cheaper_set_of_fixes_reaches_the_rating(page: tuple[list[Row], dict[str, int]]) -> None:
    rows, efforts = page
    path = cheapest_fixes(rows, efforts, against(rows))
    score = Score(tuple(rows)).score
    goal = next_threshold(score) if score is not None else None
    faults = against(rows)
    costs = [
        (sum(efforts[name] for name in chosen), len(chosen))
        for size in range(1, len(faults) + 1)
        for chosen in combinations(faults, size)
        if goal is not None and fixed(rows, chosen) >= goal
    ]

    assert (path is None) == (not costs)
    if path:
        assert (path.effort, len(path.checks)) == min(costs)


@settings(max_examples=200, deadline=None)
@given(pages())
def test_the_cheapest_fixes_end_at_or_above_the_next_rating(page: tuple[list[Row], dict[str, int]]) -> None:
    rows, efforts = page
    score = Score(tuple(rows)).score
    path = cheapest_fixes(rows, efforts, against(rows))
    if path is None or score is None:
        return

    assert path.score_from == path.score_to == fixed(rows, path.checks)
    assert path.score_from >= (next_threshold(score) or 101)


@settings(max_examples=200, deadline=None)
@given(pages(), st.randoms())
def test_gains_in_any_order_add_up_to_the_projected_score(page: tuple[list[Row], dict[str, int]], random: Random) -> None:
    rows, _ = page
    order = against(rows)
    random.shuffle(order)
    before = fixed(rows, [])
    found = gains(rows, order)

    assert before + sum(gain for gain, _ in found.values()) == fixed(rows, order)
    for name, (gain, alone) in found.items():
        assert gain >= 0
        assert alone == fixed(rows, [name]) - before


def test_a_fix_below_another_cap_gains_nothing_alone() -> None:
    rows = [*GOOD, Row("noindex", HIGH, Verdict.FAILED), Row("b", MEDIUM, Verdict.FAILED)]

    assert gains(rows, ["noindex", "b"]) == {"noindex": (41, 41), "b": (10, 0)}


def test_a_response_that_is_not_2xx_gets_no_promise() -> None:
    rows = [*GOOD, Row("http-status", HIGH, Verdict.FAILED), Row("b", MEDIUM, Verdict.FAILED)]

    assert gains(rows, ["http-status", "b"]) == {}
    assert cheapest_fixes(rows, {row.id: 1 for row in rows}, against(rows)) is None


def test_a_good_page_has_no_cheapest_fixes() -> None:
    assert cheapest_fixes(GOOD, {}, []) is None


def test_a_gate_is_among_the_cheapest_fixes_in_the_order_of_the_list() -> None:
    rows = [*GOOD, Row("b", MEDIUM, Verdict.FAILED), Row("c", HIGH, Verdict.FAILED), Row("noindex", HIGH, Verdict.FAILED)]
    path = cheapest_fixes(rows, {row.id: 1 for row in rows}, ["noindex", "c", "b"])

    assert path is not None
    assert path.checks == ("noindex",)
    assert path.result is Rating.DECENT


def test_a_failure_of_high_importance_without_points_is_fixed() -> None:
    rows = [*GOOD, Row("csp", HIGH, Verdict.FAILED)]

    path = cheapest_fixes(rows, {row.id: 1 for row in rows}, ["csp"])

    assert path is not None
    assert path.checks == ("csp",)
    assert path.result is Rating.GOOD


def test_a_cap_by_reason_is_lifted_by_its_check() -> None:
    row = Row("content-length", MEDIUM, Verdict.FAILED, Fault.ALMOST_NO_CONTENT)
    projection = Projection([*GOOD, *GOOD, row])

    assert projection.after(()) == 69
    assert projection.after(["content-length"]) == 100


def test_twenty_faults_are_searched_quickly() -> None:
    rows = [*GOOD, *(Row(f"fault-{index}", MEDIUM, Verdict.WARNED if index % 2 else Verdict.FAILED) for index in range(25))]
    efforts = {row.id: (1, 3, 8)[index % 3] for index, row in enumerate(rows)}

    assert cheapest_fixes(rows, efforts, against(rows)) is not None
