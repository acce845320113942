"""Uploaded metrics of the pages of a crawl, matched by URL."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from sqlalchemy import BigInteger, Connection, FromClause, cast, delete, func, insert, select

from findable.crawl.tables import BotHitsRow
from findable.crawl.url_keys import url_key
from findable.formats.number_tables import DAY_COLUMNS, NumberTable, shown_number
from findable.store.crawl_schema import BOT_HITS, FINDING, FINDING_PAGE, PAGE, URL
from findable.store.dialect import number_table
from findable.store.rows_by_id import rows_in
from findable.values import batches_of

AT_ONCE = 5000
SCALE = 100
"""Metrics are compared in hundredths."""


class DataColumns(Struct, frozen=True):
    """Uploaded metrics of the pages of one crawl."""

    columns: Mapping[str, Mapping[int, int]]
    """Uploaded values in hundredths by page id, by column."""
    unknown: tuple[str, ...]
    """Uploaded URLs that are not in the crawl, in the order of the upload."""
    stored: tuple[str, ...] = ()
    """Columns of the table of requests of bots."""
    bot_hits: Callable[[], Iterable[BotHitsRow]] = tuple
    """Returns the requests of bots by URL, whose numbers in the crawl are not known yet."""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all columns."""
        return (*self.stored, *self.columns)

    def is_counted(self, name: str | None) -> bool:
        """Return whether pages without a value have 0 in a column, because everything was counted."""
        return name in self.stored and name not in DAY_COLUMNS

    def numbers(self, dialect: str, name: str) -> FromClause:
        """Return a column as a table with the columns ``id`` and ``value``, in hundredths."""
        if name not in self.stored:
            return number_table(dialect, self.columns[name])
        value = cast(BOT_HITS.c[name], BigInteger) * SCALE
        return select(BOT_HITS.c.id, value.label("value")).where(BOT_HITS.c[name].is_not(None)).subquery()

    def rows(self, connection: Connection, numbers: Sequence[int]) -> dict[int, dict[str, float | str]]:
        """Return the metrics of pages by column."""
        found = rows_in(connection, select(BOT_HITS), BOT_HITS.c.id, numbers if self.stored else ())
        counted = {row.id: row._asdict() for row in found}
        return {number: self._row(number, counted.get(number, {})) for number in numbers}

    def _row(self, number: int, counted: Mapping[Any, Any]) -> dict[str, float | str]:
        found: list[tuple[str, float | None]] = [(name, counted.get(name, 0 if self.is_counted(name) else None)) for name in self.stored]
        found += [(name, values[number] / SCALE) for name, values in self.columns.items() if number in values]
        return {name: shown_number(name, value) for name, value in found if value is not None}


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


def write_bot_hits(connection: Connection, rows: Sequence[tuple[int, int, int, int, int | None, int | None]]) -> None:
    """Store the requests of bots for URLs of the crawl in place of earlier ones."""
    names = [column.name for column in BOT_HITS.c]
    connection.execute(delete(BOT_HITS))
    for some in batches_of(rows, AT_ONCE):
        connection.execute(insert(BOT_HITS).returning(BOT_HITS.c.id), [dict(zip(names, row, strict=True)) for row in some]).all()


def urls_with_canonical(connection: Connection, number: int) -> list[tuple[str, int]]:
    """Return the other pages that declare a URL as canonical and that search bots requested, as URL and number of requests."""
    joined = PAGE.join(URL, URL.c.id == PAGE.c.id).join(BOT_HITS, BOT_HITS.c.id == PAGE.c.id)
    chosen = select(URL.c.url, BOT_HITS.c.bot_hits).select_from(joined)
    chosen = chosen.where(PAGE.c.canonical == number, PAGE.c.id != number, BOT_HITS.c.bot_hits > 0)
    return [(row[0], row[1]) for row in connection.execute(chosen)]


def totals(connection: Connection, data: DataColumns, name: str, keys: Iterable[str]) -> dict[str, float]:
    """Return the sum of a column over the pages of each finding, by the key of the finding."""
    numbers = data.numbers(connection.dialect.name, name)
    joined = FINDING.join(FINDING_PAGE, FINDING_PAGE.c.finding == FINDING.c.id).outerjoin(numbers, numbers.c.id == FINDING_PAGE.c.page)
    summed = select(FINDING.c.key, func.coalesce(func.sum(numbers.c.value), 0).label("total")).select_from(joined).group_by(FINDING.c.key)
    return {row.key: float(row.total) / SCALE for row in rows_in(connection, summed, FINDING.c.key, keys)}


def all_keys(connection: Connection) -> dict[int, int]:
    """Return the ids of all URLs of the crawl by URL key."""
    return {row[0]: row[1] for row in connection.execute(select(URL.c.key, URL.c.id))}


def known_keys(connection: Connection, urls: Iterable[str]) -> set[int]:
    """Return the URL keys of those URLs that are in the crawl."""
    return {row.key for row in rows_in(connection, select(URL.c.key), URL.c.key, map(url_key, urls))}


def numbers_of(connection: Connection, urls: Iterable[str]) -> dict[int, int]:
    """Return the ids of the URLs in the crawl by URL key."""
    rows = rows_in(connection, select(URL.c.key, URL.c.id), URL.c.key, (url_key(url) for url in urls))
    return {row.key: row.id for row in rows}
