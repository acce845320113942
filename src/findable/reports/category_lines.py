"""Scores of the categories, each with the share that was checked."""

from collections import Counter
from collections.abc import Iterable

from msgspec import Struct

from findable.checks.engine import all_checks
from findable.reports.report import Report
from findable.reports.scoring import rating_of
from findable.vocabulary import Verdict


class CategoryLine(Struct, frozen=True):
    """Score of one category."""

    id: str
    title: str
    """Title in English, to translate."""
    score: int
    rating: str
    """Rating of the score: ``good``, ``decent`` or ``bad``."""
    passed_count: int
    checked_count: int
    """Number of checks with a verdict about the page."""
    checks_count: int
    """Number of checks that apply, or may apply, to the page."""


def category_lines(report: Report, not_asked: Iterable[str]) -> tuple[CategoryLine, ...]:
    """Return the scores of the categories that have a score; ``not_asked`` contains the ids of checks that did not run."""
    missing = Counter(all_checks()[name].category for name in not_asked if name in all_checks())
    lines = []
    for category in report.categories:
        if category.score is None:
            continue
        counts = category.counts
        checked = sum(counts.get(verdict, 0) for verdict in (Verdict.PASSED, Verdict.WARNED, Verdict.FAILED))
        lines.append(
            CategoryLine(
                id=category.id,
                title=category.title,
                score=category.score,
                rating=rating_of(category.score).value,
                passed_count=counts.get(Verdict.PASSED, 0),
                checked_count=checked,
                checks_count=checked + counts.get(Verdict.UNKNOWN, 0) + missing[category.id],
            )
        )
    return tuple(lines)
