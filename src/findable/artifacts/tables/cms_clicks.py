"""Menus and fields of content management systems in which faults are fixed.

Names are those of the English interface, compared with the manuals and language files of the makers in November 2026; the source of each is
in the data. What is not certain for current versions is left out.
"""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from findable.artifacts.tables.table_file import read_table
from findable.urls import parse, same_site
from findable.vocabulary import EditPlace


class Clicks(Struct, frozen=True):
    """Way to a field, menu by menu, in the words of the system."""

    path: str
    source: str
    """URL of the manual."""


class ContentSystem(Struct, frozen=True):
    """Content management system with the ways to its fields."""

    name: str
    """Name as in the table of technologies."""
    clicks: Mapping[EditPlace, Clicks]
    own_host: bool = False
    """Whether its files are on the host of the site, so that a URL on another host is no sign of it."""

    def way_to(self, place: EditPlace | None) -> Clicks | None:
        """Return the way to a place; None if it is not known. Headings and links are in the text."""
        return self.clicks.get(EditPlace.TEXT if place in (EditPlace.HEADING, EditPlace.LINKS) else place) if place else None


class _Table(Struct, frozen=True):
    """Contents of data/cms_clicks.json."""

    as_of: str
    systems: tuple[ContentSystem, ...]


_table = read_table("cms_clicks", _Table)
AS_OF = _table.as_of
SYSTEMS: Mapping[str, ContentSystem] = {system.name: system for system in _table.systems}


def system_of(signs: Iterable[tuple[str, str]], url: str) -> str:
    """Return the name of the content management system of a page; empty if none is known, or if there are signs of several.

    ``signs`` are the names of its technologies with their evidence.
    """
    found = {name for name, sign in signs if name in SYSTEMS and not (SYSTEMS[name].own_host and _is_elsewhere(sign, url))}
    return found.pop() if len(found) == 1 else ""


def _is_elsewhere(sign: str, url: str) -> bool:
    """Return whether the evidence is a URL on another site."""
    shown = parse(sign, url) if "/" in sign and " " not in sign else None
    return shown is not None and not same_site(shown.href, url)
