"""Values over time as the dots and lines of a plot: runs of a page, crawls of a site, days of a project, requests of bots."""

from collections.abc import Iterable, Sequence
from datetime import datetime, tzinfo
from itertools import pairwise

from msgspec import Struct, structs

from findable.reports.charts import height_of, places
from findable.reports.scoring import DECENT_FROM, GOOD_FROM, RULESET
from findable.web.pages.shared.local_times import Moment
from findable.wording import Translator

Value = tuple[datetime, int]
Event = tuple[datetime, str]
"""Time of an event, and its words."""
WIDTH, HEIGHT = 320, 100
"""Size of a plot in pixels."""
LABEL_GAP = 18
"""Minimum distance between two labelled dots in pixels."""
LABELLED_DOTS = 8
"""Maximum number of dots that all have a label; if there are more, only the first, the last and the extremes have one."""
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class PlotDot(Struct, frozen=True):
    """Value in a plot."""

    x: float
    y: float
    value: int
    when: Moment
    is_labelled: bool
    """Whether the value is written beside the dot."""


class PlotLevel(Struct, frozen=True):
    """Horizontal line of a plot."""

    y: float
    name: str


class PlotLine(Struct, frozen=True):
    """Data line in a plot."""

    name: str
    kind: str
    """Class of the stylesheet: ``scores``, ``failed`` or ``warned``."""
    parts: tuple[str, ...]
    """Points of SVG polylines, one for each ruleset."""
    dots: tuple[PlotDot, ...]


EventLine = tuple[float, str, str]
"""Event in a plot: place of its vertical line, letter at the line and before its text, and text."""


class Plot(Struct, frozen=True):
    """Values over time, in a box of WIDTH by HEIGHT, ready for the template."""

    title: str
    lines: tuple[PlotLine, ...]
    levels: tuple[PlotLevel, ...]
    words: str
    """Text alternative of the chart."""
    note: str = ""
    """Meaning of the levels; empty for none."""
    markers: tuple[EventLine, ...] = ()
    """Events with a vertical line each."""
    gaps: tuple[tuple[float, float], ...] = ()
    """Places and widths of times without values."""


def plot_of(title: str, lines: tuple[PlotLine, ...], levels: Sequence[int], say: Translator) -> Plot:
    """Return a plot of lines; ``levels`` are the values of its horizontal lines."""

    def written(dot: PlotDot) -> str:
        return f"{say.number(dot.value)} ({dot.when.words})"

    sentences = [
        say("%(name)s from %(first)s to %(last)s", name=line.name, first=written(line.dots[0]), last=written(line.dots[-1]))
        for line in lines
    ]
    marks = tuple(PlotLevel(height_of(level, max(levels), HEIGHT), say.number(level)) for level in levels)
    return Plot(title, lines, marks, f"{title}. {'. '.join(sentences)}.")


def score_plot(values: Sequence[Value], breaks: Sequence[datetime], say: Translator, zone: tzinfo | None) -> Plot | None:
    """Return the plot of scores, oldest first, see `plot_line`; None for fewer than two."""
    if len(values) < 2:  # noqa: PLR2004 - a line has two points
        return None
    line = plot_line(say("Score"), "scores", values, 100, breaks, say, zone)
    note = say("good from %(good)s, decent from %(decent)s in ruleset %(ruleset)s", good=GOOD_FROM, decent=DECENT_FROM, ruleset=RULESET)
    return structs.replace(plot_of(say("Score"), (line,), (100, GOOD_FROM, DECENT_FROM, 0), say), note=note)


def plot_line(
    name: str, kind: str, values: Sequence[Value], highest: int, breaks: Sequence[datetime], say: Translator, zone: tzinfo | None
) -> PlotLine:
    """Return the line of values, oldest first; no line joins two points with one of the ``breaks`` between them."""
    times, numbers = [at for at, _ in values], [value for _, value in values]
    across = places(times, WIDTH)
    labelled = _labelled(numbers, across)
    dots = tuple(
        PlotDot(x, height_of(value, highest, HEIGHT), value, when, place in labelled)
        for place, (x, value, when) in enumerate(zip(across, numbers, days_of(times, say, zone), strict=True))
    )
    changed = [place for place, two in enumerate(pairwise(times), 1) if any(two[0] < at <= two[1] for at in breaks)]
    return PlotLine(name, kind, polylines([(dot.x, dot.y) for dot in dots], changed), dots)


def _labelled(numbers: Sequence[int], places: Sequence[float]) -> set[int]:
    """Return the positions of the dots with a label: the first, the last, and, where there is room, a few or the extremes."""
    extremes = {numbers.index(min(numbers)), numbers.index(max(numbers))}
    last, shown = len(places) - 1, set[int]()
    for index, x in enumerate(places):
        is_wanted = len(numbers) <= LABELLED_DOTS or index in extremes
        has_room = all(abs(x - places[other]) >= LABEL_GAP for other in (*shown, last))
        if index in (0, last) or (is_wanted and has_room):
            shown.add(index)
    return shown


def with_events(plot: Plot, events: Sequence[Event], start: datetime, end: datetime) -> Plot:
    """Return a plot with lines for the events between its first point ``start`` and its last one."""
    whole_s = max(1.0, (end - start).total_seconds())
    lines = (
        (round(WIDTH * (at - start).total_seconds() / whole_s, 1), letter, words)
        for letter, (at, words) in zip(LETTERS, events, strict=False)
        if start <= at <= end
    )
    return structs.replace(plot, markers=tuple(lines))


def days_of(times: Sequence[datetime], say: Translator, zone: tzinfo | None) -> list[Moment]:
    """Return times as days; with the time of day if two are on the same day."""
    write = say.day if len({say.day(at, zone) for at in times}) == len(times) else say.moment
    return [Moment(at.isoformat(timespec="seconds"), write(at, zone)) for at in times]


def polylines(places: Sequence[tuple[float, float]], breaks: Iterable[int]) -> tuple[str, ...]:
    """Return the points of the SVG polylines of a chart; with each of the ``breaks``, positions in order, a further line begins."""
    return tuple(" ".join(f"{x},{y}" for x, y in places[start:end]) for start, end in pairwise((0, *breaks, len(places))))
