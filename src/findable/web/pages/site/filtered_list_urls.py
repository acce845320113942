"""URLs of the list of a crawl's pages with filters."""

from urllib.parse import urlencode

from findable.capture.status_classes import OK


class PagesLinks:
    """Builder of URLs of the list of pages with filters.

    Args:
        pages: URL of the list of pages; empty if the list is hidden from the viewer.
    """

    def __init__(self, pages: str) -> None:
        self._pages = pages

    def url(self, **query: str | int) -> str:
        """Return the URL of the list with a filter; empty if the list is hidden from the viewer."""
        if not self._pages:
            return ""
        return f"{self._pages}{'&' if '?' in self._pages else '?'}{urlencode(query)}"

    def link(self, **query: str | int) -> str:
        """Return the URL of the list of HTML pages with status 200 and a filter; the counts of the tables refer to these pages."""
        return self.url(status=OK, type="text/html", **query)
