"""Rows of a redirect map: expected redirects, compared with those that the crawl found."""

from collections.abc import Iterator

from sqlalchemy import Connection, select

from findable.crawl.redirect_map import RedirectRow, redirect_row
from findable.crawl.settle import chain_of
from findable.crawl.state import CrawlState
from findable.crawl.url_keys import url_key
from findable.store.crawl_reading import CrawlReading
from findable.store.crawl_schema import URL


class RedirectRows(CrawlReading):
    """Reads the found redirects of the URLs in a crawl's redirect map.

    Args:
        connection: connection for reading.
        state: state of the crawl.
    """

    def __init__(self, connection: Connection, state: CrawlState) -> None:
        super().__init__(connection, state)
        self._expected = state.settings.expected

    def each(self) -> Iterator[RedirectRow]:
        """Yield a row for each URL of the redirect map, in its order."""
        for url, target in self._expected:
            number = self._connection.execute(select(URL.c.id).where(URL.c.key == url_key(url))).scalar()
            if number is None:
                yield redirect_row(url, target, url, None)
                continue
            chain, is_loop = chain_of(number, self._redirects.get)
            end = self.url_row(chain[-1])
            status = 0 if is_loop else end.status
            yield redirect_row(url, target, end.url, status, hops_count=len(chain) - 1, reason=end.refusal)
