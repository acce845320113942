"""Whether a crawl covers less of a site than the last crawl that counted."""

from findable.capture.crawl import CrawlEnd, Narrower
from findable.crawl.comparable_crawls import CrawlBasis
from findable.crawl.settings import Extent

_EXTENTS = (Extent.ORIGIN, Extent.HOST, Extent.DOMAIN)


def narrower(crawl: CrawlBasis, counted: CrawlBasis | None, *, is_list: bool, is_scheduled: bool = False) -> Narrower | None:
    """Return the respect in which a crawl covers less than ``counted``, the last crawl that counted; None if it does not.

    A list, and a crawl that a person stopped, never cover the site. A schedule defines the usual scope, so its crawls count.
    """
    own = crawl.settings
    if is_list:
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
    return crawl.narrower_limit(counted)
