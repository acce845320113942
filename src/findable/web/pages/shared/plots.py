"""Values over time as the dots and lines of a plot: runs of a page, crawls of a site, days of a project."""

from collections.abc import Callable, Container, Iterable, Sequence
from datetime import datetime, tzinfo
from itertools import pairwise

from msgspec import Struct

from findable.reports.charts import height_of, places
from findable.web.pages.shared.local_times import Moment
from findable.wording import Translator

Value = tuple[datetime, int]


class PlotDot(Struct, frozen=True):
    """Value in a plot."""

    x: float
    y: float
    value: int
    when: Moment
    is_labelled: bool
    """Whether the value is written beside the dot."""
    rating: str = ""
    """Rating: ``good``, ``decent`` or ``bad``, part of a class of the stylesheet; empty if no dot of the plot shows one."""


class PlotLevel(Struct, frozen=True):
    """Horizontal line of a plot."""

    y: float
    name: str


def dots_of(
    values: Sequence[Value],
    size: tuple[int, int],
    highest: int,
    say: Translator,
    zone: tzinfo | None,
    labelled: Callable[[Sequence[float]], Container[int]],
) -> tuple[PlotDot, ...]:
    """Return values as dots.

    Args:
        values: times and values, oldest first.
        size: width and height of the plot.
        highest: value at its upper edge.
        say: wording of the reader.
        zone: time zone of the reader.
        labelled: returns the positions of the dots with labels, by the horizontal places of all dots.
    """
    times = [at for at, _ in values]
    across = places(times, size[0])
    with_labels = labelled(across)
    return tuple(
        PlotDot(x, height_of(value, highest, size[1]), value, when, place in with_labels)
        for place, (x, (_, value), when) in enumerate(zip(across, values, days_of(times, say, zone), strict=True))
    )


def days_of(times: Sequence[datetime], say: Translator, zone: tzinfo | None) -> list[Moment]:
    """Return times as days; with the time of day if two are on the same day."""
    write = say.day if len({say.day(at, zone) for at in times}) == len(times) else say.moment
    return [Moment(at.isoformat(timespec="seconds"), write(at, zone)) for at in times]


def polylines(places: Sequence[tuple[float, float]], breaks: Iterable[int]) -> tuple[str, ...]:
    """Return the points of the SVG polylines of a chart; with each of the ``breaks``, positions in order, a further line begins."""
    return tuple(" ".join(f"{x},{y}" for x, y in places[start:end]) for start, end in pairwise((0, *breaks, len(places))))
