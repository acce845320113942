"""Colours of the picture of a site: its URLs by clicks from the start page, length of text, change, uploaded numbers, or one finding."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from findable.crawl.page_selection import PageSelection
from findable.reports.site_areas import SiteArea, UrlState, with_states
from findable.store.page_lists import PageLists
from findable.wording import Message, later

SHORT_WORDS = 200
"""Number of words below which the check of the text calls it short."""
LONG_WORDS = 600
"""Number of words from which a text is long (set by Findable)."""


OF_FINDING = "finding-"
"""Beginning of the value of the parameter ``picture`` for a finding; its key follows."""


class Level(Struct, frozen=True):
    """Pages of one colour."""

    state: UrlState
    words: str
    selection: PageSelection = PageSelection()


class Colouring(Struct, frozen=True):
    """Scale of a picture: the first level that a page belongs to gives its colour."""

    name: str
    """Value of the parameter ``picture``."""
    title: str
    levels: tuple[Level, ...]
    rest: str
    """Words for URLs of no level."""

    @property
    def words(self) -> Mapping[UrlState, str]:
        """Words of the levels and of the rest."""
        return {level.state: level.words for level in self.levels} | {UrlState.REST: self.rest}


DEPTH = Colouring(
    "depth",
    later("Clicks"),
    (
        Level(UrlState.LOW, later("at most 2 clicks"), PageSelection(depth="0..2")),
        Level(UrlState.MEDIUM, later("3 clicks"), PageSelection(depth="3")),
        Level(UrlState.HIGH, later("4 clicks"), PageSelection(depth="4")),
        Level(UrlState.HIGHEST, later("5 clicks or more"), PageSelection(depth="5..")),
    ),
    later("no link leads here"),
)
TEXT = Colouring(
    "text",
    later("Length of the text"),
    (
        Level(UrlState.NOTABLE, later("fewer than 200 words"), PageSelection(indexable=1, words=f"..{SHORT_WORDS - 1}")),
        Level(UrlState.LOW, later("200 to 599 words"), PageSelection(indexable=1, words=f"{SHORT_WORDS}..{LONG_WORDS - 1}")),
        Level(UrlState.HIGH, later("600 words or more"), PageSelection(indexable=1, words=f"{LONG_WORDS}..")),
    ),
    later("not indexable"),
)
CHANGE = Colouring(
    "changes",
    later("Changes"),
    (
        Level(UrlState.LOST, later("no longer indexable, or gone")),
        Level(UrlState.INDEXABLE, later("new, or indexable now")),
        Level(UrlState.HIGH, later("otherwise changed")),
    ),
    later("unchanged"),
)


def colourings(finding: tuple[str, str] | None, column: str | None, *, has_changes: bool) -> tuple[Colouring, ...]:
    """Return what the picture of a settled crawl can be coloured by, besides the state for search engines.

    Args:
        finding: key of a finding of the site, and its title; None for none.
        column: column of uploaded numbers; None for none, and for people who may not see them.
        has_changes: whether the crawl was compared with an earlier one.
    """
    found = [DEPTH, TEXT, *([CHANGE] if has_changes else []), *([_by_number(column)] if column else [])]
    return (*found, *([_by_finding(*finding)] if finding else []))


def areas_by_colour(lists: PageLists, areas: Sequence[SiteArea]) -> Mapping[str, tuple[SiteArea, ...]]:
    """Return the areas of a settled crawl by the colourings that depend on the crawl alone, for its report."""
    return {one.name: coloured(lists, areas, one) for one in (DEPTH, TEXT)}


def coloured(lists: PageLists, areas: Sequence[SiteArea], colouring: Colouring) -> tuple[SiteArea, ...]:
    """Return areas with their URLs by level of a colouring."""
    counts: dict[int, dict[UrlState, int]] = {}
    for area, place, count in lists.counts_by_area([level.selection for level in colouring.levels]):
        counts.setdefault(area, {})[colouring.levels[place].state] = count
    return with_states(areas, counts, UrlState.REST)


def _by_number(column: str) -> Colouring:
    """Return the colouring by an uploaded number like the clicks in search results."""
    levels = (
        Level(UrlState.HIGHEST, later("1,000 or more"), PageSelection(data=f"{column}:1000..")),
        Level(UrlState.HIGH, later("100 to 999"), PageSelection(data=f"{column}:100..")),
        Level(UrlState.MEDIUM, later("10 to 99"), PageSelection(data=f"{column}:10..")),
        Level(UrlState.LOW, later("1 to 9"), PageSelection(data=f"{column}:1..")),
    )
    return Colouring(f"data-{column}", Message(later("Uploaded numbers: %(column)s"), column=column), levels, later("none"))


def _by_finding(key: str, title: str) -> Colouring:
    levels = (Level(UrlState.NOTABLE, later("pages with this finding"), PageSelection(finding=key)),)
    return Colouring(f"{OF_FINDING}{key}", title, levels, later("other URLs"))
