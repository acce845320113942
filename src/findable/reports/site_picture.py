"""Picture of a site: a tree map of its folders, whose tiles are coloured by what search engines may do with their URLs."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from findable.artifacts.page.text_width import width_px
from findable.capture.site_graph import Template
from findable.reports.charts import Band, bands
from findable.reports.site_areas import SiteArea, UrlState
from findable.reports.titles import readable_url
from findable.reports.tree_map import Box, tree_map
from findable.wording import Translator

SIZES = (Box(0, 0, 620, 340), Box(0, 0, 330, 200))
"""Sizes in pixels for which the picture is laid out, for wide and narrow screens; the width adapts."""
MIN_URLS = 20
"""Number of URLs below which a list says more than a picture (set by Findable)."""
HEAD_PX = 20
"""Height of the name above the parts of an area."""
GAP_PX = 2
MIN_DIVIDED = Box(0, 0, 96, 72)
"""Size from which an area shows its parts."""
MIN_NAMED = Box(0, 0, 40, 18)
"""Size from which a tile shows its name."""
_SECOND_LINE_PX = 38
FONT_PX, CHAR_PX = 13, 7
"""Size of the measured font, which is narrower than some that screens show in 12 px, and width of characters that it lacks."""
TEXT_PX = 5
"""Space before the text of a tile."""
LEAST_SHARE = 0.015
"""Share of the space with which the smallest areas are drawn, so that they can be read and clicked (set by Findable)."""
LEAST_PX = 5
"""Width of the mark of lost pages, however few they are."""


class Tile(Struct, frozen=True):
    """Rectangle of an area. x and width are percentages of the picture, y and height are pixels."""

    x: float
    y: float
    width: float
    height: float
    href: str
    """URL of the list of its pages; empty if there is none."""
    name: str
    """Short name; empty if there is no room."""
    count: str
    """Number of URLs; empty if there is no room."""
    words: str
    """Whole name with the numbers by state."""
    lost: str
    """Number of pages that are no longer indexable; empty for none."""
    lost_width: float
    """Share of these pages in percent of the tile, at least so much that it can be seen; 0 for none, and for an area with its parts."""
    note: str
    """Words if the area stands out otherwise; empty if it does not, or if there is no room."""
    stands_out: bool
    """Whether the area stands out otherwise."""
    bands: tuple[Band, ...]
    """Colours; empty for an area whose parts are drawn on it."""


class MapLayout(Struct, frozen=True):
    """Tiles for one size of screen; those of areas come before those of their parts."""

    height: int
    tiles: tuple[Tile, ...]


class LegendLine(Struct, frozen=True):
    """State with its number of URLs."""

    state: UrlState
    words: str
    count: str


class AreaRow(Struct, frozen=True):
    """Row of the table with the numbers of the picture."""

    name: str
    href: str
    depth: int
    cells: tuple[str, ...]


class SitePicture(Struct, frozen=True):
    """Tree map with its legend, and the same numbers as a table."""

    layouts: tuple[MapLayout, ...]
    """Layouts of the requested sizes."""
    legend: tuple[LegendLine, ...]
    heads: tuple[str, ...]
    rows: tuple[AreaRow, ...]


def is_drawn(areas: Sequence[SiteArea]) -> bool:
    """Return whether a site is large enough to be divided in a picture."""
    return (len(areas) > 1 or any(area.parts for area in areas)) and sum(area.urls_count for area in areas) >= MIN_URLS


def site_picture(
    areas: Sequence[SiteArea],
    templates: Iterable[Template],
    say: Translator,
    *,
    sizes: Sequence[Box] = SIZES,
    href_of: Callable[[str], str] | None = None,
    lost: Mapping[str, int] = {},
    notes: Mapping[str, str] = {},
    state_words: Mapping[UrlState, str] | None = None,
) -> SitePicture | None:
    """Return the picture of a site; None if it is too small to be divided.

    ``href_of``: returns the URL of the list of a folder's pages; ``lost``: numbers of pages that are no longer indexable by folder;
    ``notes``: words for folders that stand out; ``state_words``: names of states that differ from their own.
    """
    names = {one.number: one.name for one in templates}
    words = {state: say.text((state_words or {}).get(state, state.words)) for state in UrlState}
    drawing = _Drawing(names, lost, notes, href_of, words, say)
    if not is_drawn(areas):
        return None
    totals = {state: sum(area.states.get(state, 0) for area in areas) for state in UrlState}
    shown = [state for state in UrlState if totals[state]]
    return SitePicture(
        layouts=tuple(MapLayout(round(size.height), tuple(drawing.tiles(areas, size, size.width, ""))) for size in sizes),
        legend=tuple(LegendLine(state, words[state], say.number(totals[state])) for state in shown),
        heads=(say("Folder"), say("URLs"), *(words[state] for state in shown), *([say("no longer indexable")] if lost else [])),
        rows=tuple(row for area in areas for row in drawing.rows(area, shown, 0, "")),
    )


class _Drawing:
    def __init__(
        self,
        names: Mapping[int, str],
        lost: Mapping[str, int],
        notes: Mapping[str, str],
        href_of: Callable[[str], str] | None,
        state_words: Mapping[UrlState, str],
        say: Translator,
    ) -> None:
        self._names = names
        self._state_words = state_words
        self._lost = lost
        """Number of pages that are no longer indexable by folder."""
        self._notes = notes
        self._href_of = href_of
        self._say = say

    def tiles(self, areas: Sequence[SiteArea], box: Box, whole_px: float, above: str) -> Iterator[Tile]:
        """Yield the tiles of areas within a box; ``whole_px`` is the width of the picture, ``above`` the folder of the areas."""
        least = LEAST_SHARE * sum(area.urls_count for area in areas)
        for area, place in zip(areas, tree_map([max(least, area.urls_count) for area in areas], box), strict=True):
            lost = self._lost_in(area)
            is_divided = len(area.parts) > 1 and place.width >= MIN_DIVIDED.width and place.height >= MIN_DIVIDED.height
            is_named = place.width >= MIN_NAMED.width and place.height >= MIN_NAMED.height
            name, marks = self._short_name(area, above) if is_named else "", f"{self._lost_words(area)}{self._note(area)}"
            count = self._say.number(area.urls_count) if is_named and (is_divided or place.height >= _SECOND_LINE_PX) else ""
            first, note = name if is_divided else "", self._note(area)
            if marks and not _fits(place, first, count, self._lost_words(area), note):
                count = ""  # what stands out comes before the number
            if note and not _fits(place, first, self._lost_words(area), note):
                note = ""
            yield Tile(
                x=round(100 * place.x / whole_px, 2),
                y=round(place.y, 1),
                width=round(100 * max(0.0, place.width - GAP_PX) / whole_px, 2),
                height=round(max(0.0, place.height - GAP_PX), 1),
                href=self._href(area),
                name=name if _fits(place, name) else "",
                count=count,
                words=self._words(area, count),
                lost=self._lost_words(area),
                lost_width=0 if is_divided or not lost else max(_least(place), round(100 * lost / area.urls_count, 2)),
                note=note,
                stands_out=bool(self._note(area)),
                bands=() if is_divided else bands(area.states, area.urls_count),
            )
            if is_divided:
                inner = Box(
                    place.x + GAP_PX, place.y + HEAD_PX, max(1.0, place.width - 2 * GAP_PX), max(1.0, place.height - HEAD_PX - GAP_PX)
                )
                yield from self.tiles(area.parts, inner, whole_px, area.name)

    def rows(self, area: SiteArea, states: Sequence[UrlState], depth: int, above: str) -> Iterator[AreaRow]:
        """Yield the row of an area, then those of its parts."""
        cells = (area.urls_count, *(area.states.get(state, 0) for state in states))
        name = f"{self._name(area)} ({area.name})" if area.template and above == area.name else self._name(area)
        cells = (*cells, self._lost_in(area)) if self._lost else cells
        yield AreaRow(name, self._href(area), depth, tuple(self._say.number(cell) if cell else "–" for cell in cells))
        for part in area.parts:
            yield from self.rows(part, states, depth + 1, area.name)

    def _lost_in(self, area: SiteArea) -> int:
        return self._lost.get(area.name, 0) if area.template is None else 0

    def _lost_words(self, area: SiteArea) -> str:
        lost = self._lost_in(area)
        return f"−{self._say.number(lost)}" if lost else ""

    def _note(self, area: SiteArea) -> str:
        return self._notes.get(area.name, "") if area.template is None else ""

    def _name(self, area: SiteArea) -> str:
        if area.merged_count:
            return self._say.plural("%(count)s smaller folder", "%(count)s smaller folders", area.merged_count)
        if area.template is not None:
            return self._names.get(area.template) or self._say("pages in %(folder)s", folder=_readable(area.name))
        return _readable(area.name)

    def _short_name(self, area: SiteArea, above: str) -> str:
        """Return the name without the folder that stands above."""
        name = self._name(area)
        return name.removeprefix(above) or name if above.startswith("/") else name

    def _words(self, area: SiteArea, count: str) -> str:
        """Return the label of a tile, which begins with what the tile shows."""
        numbers = ", ".join(f"{self._say.number(pages_count)} {self._state_words[state]}" for state, pages_count in area.states.items())
        if lost := self._lost_in(area):
            numbers = f"{numbers}; {self._say.number(lost)} {self._say('no longer indexable')}"
        marks = self._lost_words(area), self._note(area)
        shown = (count if any(marks) or len(area.states) > 1 else "", *marks)
        return f"{' '.join((self._name(area), *filter(None, shown)))}: {numbers}"

    def _href(self, area: SiteArea) -> str:
        return self._href_of(area.name) if self._href_of and area.template is None and area.name.startswith("/") else ""


def _fits(place: Box, *texts: str) -> bool:
    """Return whether texts have room beside each other in a tile."""
    text = "  ".join(filter(None, texts))
    return (width_px(text, FONT_PX) or CHAR_PX * len(text)) <= place.width - GAP_PX - TEXT_PX


def _least(place: Box) -> float:
    """Return the percentage of a tile that can be seen."""
    return min(100.0, round(100 * LEAST_PX / max(place.width, LEAST_PX), 2))


def _readable(name: str) -> str:
    """Return the path of a folder as it is, and a host in readable form."""
    return name if name.startswith("/") else readable_url(f"{name}/").rstrip("/")
