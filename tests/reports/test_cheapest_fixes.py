"""The cheapest path, against brute force."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from findable.reports.cheapest_fixes import cheapest_fixes, project
from findable.reports.scoring import Row, Score, next_threshold, rating_of
from findable.vocabulary import Importance, Rating, Verdict

HIGH, MEDIUM, LOW = Importance.HIGH, Importance.MEDIUM, Importance.LOW
NAMES = ["noindex", "https", "canonical-self", "a", "b", "c", "d", "e", "f"]
PARENTS = {"f": ("e",), "d": ("https",)}
SOUND = [Row(f"sound-{index}", MEDIUM, Verdict.PASSED) for index in range(10)]


@st.composite
def pages(draw: st.DrawFn) -> tuple[list[Row], dict[str, int]]:
    """Rows with unique ids, and an effort for each."""
    found = [Row(name, draw(st.sampled_from([HIGH, MEDIUM, LOW])), draw(st.sampled_from(list(Verdict)[:4]))) for name in NAMES]
    efforts = {name: draw(st.sampled_from([1, 3, 8])) for name in NAMES}
    return [*found, *SOUND], efforts | {row.id: 1 for row in SOUND}


@pytest.mark.full
@settings(max_examples=300, deadline=None)
@given(pages())
def test_no_cheaper_set_of_fixes_reaches_the_rating(page: tuple[list[Row], dict[str, int]]) -> None:
    rows, efforts = page
    path = cheapest_fixes(rows, efforts, PARENTS)
    score = Score(tuple(rows)).score
    goal = next_threshold(score) if score is not None else None
    faults = [row.id for row in rows if row.verdict in (Verdict.FAILED, Verdict.WARNED)]
    costs = [
        (sum(efforts[name] for name in chosen), len(chosen))
        for size in range(1, len(faults) + 1)
        for chosen in combinations(faults, size)
        if goal is not None and project(rows, chosen, PARENTS, Verdict.PASSED) >= goal
    ]

    assert (path is None) == (not costs)
    if path:
        assert (path.effort, len(path.checks)) == min(costs)


@settings(max_examples=200, deadline=None)
@given(pages(), st.data())
def test_the_projection_holds_when_the_fixes_are_made(page: tuple[list[Row], dict[str, int]], data: st.DataObject) -> None:
    rows, efforts = page
    path = cheapest_fixes(rows, efforts, PARENTS)
    if path is None:
        return
    failed = {row.id for row in rows if row.verdict is Verdict.FAILED}
    after = []
    for row in rows:
        verdict = Verdict.PASSED if row.id in path.checks else row.verdict
        causes = failed.intersection(PARENTS.get(row.id, ()))
        if row.verdict is Verdict.INAPPLICABLE and causes and causes <= set(path.checks):
            verdict = data.draw(st.sampled_from([Verdict.PASSED, Verdict.WARNED, Verdict.FAILED]))
        after.append(Row(row.id, row.importance, verdict))
    score = Score(tuple(after)).score

    assert score is not None
    assert path.score_from <= score <= path.score_to
    assert rating_of(path.score_to) is path.result


def test_a_good_page_has_no_path() -> None:
    assert cheapest_fixes(SOUND, {}, {}) is None


def test_a_gate_is_lifted_first() -> None:
    rows = [*SOUND, Row("noindex", HIGH, Verdict.FAILED), Row("a", LOW, Verdict.WARNED)]
    path = cheapest_fixes(rows, {row.id: 1 for row in rows}, {})

    assert path is not None
    assert path.checks == ("noindex",)
    assert path.result is Rating.GOOD


def test_twenty_faults_are_searched_quickly() -> None:
    rows = [*SOUND, *(Row(f"fault-{index}", MEDIUM, Verdict.WARNED if index % 2 else Verdict.FAILED) for index in range(25))]
    efforts = {row.id: (1, 3, 8)[index % 3] for index, row in enumerate(rows)}

    assert cheapest_fixes(rows, efforts, {}) is not None
