"""Gains of fixes, and the cheapest fixes, against brute force."""

from collections.abc import Sequence
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from findable.reports.projection import Projection, cheapest_fixes, gains
from findable.reports.scoring import WHOLE, Group, Row, Score, next_threshold
from findable.vocabulary import Rating, Verdict

F, W = Verdict.FAILED, Verdict.WARNED
NAMES = ["noindex", "https", "title", "csp", "b", "c", "d", "e", "f"]
GOOD = [Row(f"good-{index}", Verdict.PASSED, weight=40) for index in range(10)]


def fault(name: str, cost: int, *, group: Group = Group.SERIOUS, limit: int = 100, verdict: Verdict = F) -> Row:
    return Row(name, verdict, cost, limit, group, 10, WHOLE)


@st.composite
def pages(draw: st.DrawFn) -> tuple[list[Row], dict[str, int]]:
    """Rows with unique ids, and an effort for each."""
    found = [
        fault(
            name,
            draw(st.sampled_from([0, 5, 20, 60, 100, 160, 300])),
            group=draw(st.sampled_from(Group)),
            limit=draw(st.sampled_from([15, 100, 100, 100])) if name == "noindex" else 100,
            verdict=draw(st.sampled_from(list(Verdict)[:4])),
        )
        for name in NAMES
    ]
    efforts = {name: draw(st.sampled_from([1, 3, 8])) for name in NAMES}
    return [*found, *GOOD], efforts | {row.id: 1 for row in GOOD}


def against(rows: Sequence[Row]) -> list[str]:
    return [row.id for row in rows if row.verdict in (Verdict.FAILED, Verdict.WARNED)]


def fixed(rows: Sequence[Row], names: Sequence[str]) -> int:
    """The score of the page after the fixes were made."""
    score = Score(tuple(Row(row.id, Verdict.PASSED, weight=row.weight) if row.id in names else row for row in rows)).score
    assert score is not None
    return score


@pytest.mark.full
@settings(max_examples=100, deadline=None)
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


@settings(max_examples=60, deadline=None)
@given(pages())
def test_the_cheapest_fixes_end_at_or_above_the_next_rating(page: tuple[list[Row], dict[str, int]]) -> None:
    rows, efforts = page
    score = Score(tuple(rows)).score
    path = cheapest_fixes(rows, efforts, against(rows))
    if path is None or score is None:
        return

    assert path.score_from == fixed(rows, path.checks)
    assert path.score_from >= (next_threshold(score) or 101)


@settings(max_examples=60, deadline=None)
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


def test_a_fix_below_a_limit_gains_nothing_alone() -> None:
    rows = [*GOOD, fault("noindex", 850, limit=15), fault("b", 100)]

    assert gains(rows, ["noindex", "b"]) == {"noindex": (75, 75), "b": (10, 0)}
    assert Projection(rows).in_order(str) == ["noindex", "b"]


def test_a_response_that_is_not_2xx_gets_no_promise() -> None:
    rows = [*GOOD, fault("http-status", 1000, limit=0), fault("b", 100)]

    assert gains(rows, ["http-status", "b"]) == {}
    assert cheapest_fixes(rows, {row.id: 1 for row in rows}, against(rows)) is None


def test_the_fix_that_gains_most_now_stands_first() -> None:
    rows = [fault("serious", 120), *(fault(name, 110) for name in ("title", "text", "phone")), fault("small", 20, group=Group.SMALL)]
    projection = Projection(rows)
    order = projection.in_order(str)
    found = projection.gains(order)

    assert order[-1] == "small"
    assert order[0] == "serious"
    assert [found[name][0] for name in order] == sorted((gain for gain, _ in found.values()), reverse=True)


def test_causes_of_one_fault_stand_together_by_what_all_of_them_cost() -> None:
    links = [structs.replace(fault("links", 180), key=f"links:{number}") for number in range(2)]
    titles = [structs.replace(fault("titles", 100), key=f"titles:{number}", share=5_000) for number in range(2)]
    projection = Projection([*titles, fault("data", 60), *links])
    order = projection.in_order(str)

    assert order == ["links:0", "links:1", "titles:0", "titles:1", "data"]
    assert list(projection.gains_of_groups([order[:2], order[2:4], order[4:]])) == [18, 10, 6]


def test_a_good_page_has_no_cheapest_fixes() -> None:
    assert cheapest_fixes(GOOD, {}, []) is None


def test_a_limit_is_among_the_cheapest_fixes_in_the_order_of_the_list() -> None:
    rows = [*GOOD, fault("b", 200), fault("c", 100), fault("noindex", 850, limit=15)]
    path = cheapest_fixes(rows, {row.id: 1 for row in rows}, ["noindex", "c", "b"])

    assert path is not None
    assert path.checks == ("noindex",)
    assert path.result is Rating.DECENT


def test_twenty_five_faults_are_searched_quickly() -> None:
    rows = [*GOOD, *(fault(f"fault-{index}", 30 + index, group=list(Group)[index % 2]) for index in range(25))]
    efforts = {row.id: (1, 3, 8)[index % 3] for index, row in enumerate(rows)}

    assert cheapest_fixes(rows, efforts, against(rows)) is not None
