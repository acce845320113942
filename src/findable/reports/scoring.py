"""Compute score and rating from weighted rows: 100 minus what the faults cost, whatever else passes.

One formula for pages, categories and sites. A row is a fault with its cost in tenths of a point, as the check declares it, and the share of
the pages that it concerns: all of a page, the affected ones of a site. Integer arithmetic gives the same result everywhere.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import lru_cache

from msgspec import Struct

from findable.checks.engine import Check
from findable.values import once
from findable.vocabulary import Importance, Rating, Verdict

RULESET = "2026-12c"
"""Name of the numbers below, and of the costs and rules of the checks; every change of them requires a new name."""

GOOD_FROM = 85
DECENT_FROM = 47
PROVISIONAL_BELOW = 0.7
"""Coverage below which the rating is provisional."""
RATED_FROM = 0.5
"""Coverage from which there is a score: below it, most of what could cost points is not known."""

MEASURED = frozenset({Verdict.PASSED, Verdict.WARNED, Verdict.FAILED})
AT_FAULT = frozenset({Verdict.WARNED, Verdict.FAILED})
MAX_SCORE = 100
TENTHS = 10
WHOLE = 10_000
"""Share of all pages."""
SERIOUS_FROM = 40
"""Cost from which a fault is no small one, in tenths of a point."""
SMALL_FROM, SMALL_TOP = 80, 140
"""Sum of small faults from which each further one costs less, and the limit of all of them together, in tenths of a point."""
FLAT_BELOW, LOWEST = 38, 16
"""Score below which further faults cost less, and the one that they never reach: a page that can be found is above one that cannot."""
LINEAR_PERCENT = 70
"""Part of a cost that is proportional to the share of the pages; the rest is to its square: what is everywhere costs more."""
LIMITED_SHARE = 9_000
"""Share of the pages from which their limit is that of the site."""
COSTS = {
    Importance.HIGH: {Verdict.FAILED: 80, Verdict.WARNED: 40},
    Importance.MEDIUM: {Verdict.FAILED: 20, Verdict.WARNED: 10},
    Importance.LOW: {Verdict.FAILED: 4, Verdict.WARNED: 2},
    Importance.INFO: {Verdict.FAILED: 0, Verdict.WARNED: 0},
}
"""Costs of checks that declare none, in tenths of a point."""
CATEGORY_COSTS = {
    Importance.HIGH: {Verdict.FAILED: 400, Verdict.WARNED: 200},
    Importance.MEDIUM: {Verdict.FAILED: 200, Verdict.WARNED: 100},
    Importance.LOW: {Verdict.FAILED: 80, Verdict.WARNED: 40},
    Importance.INFO: {Verdict.FAILED: 0, Verdict.WARNED: 0},
}
"""Least costs in the score of a category, in tenths of a point."""
MAX_WEIGHT = 200
"""Largest weight of a check in the coverage."""
UNFOUND = 0
"""Limit of a page whose content is not checked, so that no gain can be projected."""


class Group(StrEnum):
    """Groups of costs, which add up in different ways."""

    SERIOUS = "serious"
    SMALL = "small"
    """Costs less with other small faults."""


class Row(Struct, frozen=True):
    """Scoring input of one finding."""

    id: str
    """Id of the check."""
    verdict: Verdict
    cost: int = 0
    """Points that the fault costs alone, in tenths."""
    limit: int = MAX_SCORE
    """Highest score with the fault."""
    group: Group = Group.SMALL
    weight: int = 0
    """Weight of the check in the coverage."""
    share: int = WHOLE
    """Share of the pages, in ten thousandths."""
    key: str = ""
    """Key of the finding, if the check has several; else empty."""

    @property
    def name(self) -> str:
        """Key of the finding, or the id of the check."""
        return self.key or self.id

    @property
    def harm(self) -> float:
        """Points that the fault costs by itself, or keeps from the score by its limit."""
        return float(MAX_SCORE - self.limit) or self.cost / TENTHS


@lru_cache(maxsize=4000)
def row_of(check: Check, verdict: Verdict, fault: str = "", share_percent: int = 100) -> Row:
    """Return the row of a finding of a page, or of a site check on all pages."""
    cost, limit = cost_of(check, verdict, fault), limit_of(check, verdict, fault)
    group = Group.SERIOUS if cost >= SERIOUS_FROM else Group.SMALL
    return Row(check.id, verdict, cost * share_percent // 100, limit, group, weight_of(check))


def category_row_of(check: Check, verdict: Verdict, fault: str = "", share_percent: int = 100) -> Row:
    """Return the row of a finding in the score of its category, in which all checks count."""
    row = row_of(check, verdict, fault, share_percent)
    least = CATEGORY_COSTS[check.importance]
    cost = max(row.cost, least.get(verdict, 0))
    return Row(check.id, verdict, cost, row.limit, Group.SERIOUS, max(least.values()))


def cost_of(check: Check, verdict: Verdict, fault: str = "") -> int:
    """Return the tenths of a point that a finding costs alone, on all elements that it may concern."""
    if verdict not in AT_FAULT or check.importance is Importance.INFO:
        return 0
    if check.costs is None:
        return COSTS[check.importance][verdict]
    return check.costs.get(fault, check.costs.get(verdict, 0))


def limit_of(check: Check, verdict: Verdict, fault: str = "") -> int:
    """Return the highest score with a finding."""
    if verdict not in AT_FAULT or check.importance is Importance.INFO:
        return MAX_SCORE
    return check.limits.get(fault, check.limits.get(verdict, MAX_SCORE))


def place_of(check: Check | None, name: str) -> tuple[int, int, str]:
    """Return the place of a check among equally harmful ones, for sorting; one that does not exist any more comes last."""
    importances = list(Importance)
    return (len(importances), 0, name) if check is None else (importances.index(check.importance), int(check.effort), name)


def worth_of(check: Check) -> float:
    """Return the points that a finding of a check costs at most, by itself."""
    costs = COSTS[check.importance] if check.costs is None else check.costs
    return 0.0 if check.importance is Importance.INFO else max(costs.values(), default=0) / TENTHS


def weight_of(check: Check) -> int:
    """Return the weight of a check in the coverage: the largest cost of its findings, at most MAX_WEIGHT."""
    if check.importance is Importance.INFO:
        return 0
    costs = COSTS[check.importance] if check.costs is None else check.costs
    return min(max(costs.values(), default=0), MAX_WEIGHT)


class Cap(Struct, frozen=True):
    """Limit of the score and the checks that cause it."""

    score: int
    checks: tuple[str, ...]


class _CheckCost:
    """Sum of the rows of one check."""

    def __init__(self, group: Group) -> None:
        self.group = group
        self.mass = 0
        self.share = 0
        self.costs: Counter[int] = Counter()
        self.limits: Counter[int] = Counter()
        self._cost: int | None = 0

    def add(self, row: Row, sign: int) -> None:
        self._cost = None
        self.mass += sign * row.cost * row.share
        self.share += sign * row.share
        self.costs[row.cost] += sign
        if row.limit < MAX_SCORE:
            self.limits[row.limit] += sign * row.share

    @property
    def cost(self) -> int:
        """Cost on all pages, in tenths of a point / WHOLE."""
        if self._cost is None:
            self._cost = self._computed()
        return self._cost

    def _computed(self) -> int:
        share = min(self.share, WHOLE)
        mass = self.mass if self.share <= WHOLE else min(self.mass, WHOLE * max(cost for cost, count in self.costs.items() if count))
        return mass * (LINEAR_PERCENT * WHOLE + (100 - LINEAR_PERCENT) * share) // (100 * WHOLE)

    @property
    def limit(self) -> int:
        """Lowest limit of the pages, also of a small share of them."""
        return min((limit for limit, share in self.limits.items() if share), default=MAX_SCORE)

    @property
    def is_limiting(self) -> bool:
        """Whether the limit is that of the site, and takes the place of the cost."""
        return any(share >= LIMITED_SHARE for share in self.limits.values())


class Costs:
    """Costs of faults together, from which rows can be removed."""

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        self._checks: dict[tuple[str, Group], _CheckCost] = {}
        for row in rows:
            self.add(row)

    def add(self, row: Row) -> None:
        """Count a fault; other rows are ignored."""
        if row.verdict in AT_FAULT:
            self._checks.setdefault((row.id, row.group), _CheckCost(row.group)).add(row, 1)

    def remove(self, row: Row) -> None:
        """Treat a counted fault as fixed."""
        if row.verdict in AT_FAULT:
            self._checks[row.id, row.group].add(row, -1)

    @property
    def total(self) -> int:
        """Points that the faults cost together, before limits, in tenths / WHOLE."""
        return self._total_of(one for one in self._checks.values() if not one.is_limiting)

    @staticmethod
    def _total_of(checks: Iterable[_CheckCost]) -> int:
        sums = Counter[Group]()
        for one in checks:
            sums[one.group] += one.cost
        return sums[Group.SERIOUS] + _saturated(sums[Group.SMALL])

    def total_without(self, rows: Sequence[Row]) -> int:
        """Return the points that the faults cost without some of them."""
        for row in rows:
            self.remove(row)
        total = self.total
        for row in rows:
            self.add(row)
        return total

    def score_without(self, row: Row) -> int:
        """Return the score without one of the faults."""
        self.remove(row)
        score = self.score
        self.add(row)
        return score

    @property
    def left(self) -> int:
        """Points that are left, before limits, in tenths / WHOLE."""
        return _left_after(self.total)

    @property
    def score(self) -> int:
        """Score 0–100."""
        limited = [one for one in self._checks.values() if one.limit < MAX_SCORE]
        score = self.left // (TENTHS * WHOLE)
        if not limited:
            return score
        # Pages that cannot be found cost no more than all of them would.
        partly = [one.limit for one in limited if not one.is_limiting]
        others = _left_after(self._total_of(one for one in self._checks.values() if one.limit == MAX_SCORE)) // (TENTHS * WHOLE)
        return min([max(score, min([others, *partly])), *(one.limit for one in limited if one.is_limiting)])


def _left_after(total: int) -> int:
    left = MAX_SCORE * TENTHS * WHOLE - total
    missing, room = FLAT_BELOW * TENTHS * WHOLE - left, (FLAT_BELOW - LOWEST) * TENTHS * WHOLE
    return left if missing <= 0 else LOWEST * TENTHS * WHOLE + room * room // (room + missing)


def _saturated(small: int) -> int:
    start, room = SMALL_FROM * WHOLE, (SMALL_TOP - SMALL_FROM) * WHOLE
    return small if small <= start else start + (small - start) * room // (small - start + room)


class Score(Struct, frozen=True, dict=True):
    """Score of a set of rows."""

    rows: tuple[Row, ...]

    @once
    def costs(self) -> Costs:
        """Costs of all faults."""
        return Costs(self.rows)

    @property
    def raw(self) -> float:
        """Score 0–100 before limits, one decimal, rounded down."""
        return self.costs.left // WHOLE / TENTHS

    @once
    def caps(self) -> tuple[Cap, ...]:
        """Limits that apply, lowest first."""
        found = (Cap(row.limit, (row.id,)) for row in self.rows if row.limit < MAX_SCORE and row.verdict in AT_FAULT)
        return tuple(sorted(found, key=lambda cap: (cap.score, cap.checks)))

    @property
    def score(self) -> int | None:
        """Score 0–100; None if too little was measured and nothing keeps the page from being found."""
        if self.caps:
            return self.costs.score
        return self.costs.score if any(row.verdict in MEASURED for row in self.rows) and self.coverage >= RATED_FROM else None

    @property
    def rating(self) -> Rating | None:
        """Rating of the score, None without one."""
        return None if self.score is None else rating_of(self.score)

    @property
    def effective_cap(self) -> Cap | None:
        """Limit that lowers the score, None without one."""
        return self.caps[0] if self.caps and self.caps[0].score < self.costs.left // (TENTHS * WHOLE) else None

    @once
    def coverage(self) -> float:
        """Measured share of the weight of the applicable checks, 0–1, rounded down to two decimals."""
        measured = sum(row.weight for row in self.rows if row.verdict in MEASURED)
        total = measured + sum(row.weight for row in self.rows if row.verdict is Verdict.UNKNOWN)
        if total:
            return 100 * measured // total / 100
        return 1.0 if any(row.verdict in MEASURED for row in self.rows) else 0.0

    @property
    def provisional(self) -> bool:
        """Whether too little was measured for a reliable score."""
        return self.coverage < PROVISIONAL_BELOW


def rating_of(score: int) -> Rating:
    """Return the rating of a score."""
    if score >= GOOD_FROM:
        return Rating.GOOD
    return Rating.DECENT if score >= DECENT_FROM else Rating.BAD


def next_threshold(score: int) -> int | None:
    """Return the score of the next better rating, None for a good score."""
    if score >= GOOD_FROM:
        return None
    return GOOD_FROM if score >= DECENT_FROM else DECENT_FROM
