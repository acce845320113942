"""Rows of a redirect map: expected redirects, compared with those that the crawl found."""

from collections.abc import Collection, Iterator

from msgspec.structs import replace
from sqlalchemy import Connection, select

from findable.crawl.redirect_chains import chain_of
from findable.crawl.redirect_map import MapUrl, RedirectMapRow, redirect_row
from findable.crawl.state import CrawlState
from findable.crawl.url_keys import url_key
from findable.store.crawl_reading import CrawlReading
from findable.store.crawl_schema import ALL_PAGES, INDEXABLE, PAGE, SETTLED, URL
from findable.store.dialect import stream_rows
from findable.store.rows_by_id import rows_in


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
        keys = {url_key(url) for pair in self._expected for url in pair}
        numbers = {row.key: row.id for row in rows_in(self._connection, select(URL.c.key, URL.c.id), URL.c.key, keys)}
        chains = {number: chain_of(number, self._redirects.get) for number in numbers.values()}
        columns = (URL.c.id, URL.c.url, URL.c.refusal, PAGE.c.status, PAGE.c.reason)
        chosen = select(*columns).select_from(URL.outerjoin(PAGE, PAGE.c.id == URL.c.id))
        found = rows_in(self._connection, chosen, URL.c.id, {number for chain, _ in chains.values() for number in chain})
        urls = {row.id: MapUrl(row.url, row.status, row.reason or "", row.refusal) for row in found}
        for url, target in self._expected:
            numbered = urls.get(numbers.get(url_key(target), 0), MapUrl(target, None, "", ""))
            chain, is_loop = chains.get(numbers.get(url_key(url), 0), ((), False))
            yield redirect_row(url, replace(numbered, url=target), [urls[number] for number in chain], is_loop=is_loop)


def pages_outside(connection: Connection, keys: Collection[int]) -> Iterator[str]:
    """Yield the URLs of the indexable pages of a crawl without these keys, the highest link score first."""
    chosen = select(URL.c.key, URL.c.url).select_from(ALL_PAGES).where(*INDEXABLE).order_by(SETTLED.c.link_score.desc(), URL.c.url)
    return (url for key, url in stream_rows(connection, chosen) if key not in keys)
