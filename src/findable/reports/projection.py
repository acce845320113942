"""Projected scores: the gain of each fix, and the cheapest fixes that reach the next rating, by exact search.

A fix removes the row of a failed or warned finding. Rows that are inapplicable because of the failure are excluded from the projection:
unmeasured rows neither gain nor lose points.
"""

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from findable.reports.scoring import AT_FAULT, MAX_SCORE, TENTHS, UNFOUND, WHOLE, Costs, Group, Row, Score, next_threshold, rating_of
from findable.vocabulary import Rating

CANDIDATES = 14
"""Maximum number of fixes in the exact search: first those that lift a limit, then those with most points per effort."""


class NextRating(Struct, frozen=True):
    """Cheapest fixes that reach the next rating together, in the order of all fixes."""

    result: Rating
    checks: tuple[str, ...]
    effort: int
    """Sum of the fixes' efforts (1 a line in the head, 3 a server setting, 8 content or code)."""
    score_from: int
    """Score after the fixes."""


class ScorePart(Struct, frozen=True):
    """Part of the difference between 100 and the score."""

    id: str
    """Id of the check."""
    points: int
    """Points that the score loses by it, negative; equal to the gain of its fix after those before it."""
    left: int
    """Sum of 100 and all parts up to this one; the last one is the score."""
    key: str = ""
    """Key of the finding of a site; empty for a page."""


class Projection:
    """Scores after fixes, by the names of rows."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self.rows: Mapping[str, Row] = {row.name: row for row in rows if row.verdict in AT_FAULT}

    @property
    def is_possible(self) -> bool:
        """Whether a score can be projected: the response was the page itself."""
        return all(row.limit > UNFOUND for row in self.rows.values())

    def after(self, fixed: Collection[str]) -> int:
        """Return the score after these fixes."""
        return Costs(row for name, row in self.rows.items() if name not in fixed).score

    def in_order(self, ties: Callable[[str], Any]) -> list[str]:
        """Return the names, the most harmful fault first: by limits, then by the points of the next fix; ``ties`` sorts equal ones.

        The rows of one check are one fault, which is fixed as a whole: two broken links in every footer cost no more than one.
        """
        limiting = sorted((name for name in self.rows if self.rows[name].limit < MAX_SCORE), key=lambda n: (self.rows[n].limit, ties(n)))
        others = Costs(row for row in self.rows.values() if row.limit == MAX_SCORE)
        faults: dict[tuple[Group, str], list[str]] = {}
        for name in sorted(self.rows, key=lambda n: (-self.rows[n].cost * self.rows[n].share, ties(n))):
            if self.rows[name].limit == MAX_SCORE:
                faults.setdefault((self.rows[name].group, self.rows[name].id), []).append(name)
        costs = {fault: Costs(self.rows[name] for name in names).total for fault, names in faults.items()}
        queues = [
            deque(sorted((fault for fault in faults if fault[0] is group), key=lambda one: (-costs[one], ties(faults[one][0]))))
            for group in Group
        ]

        def place(queue: deque[tuple[Group, str]]) -> tuple[int, Any]:
            names = faults[queue[0]]
            return others.total_without([self.rows[name] for name in names]) - others.total, ties(names[0])

        # What a fault costs depends on the others of its group only.
        heads = [(place(queue), number, queue) for number, queue in enumerate(queues) if queue]
        found: list[str] = []
        while heads:
            best = min(heads)
            heads.remove(best)
            _, number, queue = best
            names = faults[queue.popleft()]
            found += names
            for name in names:
                others.remove(self.rows[name])
            if queue:
                heads.append((place(queue), number, queue))
        return [*limiting, *found]

    def gains(self, order: Iterable[str]) -> dict[str, tuple[int, int]]:
        """Return the gain of each fix: after all fixes before it in the order, and alone."""
        costs = Costs(self.rows.values())
        now = costs.score
        return {name: (gain, costs.score_without(self.rows[name]) - now) for name, gain in self.gains_in_order(order)}

    def gains_in_order(self, order: Iterable[str]) -> Iterator[tuple[str, int]]:
        """Yield the gain of each fix after all fixes before it in the order."""
        names = list(order)
        return zip(names, self.gains_of_groups([name] for name in names), strict=True)

    def gains_of_groups(self, groups: Iterable[Iterable[str]]) -> Iterator[int]:
        """Yield the gain of each group of fixes after the groups before it."""
        left = Costs(self.rows.values())
        before = left.score
        for names in groups:
            for name in names:
                left.remove(self.rows[name])
            score = left.score
            yield score - before
            before = score


def gains(rows: Iterable[Row], order: Sequence[str]) -> Mapping[str, tuple[int, int]]:
    """Return the gain of each fix: after all fixes before it in the order, and alone. Empty if no score can be projected."""
    score = Score(tuple(rows))
    projection = Projection(score.rows)
    return projection.gains(order) if projection.is_possible and score.score is not None else {}


def score_parts(gained: Iterable[tuple[str, str, int | None]]) -> tuple[ScorePart, ...]:
    """Return the parts of the difference between 100 and a score from (check, key, gain) of all fixes in order."""
    parts: list[ScorePart] = []
    left = MAX_SCORE
    for check, key, gain in gained:
        if gain:
            left -= gain
            parts.append(ScorePart(check, -gain, left, key))
    return tuple(parts)


def largest(parts: Sequence[ScorePart], most: int) -> tuple[Sequence[ScorePart], Sequence[ScorePart]]:
    """Return the parts to show one by one, and the rest, which is shown as one: ``most`` together."""
    shown = parts if len(parts) <= most else parts[: most - 1]
    return shown, parts[len(shown) :]


def by_check(parts: Sequence[ScorePart]) -> tuple[ScorePart, ...]:
    """Return the parts with those of one check together, at the place of its first one."""
    points: dict[str, int] = {}
    for part in parts:
        points[part.id] = points.get(part.id, 0) + part.points
    keys = {part.id: part.key for part in reversed(parts)}
    return score_parts((check, keys[check], -lost) for check, lost in points.items())


def cheapest_fixes(rows: Sequence[Row], efforts: Mapping[str, int], order: Sequence[str]) -> NextRating | None:
    """Return the cheapest fixes; None for a page that is good or not rated, or if the candidates cannot reach the next rating.

    ``efforts`` by check id; ``order`` contains all problems and warnings. Ties go to fewer fixes, then to ids in alphabetical order.
    """
    projection = Projection(rows)
    score = Score(tuple(rows)).score
    if score is None or not projection.is_possible or (goal := next_threshold(score)) is None:
        return None
    fixes = _Search(efforts, projection, goal).run()
    if fixes is None:
        return None
    after = projection.after(fixes)
    checks = tuple(name for name in order if name in fixes)
    return NextRating(rating_of(after), checks, sum(efforts[name] for name in fixes), after)


class _Search:
    """Branch and bound: take or leave each candidate, pruned by a fractional bound on the cost still needed."""

    _EFFORT_UNIT = 1000  # cost = effort in thousands + number of fixes: ties go to fewer fixes

    def __init__(self, efforts: Mapping[str, int], projection: Projection, goal: int) -> None:
        self.projection, self.goal = projection, goal
        self.forced = frozenset(name for name, row in projection.rows.items() if row.limit < goal)
        bounds = {name: row.cost * row.share for name, row in projection.rows.items()}
        useful = [name for name in projection.rows if bounds[name] or name in self.forced]
        self.candidates = sorted(useful, key=lambda name: (name not in self.forced, -bounds[name] / efforts[name], name))[:CANDIDATES]
        self.costs = [efforts[name] * self._EFFORT_UNIT + 1 for name in self.candidates]
        self.bounds = [bounds[name] for name in self.candidates]
        self.need = Costs(projection.rows.values()).total - (MAX_SCORE - goal) * TENTHS * WHOLE
        self.best: tuple[int, tuple[str, ...]] | None = None
        self.by_price = sorted((i for i, bound in enumerate(self.bounds) if bound), key=lambda i: self.costs[i] / self.bounds[i])

    def run(self) -> frozenset[str] | None:
        self._branch(0, (), 0, 0)
        return None if self.best is None else frozenset(self.best[1])

    def _branch(self, index: int, fixes: tuple[str, ...], cost: int, gain: int) -> None:
        """Search all choices that begin with these fixes, which are those chosen from the candidates before ``index``.

        ``gain`` bounds what the fixes bring from above, in the unit of ``need``: only if it suffices, their real score is computed.
        """
        names = tuple(sorted(fixes))
        if self.best is not None and (cost + self._cost_at_least(index, self.need - gain), names) >= self.best:
            return  # no choice from here on is cheaper
        if fixes and gain >= self.need and self.projection.after(fixes) >= self.goal:
            self.best = (cost, names)  # cheaper than the best one until now, as checked above; further fixes would only cost more
            return
        if index == len(self.candidates) or self.projection.after({*fixes, *self.candidates[index:]}) < self.goal:
            return
        name = self.candidates[index]
        self._branch(index + 1, (*fixes, name), cost + self.costs[index], gain + self.bounds[index])
        if name not in self.forced:
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
