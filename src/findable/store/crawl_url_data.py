"""Uploaded metrics of the pages of a crawl, matched by URL."""

from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct
from sqlalchemy import Connection, func, select

from findable.crawl.tables import BotHitsRow
from findable.crawl.url_keys import url_key
from findable.formats.number_tables import NumberTable, shown_number
from findable.store.crawl_frontier import parts, rows_in
from findable.store.crawl_schema import FINDING, FINDING_PAGE, PAGE, URL
from findable.store.dialect import number_table

SCALE = 100
"""Metrics are compared in hundredths."""


class DataColumns(Struct, frozen=True):
    """Uploaded metrics of the pages of one crawl."""

    columns: Mapping[str, Mapping[int, int]]
    """Values in hundredths by page id, by column."""
    unknown: tuple[str, ...]
    """Uploaded URLs that are not in the crawl, in the order of the upload."""
    counted: frozenset[str] = frozenset()
    """Columns in which pages without a value have 0, because everything was counted."""
    bot_hits: Callable[[], Iterable[BotHitsRow]] = tuple
    """Returns the requests of bots by URL, whose numbers in the crawl are not known yet."""

    def row(self, number: int) -> dict[str, float | str]:
        """Return the uploaded metrics of a page by column."""
        found = ((name, values.get(number, 0 if name in self.counted else None)) for name, values in self.columns.items())
        return {name: shown_number(name, value / SCALE) for name, value in found if value is not None}


NO_DATA = DataColumns({}, ())


def match_tables(connection: Connection, tables: Iterable[NumberTable], origin: str) -> DataColumns:
    """Match tables with the pages of a crawl; ``origin`` is prepended to paths. If tables share a column, the first table is used."""
    columns: dict[str, dict[int, int]] = {}
    unknown: dict[str, None] = {}
    for table in tables:
        names = {name: place for place, name in enumerate(table.columns) if name not in columns}
        columns |= {name: {} for name in names}
        urls = [f"{origin}{at}" if at.startswith("/") else at for at in table.rows]
        numbers = numbers_of(connection, urls)
        for url, values in zip(urls, table.rows.values(), strict=True):
            number = numbers.get(url_key(url))
            if number is None:
                unknown.setdefault(url)
                continue
            columns_of_row = ((name, values[place]) for name, place in names.items())
            for name, value in columns_of_row:
                if value is not None:
                    columns[name][number] = round(value * SCALE)
    return DataColumns(columns, tuple(unknown))


def urls_with_canonical(connection: Connection, number: int, values: Mapping[int, int]) -> list[tuple[str, int]]:
    """Return the other pages that declare a URL as canonical and have a value, as URL and value."""
    chosen = select(PAGE.c.id, URL.c.url).join(URL, URL.c.id == PAGE.c.id).where(PAGE.c.canonical == number, PAGE.c.id != number)
    return [(row.url, values[row.id]) for row in connection.execute(chosen) if row.id in values]


def totals(connection: Connection, data: DataColumns, name: str, keys: Iterable[str]) -> dict[str, float]:
    """Return the sum of a column over the pages of each finding, by the key of the finding."""
    numbers = number_table(connection.dialect.name, data.columns[name])
    joined = FINDING.join(FINDING_PAGE, FINDING_PAGE.c.finding == FINDING.c.id).outerjoin(numbers, numbers.c.id == FINDING_PAGE.c.page)
    summed = select(FINDING.c.key, func.coalesce(func.sum(numbers.c.value), 0).label("total")).select_from(joined).group_by(FINDING.c.key)
    found = (row for part in parts(list(keys)) for row in connection.execute(summed.where(FINDING.c.key.in_(part))))
    return {row.key: float(row.total) / SCALE for row in found}


def known_keys(connection: Connection, urls: Iterable[str]) -> set[int]:
    """Return the URL keys of those URLs that are in the crawl."""
    return {row.key for row in rows_in(connection, select(URL.c.key), URL.c.key, map(url_key, urls))}


def numbers_of(connection: Connection, urls: Iterable[str]) -> dict[int, int]:
    """Return the ids of the URLs in the crawl by URL key."""
    rows = rows_in(connection, select(URL.c.key, URL.c.id), URL.c.key, (url_key(url) for url in urls))
    return {row.key: row.id for row in rows}
