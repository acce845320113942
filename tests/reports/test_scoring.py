"""The scorer, by the worked examples of the documentation and by property."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from findable.reports.scoring import Row, Score, rating_of
from findable.vocabulary import Fault, Importance, Rating, Verdict

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


def test_the_score_is_the_share_of_points_rounded_down() -> None:
    page = rows((6, HIGH, P), (33, MEDIUM, P), (5, MEDIUM, W), (2, LOW, P), (14, LOW, W), (1, LOW, F))
    score = Score(page)

    assert (score.points, score.possible) == (211.0, 229)
    assert (score.score, score.rating) == (92, Rating.GOOD)
    assert score.caps == ()


def test_gates_and_unscored_checks_have_no_points() -> None:
    page = rows((10, MEDIUM, P), noindex=(HIGH, P), http_status=(HIGH, W), csp=(LOW, F), og_basic=(LOW, F))

    assert (Score(page).points, Score(page).possible) == (40.0, 40)
    assert all(Score(page).lost_percent(row) == 0 for row in page)


def test_lab_values_neither_earn_points_nor_cap_the_score() -> None:
    lab = [
        Row(name, importance, Verdict.FAILED)
        for name, importance in (("lcp", Importance.HIGH), ("cls", Importance.MEDIUM), ("tbt", Importance.MEDIUM))
    ]
    page = (Row("h1-present", Importance.HIGH, Verdict.PASSED),)
    assert Score((*page, *lab)).score == Score(page).score == 100


def test_gates_and_unscored_checks_count_in_their_category() -> None:
    page = rows((1, LOW, P), csp=(LOW, F))

    assert Score(page, of_category=True).score == 50


@pytest.mark.parametrize(
    ("check", "cap"),
    [
        ("http-status", 0),
        ("noindex", 49),
        ("robots-txt-allows", 49),
        ("soft-404", 49),
        ("bot-wall", 49),
        ("tls-certificate", 49),
        ("title-present", 59),
        ("canonical-self", 79),
        ("robots-txt-reachable", 79),
        ("https", 79),
    ],
)
def test_a_failed_check_caps_the_score(check: str, cap: int) -> None:
    score = Score((*rows((100, HIGH, P)), Row(check, HIGH, F)))

    assert score.score == cap
    assert score.effective_cap is not None
    assert (score.effective_cap.score, score.effective_cap.checks) == (cap, (check,))


@pytest.mark.parametrize(
    ("check", "fault", "cap"),
    [
        ("content-length", Fault.ALMOST_NO_CONTENT, 69),
        ("title-quality", Fault.PLACEHOLDER_TITLE, 79),
        ("placeholder-text", Fault.PLACEHOLDER_TITLE, 79),
        ("canonical-valid", Fault.SEVERAL_CANONICALS, 79),
        ("canonical-valid", Fault.CANONICAL_IN_BODY, 79),
        ("head-valid", Fault.CANONICAL_IN_BODY, 79),
        ("head-valid", Fault.ROBOTS_IN_BODY, 79),
        ("links-crawlable", Fault.NO_CRAWLABLE_LINK, 79),
        ("robots-meta-valid", Fault.ROBOTS_IN_BODY, 79),
    ],
)
def test_the_reason_of_a_finding_decides_its_cap(check: str, fault: Fault, cap: int) -> None:
    others = rows((100, HIGH, P))

    assert Score((*others, Row(check, MEDIUM, W, fault))).score == cap
    assert Score((*others, Row(check, MEDIUM, P, fault))).score == 100
    assert Score((*others, Row(check, MEDIUM, F))).caps == ()


def test_a_warned_gate_does_not_cap() -> None:
    assert Score((*rows((10, MEDIUM, P)), Row("noindex", HIGH, W))).score == 100


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
    assert score.lost_percent(page[-1]) == 2.8
    assert score.lost_percent(page[0]) == 0


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
