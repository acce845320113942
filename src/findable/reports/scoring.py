"""Findings to score to rating, every point explained.

``raw = 100 · Σ(weight · value) / Σ weight`` over passed, warned and failed; ``score = floor(min(raw, caps))``. Inapplicable,
unknown and info leave both sums. All of it is exact integer arithmetic, so that it is the same everywhere.
"""

from msgspec import Struct

from findable.values import once
from findable.vocabulary import Importance, Rating, Verdict

RULESET = "2026-11"
"""Name of the weights, caps and thresholds below and of the checks' rules; a change of any of them is a new name."""

WEIGHTS = {Importance.HIGH: 10, Importance.MEDIUM: 4, Importance.LOW: 1, Importance.INFO: 0}
HALVES = {Verdict.PASSED: 2, Verdict.WARNED: 1, Verdict.FAILED: 0}
"""Value of a verdict in halves of a point."""
GOOD_FROM = 90
DECENT_FROM = 60
PROVISIONAL_BELOW = 0.7
"""A coverage below this marks the rating as provisional."""

GATES = {
    "http-status": 0,
    "noindex": 49,
    "robots-txt-allows": 49,
    "soft-404": 49,
    "tls-certificate": 49,
    "canonical-self": 79,
    "https": 79,
}
"""A failure of the check caps the score there."""
HIGH_FAILURES = {1: 79, 2: 69, 3: 59}
"""How many failed checks of high importance cap the score where; three or more count as three."""


class Row(Struct, frozen=True):
    """What scoring needs to know of one finding."""

    id: str
    importance: Importance
    verdict: Verdict

    @property
    def weight(self) -> int:
        """Points it is worth."""
        return WEIGHTS[self.importance]


class Cap(Struct, frozen=True):
    """A bound on the score and the checks that hold it there."""

    score: int
    checks: tuple[str, ...]


class Score(Struct, frozen=True, dict=True):
    """The score of a set of rows."""

    rows: tuple[Row, ...]

    @once
    def _sums(self) -> tuple[int, int]:
        possible = halves = 0
        for row in self.rows:
            value = HALVES.get(row.verdict)
            if value is not None:
                weight = WEIGHTS[row.importance]
                possible += weight
                halves += weight * value
        return possible, halves

    @property
    def possible(self) -> int:
        """Σ weight of what was judged."""
        return self._sums[0]

    @property
    def halves(self) -> int:
        """Twice Σ(weight · value)."""
        return self._sums[1]

    @property
    def points(self) -> float:
        """Σ(weight · value); always a multiple of one half."""
        return self.halves / 2

    @property
    def raw(self) -> float:
        """0–100 before caps, for reading."""
        return 50 * self.halves / self.possible if self.possible else 0.0

    @once
    def caps(self) -> tuple[Cap, ...]:
        """The bounds that apply, lowest first."""
        failed = [row for row in self.rows if row.verdict is Verdict.FAILED]
        found = [Cap(GATES[row.id], (row.id,)) for row in failed if row.id in GATES]
        high = tuple(row.id for row in failed if row.importance is Importance.HIGH)
        if high:
            found.append(Cap(HIGH_FAILURES[min(len(high), max(HIGH_FAILURES))], high))
        return tuple(sorted(found, key=lambda cap: (cap.score, cap.checks)))

    @property
    def score(self) -> int | None:
        """0–100, None where nothing was judged."""
        if not self.possible:
            return None
        raw = 50 * self.halves // self.possible
        return min([raw, *(cap.score for cap in self.caps)])

    @property
    def rating(self) -> Rating | None:
        """The word for the score, None where nothing was judged."""
        return None if self.score is None else rating_of(self.score)

    @property
    def held_down_by(self) -> Cap | None:
        """The cap that holds the score below what the points would give, None where none does."""
        if not self.caps or not self.possible:
            return None
        return self.caps[0] if self.caps[0].score < 50 * self.halves // self.possible else None

    @property
    def coverage(self) -> float:
        """Share of the applicable weight that could be measured, 0–1, two decimals down."""
        unknown = sum(row.weight for row in self.rows if row.verdict is Verdict.UNKNOWN)
        total = self.possible + unknown
        return 100 * self.possible // total / 100 if total else 0.0

    @property
    def provisional(self) -> bool:
        """Whether too little was measured to be sure."""
        return self.coverage < PROVISIONAL_BELOW

    def worth(self, row: Row) -> float:
        """Percent of the raw score that this row stands for, one decimal; 0 where it is not in the sum."""
        return round(100 * row.weight / self.possible, 1) if self.possible and row.verdict in HALVES else 0.0

    def lost(self, row: Row) -> float:
        """Percent of the raw score that this row lost, one decimal."""
        return round(50 * row.weight * (2 - HALVES[row.verdict]) / self.possible, 1) if self.possible and row.verdict in HALVES else 0.0


def rating_of(score: int) -> Rating:
    """Good ≥ 90, decent ≥ 60, else bad."""
    if score >= GOOD_FROM:
        return Rating.GOOD
    return Rating.DECENT if score >= DECENT_FROM else Rating.BAD


def next_threshold(score: int) -> int | None:
    """The score where the next better rating begins, None for a good one."""
    if score >= GOOD_FROM:
        return None
    return GOOD_FROM if score >= DECENT_FROM else DECENT_FROM
