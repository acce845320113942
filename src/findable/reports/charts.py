"""Charts as numbers and words, which pages draw as SVG and the PDF by itself. Percentages need no script and no size of the screen."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import ClassVar, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from findable.checks.engine import find_check
from findable.reports.projection import ScorePart, by_check, largest
from findable.reports.scoring import MAX_SCORE, rating_of
from findable.reports.titles import RATINGS
from findable.vocabulary import Category, Rating
from findable.wording import Translator

MAX_PARTS = 6
"""Maximum number of costs that are drawn one by one."""

LEAST_PERCENT = 2.0
"""Height of a column for a single page, which can still be seen."""


StateT = TypeVar("StateT", bound=str)


class Band(Struct, frozen=True):
    """Part of a bar, in the colour of its kind."""

    state: str
    """Kind: a `UrlState`, a rating, or ``cost``."""
    x: float
    """Start in percent of the bar."""
    width: float


class BarLine(Struct, frozen=True):
    """Row of a table, with a bar for its number."""

    name: str
    href: str
    """URL of the list of its pages; empty if there is none."""
    count: str
    bands: tuple[Band, ...]
    """Parts of the bar."""
    more: tuple[str, ...] = ()
    """Further cells of the row."""


class BarTable(Struct, frozen=True):
    """Table with bars."""

    id: str
    title: str
    heads: tuple[str, ...]
    lines: tuple[BarLine, ...]
    note: str = ""
    legend: tuple[tuple[str, str], ...] = ()
    """Colours with their meaning."""


class PairLine(Struct, frozen=True):
    """Two numbers of one name, each as a bar in percent of the longest on its side; the bars begin at the name."""

    name: str
    left: str
    left_percent: float
    right: str
    right_percent: float
    state: str = "number"
    """Kind of the bar on the right, like that of a `Band`."""
    note: str = ""


class PairTable(Struct, frozen=True):
    """Table with two bars per row."""

    kind: ClassVar[str] = "pair_table"
    id: str
    title: str
    heads: tuple[str, str, str]
    """Heads of the numbers on the left, of the names, and of the numbers on the right."""
    lines: tuple[PairLine, ...]


class ScoreColumn(Struct, frozen=True):
    """Column of a histogram of scores, one for each score."""

    score: int
    count: int
    height: float
    """Height in percent of the chart."""
    rating: Rating


class Zone(Struct, frozen=True):
    """Rating with its pages and its share of the scale."""

    rating: Rating
    words: str
    pages_count: int
    first: int
    """Lowest score."""
    scores_count: int


class Histogram(Struct, frozen=True):
    """Scores of pages: columns, and the zones of the ratings."""

    columns: tuple[ScoreColumn, ...]
    zones: tuple[Zone, ...]
    """Ratings in the order of the scale."""
    words: str


def bands(counts: Mapping[StateT, int], whole: int) -> tuple[Band, ...]:
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


def histogram(counts: Sequence[int], say: Translator) -> Histogram | None:
    """Return the histogram of the numbers of pages per score, from 0 to 100; None if no page is rated."""
    if not any(counts):
        return None
    columns = score_columns(counts)
    zones = []
    for rating, count in reversed(tuple(rating_counts(counts).items())):
        own = [column.score for column in columns if column.rating is rating]
        words = f"{say(RATINGS[rating])}, {own[0]}–{own[-1]}"
        zones.append(Zone(rating, words, count, own[0], len(own)))
    words = ", ".join(f"{zone.words}: {say.number(zone.pages_count)}" for zone in zones)
    return Histogram(columns, tuple(zones), say("Scores of the pages: %(numbers)s", numbers=words))


def score_waterfall(parts: Sequence[ScorePart], score: int, rating: str, say: Translator) -> BarTable | None:
    """Return how a score is made up: 100, what each finding costs from there, and the score; None without costs."""
    costs = by_check(parts)
    if not costs:
        return None
    shown, others = largest(costs, MAX_PARTS)
    lines = [BarLine(say("Without problems and warnings"), "", say.number(MAX_SCORE), (Band("whole", 0, MAX_SCORE),))]
    for part in shown:
        check = find_check(part.id)
        lines.append(_cost(say.text(check.question) if check else part.id, part.left, part.points, say))
    if others:
        name = say.plural("%(count)s more finding", "%(count)s more findings", len(others))
        lines.append(_cost(name, costs[-1].left, sum(part.points for part in others), say))
    lines.append(BarLine(say("Score"), "", say.number(score), (Band(rating, 0, score),)))
    return BarTable("score-parts", say("How the score is made up"), (say("Question"), say("Points")), tuple(lines))


def _cost(name: str, left: int, points: int, say: Translator) -> BarLine:
    """Return a row of the waterfall, whose bar ends where that of the row above begins."""
    return BarLine(name, "", say.signed(points), (Band("cost", left, -points),))


def findings_before_and_now(before: Iterable[Category], now: Iterable[Category], say: Translator) -> PairTable | None:
    """Return the problems and warnings of two results by category, those with most findings first; None without any."""
    counts = Counter(before), Counter(now)
    found = sorted((one for one in Category if counts[0][one] or counts[1][one]), key=lambda one: -max(counts[0][one], counts[1][one]))
    heads = say("Before"), say("Problems and warnings"), say("Now")
    lines = pair_lines([(say.text(one.words), counts[0][one], counts[1][one]) for one in found], say)
    moved = (counts[1][one] - counts[0][one] for one in found)
    coloured = (replace(line, state="cost" if by > 0 else "good" if by else "number") for line, by in zip(lines, moved, strict=True))
    return PairTable("by-kind", say("Findings before and now"), heads, tuple(coloured)) if lines else None


def pair_lines(
    rows: Sequence[tuple[str, int, int]], say: Translator, *, one_scale: bool = True, words: Callable[[int], str] | None = None
) -> tuple[PairLine, ...]:
    """Return rows with two bars.

    Args:
        rows: name, number on the left, number on the right.
        say: wording of the reader.
        one_scale: whether equal numbers of both sides have equal bars.
        words: returns a number on the left in words; None for the number itself.
    """
    left, right = max((row[1] for row in rows), default=0) or 1, max((row[2] for row in rows), default=0) or 1
    if one_scale:
        left = right = max(left, right)
    return tuple(
        PairLine(name, (words or say.number)(number), round(100 * number / left, 1), say.number(other), round(100 * other / right, 1))
        for name, number, other in rows
    )


def places(times: Sequence[datetime], width: int) -> list[float]:
    """Return the horizontal places of times, oldest first, in a plot that they fill."""
    whole_s = max(1.0, (times[-1] - times[0]).total_seconds()) if times else 1.0
    return [round(width * (at - times[0]).total_seconds() / whole_s, 1) for at in times]


def height_of(value: int, highest: int, height: int) -> float:
    """Return the vertical place of a value, from the top, in a plot whose upper edge is ``highest``."""
    return round(height * (1 - value / highest), 1)
