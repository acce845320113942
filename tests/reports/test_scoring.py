"""The scorer, by the worked examples of the documentation and by property."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from findable.reports.scoring import Row, Score, rating_of
from findable.vocabulary import Importance, Rating, Verdict

HIGH, MEDIUM, LOW = Importance.HIGH, Importance.MEDIUM, Importance.LOW
P, W, F = Verdict.PASSED, Verdict.WARNED, Verdict.FAILED


def rows(*groups: tuple[int, Importance, Verdict], **named: tuple[Importance, Verdict]) -> tuple[Row, ...]:
    """So many anonymous rows of each kind, and named ones (underscores for hyphens)."""
    anonymous = [
        Row(f"row-{index}-{number}", importance, verdict)
        for index, (count, importance, verdict) in enumerate(groups)
        for number in range(count)
    ]
    return (*anonymous, *(Row(name.replace("_", "-"), *kind) for name, kind in named.items()))


def shop(*, title: Verdict | None = P) -> tuple[Row, ...]:
    """Worked example 1: 323 points possible, 5 medium and 16 low warnings, one low failure."""
    # 13 other high rows + title-present = 140; 36 + 5 medium = 164; 19 low = 19: together 323.
    base = rows((13, HIGH, P), (35, MEDIUM, P), (5, MEDIUM, W), (2, LOW, P), (16, LOW, W), (1, LOW, F))
    if title is None:
        return base
    return (*base, Row("title-present", HIGH, title), Row("title-quality", MEDIUM, P if title is P else Verdict.INAPPLICABLE))


def test_worked_example_one_is_good_with_94() -> None:
    score = Score(shop())

    assert score.possible == 323
    assert score.points == 304
    assert round(score.raw, 1) == 94.1
    assert (score.score, score.rating) == (94, Rating.GOOD)
    assert score.caps == ()


def test_worked_example_one_without_a_title_is_held_at_79() -> None:
    low = [row for row in shop(title=F) if row.importance is LOW and row.verdict is W][:1]
    page = tuple(Row(row.id, row.importance, Verdict.INAPPLICABLE) if row in low else row for row in shop(title=F))
    page = tuple(Row("title-length" if row.id == low[0].id else row.id, row.importance, row.verdict) for row in page)
    score = Score((*page, Row("keyword-overlap", LOW, Verdict.INAPPLICABLE)))

    assert score.score == 79
    assert score.rating is Rating.DECENT
    assert score.held_down_by is not None
    assert score.held_down_by.checks == ("title-present",)


def test_worked_example_one_with_fails_of_medium_weight_is_decent_with_84() -> None:
    page = rows((14, HIGH, P), (25, MEDIUM, P), (4, MEDIUM, F), (12, MEDIUM, W), (3, LOW, P), (16, LOW, W), (0, LOW, F))
    score = Score(page)

    assert score.possible == 323
    assert score.points == 323 - 16 - 24 - 8
    assert score.rating is Rating.DECENT


def test_worked_example_two_noindex_is_held_at_49() -> None:
    page = rows((13, HIGH, P), (41, MEDIUM, P), (16, LOW, P), (3, LOW, W), noindex=(HIGH, F))
    score = Score(page)

    assert score.possible == 323
    assert score.points == 311.5
    assert round(score.raw, 1) == 96.4
    assert (score.score, score.rating) == (49, Rating.BAD)
    assert score.held_down_by is not None
    assert (score.held_down_by.score, score.held_down_by.checks) == (49, ("noindex",))


def test_worked_example_two_without_the_header_is_good_with_99() -> None:
    score = Score(rows((13, HIGH, P), (41, MEDIUM, P), (16, LOW, P), (3, LOW, W), noindex=(HIGH, P)))

    assert score.points == 321.5
    assert (score.score, score.rating) == (99, Rating.GOOD)


def test_an_error_status_scores_zero() -> None:
    score = Score(rows((4, HIGH, P), (9, MEDIUM, P), http_status=(HIGH, F)))

    assert (score.score, score.rating) == (0, Rating.BAD)


@pytest.mark.parametrize(("count", "cap"), [(1, 79), (2, 69), (3, 59), (5, 59)])
def test_failed_high_rows_cap_the_score(count: int, cap: int) -> None:
    score = Score(rows((count, HIGH, F), (100, HIGH, P)))

    assert score.score == cap


@pytest.mark.parametrize(("score", "rating"), [(100, "good"), (90, "good"), (89, "decent"), (60, "decent"), (59, "bad"), (0, "bad")])
def test_rating(score: int, rating: str) -> None:
    assert rating_of(score).value == rating


def test_nothing_judged_is_no_rating() -> None:
    score = Score(rows((3, HIGH, Verdict.UNKNOWN), (2, LOW, Verdict.INAPPLICABLE)))

    assert score.score is None
    assert score.rating is None
    assert score.coverage == 0


def test_unknown_lowers_coverage_and_marks_the_rating_provisional() -> None:
    score = Score(rows((6, HIGH, P), (4, HIGH, Verdict.UNKNOWN)))

    assert score.coverage == 0.6
    assert score.provisional
    assert score.score == 100


def test_worth_is_a_percentage_of_what_was_possible() -> None:
    page = rows((35, HIGH, P), (1, HIGH, F))
    score = Score(page)

    assert score.worth(page[0]) == 2.8
    assert score.lost(page[-1]) == 2.8
    assert score.lost(page[0]) == 0


row = st.builds(
    Row, st.sampled_from(["noindex", "https", "other", "title-present", "csp"]), st.sampled_from(Importance), st.sampled_from(Verdict)
)


@settings(max_examples=200)
@given(st.lists(row, max_size=30))
def test_the_score_is_bounded_and_never_better_for_a_worse_verdict(page: list[Row]) -> None:
    score = Score(tuple(page)).score

    assert score is None or 0 <= score <= 100
    for index, one in enumerate(page):
        if one.verdict is P:
            worse = Score((*page[:index], Row(one.id, one.importance, F), *page[index + 1 :])).score
            assert worse is None or score is None or worse <= score
