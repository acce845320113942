"""Links to places on other pages of a crawled site: fragments and the names that they should find."""

from msgspec import Struct

from findable.capture.root import crawl_root


class MissingPlace(Struct, frozen=True):
    """Place to which links lead, on a page that has no such name."""

    url: str
    """URL of the page, with the fragment."""
    pages_count: int
    """Number of pages with a link to the place."""
    pages: tuple[str, ...]
    """URLs of the first of these pages."""


@crawl_root
class CrawledPlaces(Struct, frozen=True):
    """Links to places on other pages whose names are known. Lists are cut to LIST_LIMIT."""

    links_count: int
    """Number of different pairs of a page and a place on another page."""
    missing: tuple[MissingPlace, ...] = ()
    """Missing places, those with links from the most pages first."""
    missing_count: int = 0
    broken_links_count: int = 0
    """Number of pairs of a page and a missing place."""
    is_cut: bool = False
    """Whether the site has more links to places than were compared."""
