"""URLs of the list of a crawl's pages with filters."""

from urllib.parse import urlencode

from msgspec import Struct

from findable.capture.status_classes import OK


class PagesLinks(Struct, frozen=True):
    """Builder of URLs of the list of pages with filters."""

    pages: str
    """URL of the list; empty if it is hidden from the viewer."""

    def url(self, **query: str | int) -> str:
        """Return the URL of the list with a filter; empty if the list is hidden from the viewer."""
        return f"{self.pages}{'&' if '?' in self.pages else '?'}{urlencode(query)}" if self.pages else ""

    def link(self, **query: str | int) -> str:
        """Return the URL of the list of HTML pages with status 200 and a filter; the counts of the tables refer to these pages."""
        return self.url(status=OK, type="text/html", **query)
