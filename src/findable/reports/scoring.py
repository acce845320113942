"""Compute score and rating from findings, with every point explained.

``raw = 100 · Σ(weight · value) / Σ weight`` over passed, warned and failed; ``score = floor(min(raw, caps))``. Inapplicable, unknown and
info are in neither sum. Exact integer arithmetic gives the same result everywhere.
"""

from msgspec import Struct

from findable.values import once
from findable.vocabulary import Importance, Rating, Verdict

RULESET = "2026-11"
"""Name of the weights, caps and thresholds below and of the checks' rules; every change of them gets a new name."""

WEIGHTS = {Importance.HIGH: 10, Importance.MEDIUM: 4, Importance.LOW: 1, Importance.INFO: 0}
HALVES = {Verdict.PASSED: 2, Verdict.WARNED: 1, Verdict.FAILED: 0}
"""Value of a verdict in halves of a point."""
GOOD_FROM = 90
DECENT_FROM = 60
PROVISIONAL_BELOW = 0.7
"""Coverage below which the rating is provisional."""

GATES = {
    "http-status": 0,
    "noindex": 49,
    "robots-txt-allows": 49,
    "soft-404": 49,
    "tls-certificate": 49,
    "canonical-self": 79,
    "https": 79,
}
"""Caps of the score by failed check."""
HIGH_FAILURES = {1: 79, 2: 69, 3: 59}
"""Caps by number of failed checks of high importance; three or more count as three."""


class Row(Struct, frozen=True):
    """Scoring input of one finding."""

    id: str
    importance: Importance
    verdict: Verdict

    @property
    def weight(self) -> int:
        """Weight in points."""
        return WEIGHTS[self.importance]


class Cap(Struct, frozen=True):
    """Cap of the score and the checks that cause it."""

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
        """Σ weight of judged rows."""
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
        """Score 0–100 before caps, for display."""
        return 50 * self.halves / self.possible if self.possible else 0.0

    @once
    def caps(self) -> tuple[Cap, ...]:
        """Caps that apply, lowest first."""
        failed = [row for row in self.rows if row.verdict is Verdict.FAILED]
        found = [Cap(GATES[row.id], (row.id,)) for row in failed if row.id in GATES]
        high = tuple(row.id for row in failed if row.importance is Importance.HIGH)
        if high:
            found.append(Cap(HIGH_FAILURES[min(len(high), max(HIGH_FAILURES))], high))
        return tuple(sorted(found, key=lambda cap: (cap.score, cap.checks)))

    @property
    def score(self) -> int | None:
        """Score 0–100, None if nothing was judged."""
        if not self.possible:
            return None
        raw = 50 * self.halves // self.possible
        return min([raw, *(cap.score for cap in self.caps)])

    @property
    def rating(self) -> Rating | None:
        """Rating of the score, None if nothing was judged."""
        return None if self.score is None else rating_of(self.score)

    @property
    def held_down_by(self) -> Cap | None:
        """Cap that lowers the score, None without one."""
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
        """Return the percentage of the raw score that this row is worth, one decimal; 0 if it does not count."""
        return round(100 * row.weight / self.possible, 1) if self.possible and row.verdict in HALVES else 0.0

    def lost(self, row: Row) -> float:
        """Return the percentage of the raw score that this row lost, one decimal."""
        return round(50 * row.weight * (2 - HALVES[row.verdict]) / self.possible, 1) if self.possible and row.verdict in HALVES else 0.0


def rating_of(score: int) -> Rating:
    """Good ≥ 90, decent ≥ 60, else bad."""
    if score >= GOOD_FROM:
        return Rating.GOOD
    return Rating.DECENT if score >= DECENT_FROM else Rating.BAD


def next_threshold(score: int) -> int | None:
    """Return the score of the next better rating, None for a good one."""
    if score >= GOOD_FROM:
        return None
    return GOOD_FROM if score >= DECENT_FROM else DECENT_FROM
