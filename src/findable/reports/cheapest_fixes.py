"""Projected scores: the gain of each fix, and the cheapest fixes that reach the next rating, by exact search.

A fix turns a failed or warned row into a passed one. Rows that are inapplicable because of the failure are excluded from the projection:
unmeasured rows neither gain nor lose points.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec import Struct

from findable.reports.reported_finding import AGAINST
from findable.reports.scoring import CAPPED_TO_NOTHING, HALVES, Row, Score, cap_of, high_cap, is_high_failure, next_threshold, rating_of
from findable.vocabulary import Rating

CANDIDATES = 20
"""Maximum number of fixes in the exact search: first those that lift a cap, then those with most points per effort."""


class NextRating(Struct, frozen=True):
    """Cheapest fixes that reach the next rating together, in the order of all fixes."""

    result: Rating
    checks: tuple[str, ...]
    effort: int
    """Sum of the fixes' efforts (1 a line in the head, 3 a server setting, 8 content or code)."""
    score_from: int
    """Score after the fixes."""
    score_to: int
    """Equal to ``score_from``; kept for clients of releases that returned a range."""


class Projection:
    """Scores of a page after fixes."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._score = Score(tuple(rows))
        against = [row for row in self._score.rows if row.verdict in AGAINST]
        self.weights: Mapping[str, int] = {row.id: row.weight * (2 - HALVES[row.verdict]) for row in against}
        """Gains of the fixes in half points."""
        self.caps: Mapping[str, int] = {row.id: cap for row in against if (cap := cap_of(row)) is not None}
        self.high = frozenset(row.id for row in against if is_high_failure(row))

    @property
    def is_possible(self) -> bool:
        """Whether a score can be projected: the page was checked, and the response was the page itself."""
        return bool(self._score.possible) and all(cap > CAPPED_TO_NOTHING for cap in self.caps.values())

    def after(self, fixed: Collection[str]) -> int:
        """Return the score after these checks are fixed."""
        halves = self._score.halves + sum(self.weights[name] for name in fixed)
        left = [cap for name, cap in self.caps.items() if name not in fixed]
        return min([50 * halves // self._score.possible, high_cap(len(self.high.difference(fixed))), *left])


def gains(rows: Iterable[Row], order: Sequence[str]) -> Mapping[str, tuple[int, int]]:
    """Return the gain of each fix: after all fixes before it in the order, and alone. Empty if no score can be projected."""
    projection = Projection(rows)
    if not projection.is_possible:
        return {}
    now = before = projection.after(())
    found, fixed = {}, set[str]()
    for name in order:
        fixed.add(name)
        score = projection.after(fixed)
        found[name] = (score - before, projection.after((name,)) - now)
        before = score
    return found


def cheapest_fixes(rows: Sequence[Row], efforts: Mapping[str, int], order: Sequence[str]) -> NextRating | None:
    """Return the cheapest fixes; None for a page that is good or not rated, or if the candidates cannot reach the next rating.

    ``efforts`` by check id; ``order`` contains all problems and warnings. Ties go to fewer fixes, then to ids in alphabetical order.
    """
    projection = Projection(rows)
    if not projection.is_possible or (goal := next_threshold(projection.after(()))) is None:
        return None
    fixes = _Search(rows, efforts, projection, goal).run()
    if fixes is None:
        return None
    score = projection.after(fixes)
    checks = tuple(name for name in order if name in fixes)
    return NextRating(rating_of(score), checks, sum(efforts[name] for name in fixes), score, score)


class _Search:
    """Branch and bound: take or leave each candidate, pruned by a fractional bound on the cost still needed."""

    _EFFORT_UNIT = 1000  # cost = effort in thousands + number of fixes: ties go to fewer fixes

    def __init__(self, rows: Sequence[Row], efforts: Mapping[str, int], projection: Projection, goal: int) -> None:
        self.projection, self.goal = projection, goal
        self.forced = frozenset(name for name, cap in projection.caps.items() if cap < goal)
        self.candidates = self._candidates(rows, efforts)
        self.costs = [efforts[row.id] * self._EFFORT_UNIT + 1 for row in self.candidates]
        self.bounds = [50 * projection.weights[row.id] for row in self.candidates]
        score = Score(tuple(rows))
        self.need = goal * score.possible - 50 * score.halves
        self.best: tuple[int, tuple[str, ...]] | None = None
        weighing = (index for index, bound in enumerate(self.bounds) if bound)
        self.by_price = sorted(weighing, key=lambda i: self.costs[i] / self.bounds[i])

    def _candidates(self, rows: Iterable[Row], efforts: Mapping[str, int]) -> list[Row]:
        weights, high = self.projection.weights, self.projection.high

        def order(row: Row) -> tuple[int, float, str]:
            rank = 0 if row.id in self.forced else 1 if row.id in high else 2
            return (rank, -weights[row.id] / efforts[row.id], row.id)

        useful = (row for row in rows if weights.get(row.id) or row.id in self.forced or row.id in high)
        return sorted(useful, key=order)[:CANDIDATES]

    def run(self) -> frozenset[str] | None:
        self._branch(0, (), 0, 0)
        return None if self.best is None else frozenset(self.best[1])

    def _branch(self, index: int, fixes: tuple[str, ...], cost: int, gain: int) -> None:
        if self.best is not None and (cost + self._cost_at_least(index, self.need - gain), tuple(sorted(fixes))) >= self.best:
            return
        if fixes and gain >= self.need and self.projection.after(fixes) >= self.goal:
            found = (cost, tuple(sorted(fixes)))
            self.best = found if self.best is None else min(found, self.best)
            return
        if index == len(self.candidates):
            return
        row = self.candidates[index]
        self._branch(index + 1, (*fixes, row.id), cost + self.costs[index], gain + self.bounds[index])
        if row.id not in self.forced:
            self._branch(index + 1, fixes, cost, gain)

    def _cost_at_least(self, index: int, points: int) -> float:
        """Return the minimum further cost to cover the need, with fractions of a fix allowed."""
        if points <= 0:
            return 0
        cost = 0.0
        for i in self.by_price:
            if i < index:
                continue
            if self.bounds[i] >= points:
                return cost + self.costs[i] * points / self.bounds[i]
            cost += self.costs[i]
            points -= self.bounds[i]
        return float("inf")
