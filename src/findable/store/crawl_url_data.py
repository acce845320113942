"""Uploaded metrics of the pages of a crawl, matched by URL, as columns of the page index."""

from array import array
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from sqlalchemy import Connection, func, select

from findable.crawl.bitmaps import Column, unpack_bits
from findable.crawl.url_keys import url_key
from findable.formats.number_tables import NumberTable
from findable.formats.zstd import zstd
from findable.store.crawl_frontier import rows_in
from findable.store.crawl_schema import FINDING, PAGE, URL

SCALE = 100
"""Metrics are stored in hundredths, plus one, so that 0 means no value."""


class DataColumns(Struct, frozen=True):
    """Uploaded metrics of the pages of one crawl."""

    columns: Mapping[str, Column]
    known: Mapping[str, int]
    """Set of the pages with a value, by column."""
    unknown: tuple[str, ...]
    """Uploaded URLs that are not in the crawl, in the order of the upload."""

    def row(self, number: int) -> dict[str, float]:
        """Return the uploaded metrics of a page by column."""
        found = ((name, column.value_of(number)) for name, column in self.columns.items())
        return {name: (value - 1) / SCALE for name, value in found if value}

    def total(self, name: str, within: int) -> float:
        """Return the sum of a column over a set of pages."""
        pages = within & self.known[name]
        return (self.columns[name].total(pages) - pages.bit_count()) / SCALE


NO_DATA = DataColumns({}, {}, ())


def match_tables(connection: Connection, tables: Iterable[NumberTable], origin: str) -> DataColumns:
    """Match tables with the pages of a crawl; ``origin`` is prepended to paths. If tables share a column, the first table is used."""
    size = (connection.execute(select(func.max(PAGE.c.id))).scalar() or 0) + 1
    arrays: dict[str, array[int]] = {}
    unknown: dict[str, None] = {}
    for table in tables:
        names = {name: place for place, name in enumerate(table.columns) if name not in arrays}
        arrays |= {name: array("I", bytes(4 * size)) for name in names}
        urls = [f"{origin}{at}" if at.startswith("/") else at for at in table.rows]
        numbers = _numbers(connection, urls)
        for url, values in zip(urls, table.rows.values(), strict=True):
            number = numbers.get(url_key(url))
            if number is None:
                unknown.setdefault(url)
                continue
            for name, place in names.items():
                value = values[place]
                if value is not None and number < size:
                    arrays[name][number] = round(value * SCALE) + 1
    columns = {name: Column(Column.pack(values)) for name, values in arrays.items()}
    everything = (1 << size) - 1
    return DataColumns(columns, {name: column.at_least(1, everything) for name, column in columns.items()}, tuple(unknown))


def totals(connection: Connection, data: DataColumns, name: str, keys: Iterable[str]) -> dict[str, float]:
    """Return the sum of a column over the pages of each finding, by the key of the finding."""
    found = {}
    for key in keys:
        pages = connection.execute(select(FINDING.c.pages).where(FINDING.c.key == key)).scalar()
        if pages is not None:
            found[key] = data.total(name, unpack_bits(zstd.decompress(pages)))
    return found


def known_keys(connection: Connection, urls: Iterable[str]) -> set[int]:
    """Return the URL keys of those URLs that are in the crawl."""
    return {row.key for row in rows_in(connection, select(URL.c.key), URL.c.key, map(url_key, urls))}


def _numbers(connection: Connection, urls: Sequence[str]) -> dict[int, int]:
    """Return the ids of the URLs in the crawl by URL key."""
    rows = rows_in(connection, select(URL.c.key, URL.c.id), URL.c.key, (url_key(url) for url in urls))
    return {row.key: row.id for row in rows}
