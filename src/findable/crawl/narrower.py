"""Whether a crawl covers less of a site than the last crawl that counted."""

from msgspec import Struct

from findable.capture.crawl import CrawlEnd, Narrower
from findable.crawl.scope import CrawlSettings, Extent

_EXTENTS = (Extent.ORIGIN, Extent.HOST, Extent.DOMAIN)


class Extents(Struct, frozen=True):
    """Settings and end of a crawl, which determine how much of the site it covers."""

    settings: CrawlSettings
    is_list: bool
    ended_by: CrawlEnd | None


def narrower(crawl: Extents, counted: Extents | None, *, is_scheduled: bool = False) -> Narrower | None:
    """Return the respect in which a crawl covers less than ``counted``, the last crawl that counted; None if it does not.

    A list, and a crawl that a person stopped, never cover the site. A schedule defines the usual scope, so its crawls count.
    """
    own = crawl.settings
    if crawl.is_list:
        return Narrower.LIST
    if crawl.ended_by is CrawlEnd.STOPPED:
        return Narrower.STOPPED
    if counted is None or is_scheduled:
        return None
    usual = counted.settings
    if own.preview_origin and not usual.preview_origin:
        return Narrower.PREVIEW
    if (own.include and set(own.include) != set(usual.include)) or set(own.exclude) - set(usual.exclude):
        return Narrower.PATTERNS
    if own.depth is not None and (usual.depth is None or own.depth < usual.depth):
        return Narrower.DEPTH
    if _EXTENTS.index(own.extent) < _EXTENTS.index(usual.extent) or set(usual.hosts) - set(own.hosts):
        return Narrower.HOSTS
    if crawl.ended_by is CrawlEnd.PAGES and own.pages < usual.pages:
        return Narrower.PAGES
    if crawl.ended_by is CrawlEnd.TIME and own.seconds is not None and (usual.seconds is None or own.seconds < usual.seconds):
        return Narrower.TIME
    return None
