"""Capture of one page: its roots, together in one file.

A capture is what `findable gather` prints and `findable check` reads (see saved.py). All facts are derived from its roots.
"""

from msgspec import Struct

from findable.capture.crawl import PageInCrawl
from findable.capture.page import PageCapture
from findable.capture.rendering import Rendering
from findable.capture.site import SiteCapture


class Capture(Struct, frozen=True):
    """Raw data of one page: its response, its site, its rendering and its data from a crawl."""

    page: PageCapture
    site: SiteCapture
    rendering: Rendering | None = None
    """Visit with a browser; None if none was used."""
    in_crawl: PageInCrawl | None = None
    """Place in a crawl; None if the page is not part of one."""

    @property
    def roots(self) -> tuple[object, ...]:
        """Roots that the capture contains."""
        return tuple(root for root in (self.page, self.site, self.rendering, self.in_crawl) if root is not None)
