"""Rows of a redirect map: expected redirects, compared with those that the crawl found."""

from collections.abc import Iterator

from sqlalchemy import Connection, select

from findable.crawl.redirect_map import RedirectMapRow, redirect_row
from findable.crawl.settle import chain_of
from findable.crawl.state import CrawlState
from findable.crawl.url_keys import url_key
from findable.store.crawl_frontier import rows_in
from findable.store.crawl_reading import CrawlReading
from findable.store.crawl_schema import PAGE, URL


class RedirectRows(CrawlReading):
    """Reads the found redirects of the URLs in a crawl's redirect map.

    Args:
        connection: connection for reading.
        state: state of the crawl.
    """

    def __init__(self, connection: Connection, state: CrawlState) -> None:
        super().__init__(connection, state)
        self._expected = state.settings.expected

    def each(self) -> Iterator[RedirectMapRow]:
        """Yield a row for each URL of the redirect map, in its order."""
        keys = {url_key(url) for url, _ in self._expected}
        numbers = {row.key: row.id for row in rows_in(self._connection, select(URL.c.key, URL.c.id), URL.c.key, keys)}
        chains = {number: chain_of(number, self._redirects.get) for number in numbers.values()}
        columns = (URL.c.id, URL.c.url, URL.c.refusal, PAGE.c.status)
        chosen = select(*columns).select_from(URL.outerjoin(PAGE, PAGE.c.id == URL.c.id))
        ends = {row.id: row for row in rows_in(self._connection, chosen, URL.c.id, {chain[-1] for chain, _ in chains.values()})}
        for url, target in self._expected:
            number = numbers.get(url_key(url))
            if number is None:
                yield redirect_row(url, target, url, None)
                continue
            chain, is_loop = chains[number]
            end = ends[chain[-1]]
            status = 0 if is_loop else end.status
            yield redirect_row(url, target, end.url, status, hops_count=len(chain) - 1, reason=end.refusal)
