"""Twenty-four made-up pages in the order of their harm. What each lacks is its name; the others have all that ``good`` has."""

import json
from pathlib import Path

import msgspec
import pytest

from findable.export.report_json import command_report
from findable.reports.analysis import analyse
from findable.vocabulary import Rating
from tests.checks.harness import capture

PAGES = sorted(Path(__file__).with_name("bad_pages").glob("*.html"))
URL = "https://www.example.com/tables/oak"
SCORES = {path.stem: analyse(capture(path.read_bytes(), url=URL)) for path in PAGES}
STEPS = (
    (100, 95, {"good"}),
    (94, 85, {"broken-structured-data", "head-ended-early", "mixed-content"}),
    (84, 78, {"no-description-no-canonical", "no-headings-no-alt", "no-viewport", "nosnippet", "thin"}),
    (77, 70, {"canonical-in-body", "no-crawlable-link", "small-faults", "two-canonicals", "unrendered-title"}),
    (69, 60, {"empty-title", "no-title"}),
    (44, 30, {"few-links-only", "one-word", "untitled-lorem"}),
    (28, 16, {"nothing-at-all"}),
    (15, 15, {"blank", "canonical-home", "noindex", "soft-404"}),
)
"""Highest and lowest score of each step, and its pages."""
COMPACT_BYTES = 20_000
TEXTS = frozenset({"why", "how_to_fix", "source", "question"})


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
    assert SCORES["one-word"].result is Rating.BAD
    assert SCORES["no-title"].result is Rating.DECENT
    assert SCORES["good"].result is Rating.GOOD


@pytest.mark.parametrize("name", sorted(SCORES))
def test_the_parts_of_a_score_add_up_to_it(name: str) -> None:
    report = SCORES[name]
    gains = {one.id: one.gain for one in report.findings if one.has_problem}

    assert 100 + sum(part.points for part in report.score_parts) == report.score
    assert all(gains[part.id] == -part.points for part in report.score_parts)


@pytest.mark.parametrize("name", sorted(SCORES))
def test_the_findings_of_a_bad_page_without_texts_are_short(name: str) -> None:
    report = msgspec.to_builtins(command_report(SCORES[name]))
    short = [
        {name: value for name, value in finding.items() if name not in TEXTS}
        for finding in report["results"]
        if finding["verdict"] in ("failed", "warned")
    ]

    assert len(json.dumps(short, ensure_ascii=False)) <= COMPACT_BYTES
