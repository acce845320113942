"""Facts about how search engines reach the pages of a crawled site: start page, click depth, link texts."""

from msgspec import Struct

from findable.capture.crawl import Group, StartPage
from findable.capture.root import crawl_root
from findable.capture.site_graph import LinkSource


class GenericLinks(Struct, frozen=True):
    """Indexable page whose followed links all have generic texts."""

    url: str
    anchor_texts: tuple[str, ...]
    sources: tuple[LinkSource, ...]


class FarSection(Struct, frozen=True):
    """First folder of a site whose pages are many more clicks away from the start page than the other pages."""

    folder: str
    """Folder like ``/guides/``."""
    clicks_median: int
    others_median: int
    """Median of the clicks to the other pages."""
    pages_count: int
    listed_count: int
    """Number of these pages that a sitemap lists."""
    urls: tuple[str, ...]
    """First of these pages."""


@crawl_root
class CrawledReach(Struct, frozen=True):
    """Links by which search engines reach the indexable pages of the site. Lists are cut to LIST_LIMIT."""

    start: StartPage | None = None
    """Start page; None in a crawl of a list, and if it was neither requested nor disallowed for Googlebot."""
    by_clicks: tuple[tuple[int, int], ...] = ()
    """Numbers of indexable pages without later pages of lists: (clicks from the start page, pages)."""
    deep: Group | None = None
    """Indexable pages that count as deep by `site_depth`, without later pages of lists."""
    deep_listed: Group | None = None
    """Deep pages that a sitemap lists."""
    far: tuple[FarSection, ...] = ()
    """Sections much deeper than the rest of the site, the largest first."""
    deepest: tuple[str, ...] = ()
    """URLs of a shortest path to one of the deepest pages, the start page first."""
    generic_links: tuple[GenericLinks, ...] = ()
    generic_links_count: int = 0
    unread_count: int = 0
    """Number of pages whose links are unknown, because scripts build them or they are too large."""
    unread: tuple[str, ...] = ()
    """First of these pages by URL."""
    judged_links_count: int = 0
    """Number of indexable pages with a followed link that has text."""
