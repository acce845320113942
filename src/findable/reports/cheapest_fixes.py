"""The cheapest way to the next rating: the minimum-effort set of fixes, by exact search.

A fix turns a failed or warned row into a passed one. Rows that were inapplicable because that one failed are freed by it: they may
then pass or fail, so the projected score is a range whose upper end reaches the rating.
"""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from findable.reports.scoring import GATES, HALVES, HIGH_FAILURES, Row, Score, next_threshold, rating_of
from findable.vocabulary import Importance, Rating, Verdict

CANDIDATES = 20
"""Number of fixes that are searched exactly: those that lift a cap first, then by points per effort."""


class NextRating(Struct, frozen=True):
    """The cheapest fixes that reach the next rating together, in the order to do them."""

    result: Rating
    checks: tuple[str, ...]
    effort: int
    """Sum of the fixes' efforts (1 a line in the head, 3 a server setting, 8 content or code)."""
    score_from: int
    """Score after the fixes if every freed row fails."""
    score_to: int
    """Score after the fixes if every freed row passes."""


def cheapest_fixes(rows: Sequence[Row], efforts: Mapping[str, int], parents: Mapping[str, Sequence[str]]) -> NextRating | None:
    """The cheapest path, None for a page that is good, not rated, or beyond what the candidates can reach.

    ``efforts`` by check id; ``parents`` maps a check to those it depends on. Ties go to fewer fixes, then to ids in order.
    """
    score = Score(tuple(rows)).score
    if score is None or (goal := next_threshold(score)) is None:
        return None
    chosen = _Search(rows, efforts, parents, goal).run()
    if chosen is None:
        return None
    low, high = (project(rows, chosen, parents, freed) for freed in (Verdict.FAILED, Verdict.PASSED))
    order = {row.id: index for index, row in enumerate(_candidates(rows, efforts, goal))}
    return NextRating(rating_of(high), tuple(sorted(chosen, key=order.__getitem__)), sum(efforts[name] for name in chosen), low, high)


def project(rows: Iterable[Row], fixed: Iterable[str], parents: Mapping[str, Sequence[str]], freed_verdict: Verdict) -> int:
    """Return the score after those fixes, with every freed row given one verdict."""
    rows, fixed = tuple(rows), frozenset(fixed)
    freed = _freed(rows, fixed, parents)

    def after(row: Row) -> Row:
        if row.id in fixed:
            return Row(row.id, row.importance, Verdict.PASSED)
        return Row(row.id, row.importance, freed_verdict) if row.id in freed else row

    return Score(tuple(after(row) for row in rows)).score or 0


def _freed(rows: Sequence[Row], fixed: frozenset[str], parents: Mapping[str, Sequence[str]]) -> frozenset[str]:
    """Return the inapplicable rows whose failed parents are all fixed; dependents of a freed row stay as they are."""
    failed = {row.id for row in rows if row.verdict is Verdict.FAILED}
    held = {
        row.id: failed.intersection(parents.get(row.id, ())) for row in rows if row.verdict is Verdict.INAPPLICABLE and parents.get(row.id)
    }
    return frozenset(name for name, causes in held.items() if causes and causes <= fixed)


def _must_fix(row: Row, goal: int) -> bool:
    """Return whether the row's own cap is below the goal."""
    return row.verdict is Verdict.FAILED and GATES.get(row.id, goal) < goal


def _candidates(rows: Iterable[Row], efforts: Mapping[str, int], goal: int) -> list[Row]:
    def order(row: Row) -> tuple[int, float, str]:
        lifts = _must_fix(row, goal) or (row.verdict is Verdict.FAILED and row.importance is Importance.HIGH)
        return (not lifts, -row.weight * (2 - HALVES[row.verdict]) / efforts[row.id], row.id)

    against = (row for row in rows if row.verdict in (Verdict.FAILED, Verdict.WARNED) and row.weight)
    return sorted(against, key=order)[:CANDIDATES]


class _Search:
    """Branch and bound: take or leave each candidate, pruned by a fractional bound on the cost still needed."""

    _EFFORT_UNIT = 1000  # cost = effort in thousands + number of fixes: ties go to fewer fixes

    def __init__(self, rows: Sequence[Row], efforts: Mapping[str, int], parents: Mapping[str, Sequence[str]], goal: int) -> None:
        self.rows, self.parents, self.goal = rows, parents, goal
        self.candidates = _candidates(rows, efforts, goal)
        self.freed_weights = self._weights_freed()
        self.costs = [efforts[row.id] * self._EFFORT_UNIT + 1 for row in self.candidates]
        self.bounds = [self._gain_at_most(row) for row in self.candidates]
        high = sum(row.verdict is Verdict.FAILED and row.importance is Importance.HIGH for row in rows)
        allowed = max(count for count in range(high + 1) if _high_cap(count) >= goal)
        self.high_to_fix = max(0, high - allowed)
        score = Score(tuple(rows))
        self.need = goal * score.possible - 50 * score.halves
        self.best: tuple[int, tuple[str, ...]] | None = None
        self.by_price = sorted(range(len(self.candidates)), key=lambda i: self.costs[i] / self.bounds[i])

    def run(self) -> frozenset[str] | None:
        self._branch(0, (), 0, 0)
        return None if self.best is None else frozenset(self.best[1])

    def _gain_at_most(self, row: Row) -> int:
        """Return what fixing the row adds to 50 · halves − goal · possible, with its freed rows counted as passed."""
        return 50 * row.weight * (2 - HALVES[row.verdict]) + (100 - self.goal) * self.freed_weights.get(row.id, 0)

    def _weights_freed(self) -> dict[str, int]:
        """Return the weight of the inapplicable rows that depend on each check."""
        found: dict[str, int] = {}
        for row in self.rows:
            if row.verdict is Verdict.INAPPLICABLE:
                for parent in set(self.parents.get(row.id, ())):
                    found[parent] = found.get(parent, 0) + row.weight
        return found

    def _branch(self, index: int, chosen: tuple[str, ...], cost: int, gain: int) -> None:
        if self.best is not None and (cost + self._cost_at_least(index, self.need - gain), tuple(sorted(chosen))) >= self.best:
            return
        if chosen and gain >= self.need and self._reaches(chosen):
            self._keep(cost, chosen)
            return
        if index == len(self.candidates):
            return
        row = self.candidates[index]
        self._branch(index + 1, (*chosen, row.id), cost + self.costs[index], gain + self.bounds[index])
        if not _must_fix(row, self.goal):
            self._branch(index + 1, chosen, cost, gain)

    def _keep(self, cost: int, chosen: tuple[str, ...]) -> None:
        found = (cost, tuple(sorted(chosen)))
        if self.best is None or found < self.best:
            self.best = found

    def _reaches(self, chosen: tuple[str, ...]) -> bool:
        fixed_high = sum(
            row.importance is Importance.HIGH and row.verdict is Verdict.FAILED and row.id in chosen for row in self.candidates
        )
        return fixed_high >= self.high_to_fix and project(self.rows, chosen, self.parents, Verdict.PASSED) >= self.goal

    def _cost_at_least(self, index: int, need: int) -> float:
        """Return the minimum further cost to cover the need, with fractions of a fix allowed."""
        if need <= 0:
            return 0
        cost = 0.0
        for i in self.by_price:
            if i < index:
                continue
            if self.bounds[i] >= need:
                return cost + self.costs[i] * need / self.bounds[i]
            cost += self.costs[i]
            need -= self.bounds[i]
        return float("inf")


def _high_cap(count: int) -> int:
    return 100 if count == 0 else HIGH_FAILURES[min(count, max(HIGH_FAILURES))]
