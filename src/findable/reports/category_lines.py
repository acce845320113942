"""Scores of the categories, each with the share that was checked."""

from collections import Counter, defaultdict
from collections.abc import Iterable

from msgspec import Struct

from findable.checks.engine import all_checks
from findable.reports.report import CategoryScore, Report
from findable.reports.scoring import GOOD_FROM, MEASURED, rating_of
from findable.vocabulary import Rating, Verdict

NEUTRAL = "few"
"""Colour of a category whose score is no verdict: its findings cost no points of the score, and it is not good, or too few of its checks
were measured."""
COLOURED_FROM = 0.75
"""Least share of the checks of a category that were measured, for green: the missing ones may be the ones that matter (set by Findable)."""
BAD_FROM = 2
"""Points of the score from which a category of a bad score is red (set by Findable)."""


class CategoryLine(Struct, frozen=True):
    """Score of one category, with the numbers of its passed, checked and applicable checks."""

    id: str
    title: str
    """Title in English, to translate."""
    score: int | None
    """Score of the category; None if less than half of it was measured."""
    colour: str
    """Colour of the bar, by the points of the score that the category costs: ``good``, ``decent``, ``bad`` or ``few``."""
    passed_count: int
    checked_count: int
    """Number of checks with a verdict about the page."""
    checks_count: int
    """Number of checks that apply, or may apply, to the page."""


def category_lines(report: Report, not_asked: Iterable[str]) -> tuple[CategoryLine, ...]:
    """Return the scores of the categories, those without a score last, so that the numbers of all categories add up.

    Categories of which nothing applies are left out. ``not_asked`` contains the ids of checks that did not run.
    """
    missing = Counter(all_checks()[name].category for name in not_asked if name in all_checks())
    costs = _costs(report)
    found = {category.id: category for category in report.categories}
    found |= {one: CategoryScore(one, one.words, None, 0.0, 0, {}) for one in missing if one not in found}
    lines = []
    for category in sorted(found.values(), key=lambda one: one.score is None):
        counts = category.counts
        checked = sum(counts.get(verdict, 0) for verdict in MEASURED)
        checks_count = checked + counts.get(Verdict.UNKNOWN, 0) + missing[category.id]
        if category.score is None and checks_count == checked:
            continue
        lines.append(
            CategoryLine(
                id=category.id,
                title=category.title,
                score=category.score,
                colour=_colour(category.score, costs[category.id], checked / checks_count if checks_count else 0.0),
                passed_count=counts.get(Verdict.PASSED, 0),
                checked_count=checked,
                checks_count=checks_count,
            )
        )
    return tuple(lines)


def _costs(report: Report) -> defaultdict[str, float]:
    """Return the points of the score that each category costs; a finding that limits the score counts as a large loss."""
    limiting = {check for cap in report.explained.caps for check in cap.checks} if report.explained else set[str]()
    costs: defaultdict[str, float] = defaultdict(float)
    for one in report.findings:
        if one.has_problem and one.category:
            costs[one.category] += BAD_FROM if one.id in limiting else one.lost
    return costs


def _colour(score: int | None, cost: float, measured: float) -> str:
    if score is None:
        return NEUTRAL
    rating = rating_of(score)
    if cost:
        return Rating.DECENT.value if rating == Rating.BAD and cost < BAD_FROM else rating.value
    return rating.value if score >= GOOD_FROM and measured >= COLOURED_FROM else NEUTRAL
