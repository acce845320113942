"""Charts as numbers for SVG: bands of a bar by kind, and columns of a histogram. Percentages need no script and no size of the screen."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from findable.reports.scoring import rating_of
from findable.reports.site_areas import UrlState
from findable.vocabulary import Rating

LEAST_PERCENT = 2.0
"""Height of a column for a single page, which can still be seen."""


class Band(Struct, frozen=True):
    """Part of a bar, in the colour of its kind."""

    state: UrlState
    x: float
    """Start in percent of the bar."""
    width: float


class ScoreColumn(Struct, frozen=True):
    """Column of a histogram of scores, one for each score."""

    score: int
    count: int
    height: float
    """Height in percent of the chart."""
    rating: Rating


def bands(counts: Mapping[UrlState, int], whole: int) -> tuple[Band, ...]:
    """Return the bands of a bar in the order of the counts; ``whole`` is the count that fills it."""
    found, start = [], 0
    for state, count in counts.items():
        if count:
            found.append(Band(state, round(100 * start / whole, 2), round(100 * count / whole, 2)))
            start += count
    return tuple(found)


def rating_counts(counts: Sequence[int]) -> Mapping[Rating, int]:
    """Return the numbers of pages by rating, the best first, from the numbers of pages per score."""
    found = dict.fromkeys(Rating, 0)
    for column in score_columns(counts):
        found[column.rating] += column.count
    return found


def score_columns(counts: Sequence[int]) -> tuple[ScoreColumn, ...]:
    """Return the columns of a histogram from the numbers of pages per score, from 0."""
    most = max(counts, default=0) or 1
    return tuple(
        ScoreColumn(score, count, round(max(LEAST_PERCENT, 100 * count / most), 1) if count else 0.0, rating_of(score))
        for score, count in enumerate(counts)
    )
