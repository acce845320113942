"""Twenty-four made-up pages in the order of their harm. What each lacks is its name; the others have all that ``good`` has."""

from pathlib import Path

import pytest

from findable.reports.analysis import analyse
from findable.vocabulary import Rating
from tests.checks.harness import capture

PAGES = sorted(Path(__file__).with_name("bad_pages").glob("*.html"))
URL = "https://www.example.com/tables/oak"
SCORES = {path.stem: analyse(capture(path.read_bytes(), url=URL)) for path in PAGES}
STEPS = (
    (100, 98, {"good", "small-faults"}),
    (97, 90, {"mixed-content", "no-description-no-canonical", "broken-structured-data", "no-headings-no-alt", "thin"}),
    (
        79,
        79,
        {
            *("canonical-home", "canonical-in-body", "head-ended-early", "two-canonicals"),
            *("no-crawlable-link", "no-viewport", "nosnippet", "unrendered-title", "untitled-lorem"),
        },
    ),
    (69, 69, {"few-links-only", "one-word"}),
    (59, 59, {"empty-title", "no-title", "nothing-at-all"}),
    (49, 49, {"blank", "noindex", "soft-404"}),
)
"""Highest and lowest score of each step, and its pages."""


def test_all_pages_have_a_step() -> None:
    assert set().union(*(names for _, _, names in STEPS)) == set(SCORES)


@pytest.mark.parametrize("name", sorted(SCORES))
def test_harm_decides_the_score(name: str) -> None:
    high, low = next((high, low) for high, low, names in STEPS if name in names)
    score = SCORES[name].score

    assert score is not None
    assert low <= score <= high


def test_a_page_with_everything_wrong_is_bad_and_one_with_everything_right_is_good() -> None:
    assert SCORES["nothing-at-all"].result is Rating.BAD
    assert SCORES["one-word"].result is Rating.DECENT
    assert SCORES["good"].result is Rating.GOOD


def test_more_faults_cost_more_before_the_cap() -> None:
    raw = {name: report.explained.raw for name, report in SCORES.items() if report.explained}

    assert raw["nothing-at-all"] < raw["no-title"] < raw["good"]
    assert raw["canonical-in-body"] < raw["two-canonicals"]
