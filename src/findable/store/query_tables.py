"""Tables of a crawl in one SQLite file, for questions in SQL: only the documented columns, and nothing that was sent or stored to crawl."""

import re
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from msgspec import Struct

from findable.clock import monotonic_s
from findable.crawl.page_selection import PageSelection
from findable.crawl.tables import CrawlTable, FindingRow, TableColumn, columns_of
from findable.reports.site_report import SiteFinding
from findable.store.crawl_tables import CrawlTables

CHECKED_EVERY = 1000
"""Number of rows after which the clock is read."""
_WITHOUT = frozenset({CrawlTable.CHANGES, CrawlTable.SITEMAP_XML})
_TYPES = {"integer": "INTEGER", "boolean": "INTEGER", "number": "REAL"}
QUERY_TABLES = {table.value.replace("-", "_"): table for table in CrawlTable if table not in _WITHOUT}
"""Tables by their names in SQL."""


class TooManyRows(Exception):
    """Error for tables that cannot be written within the time limit."""


def query_columns(table: CrawlTable) -> tuple[TableColumn, ...]:
    """Return the columns of a table in SQL: those of its rows without maps, which are tables of their own."""
    return tuple(column for column in columns_of(table.row) if column.type != "map")


def tables_in(sql: str) -> list[str]:
    """Return the names of tables that a statement may read: those that occur in it as words."""
    words = set(re.findall(r"\w+", sql.lower()))
    return [name for name in QUERY_TABLES if name in words]


def write_query_tables(path: Path, tables: CrawlTables, names: Iterable[str], seconds: float) -> None:
    """Write tables to a new SQLite file. Missing texts are NULL, booleans 0 or 1. Raises TooManyRows."""
    ends_s = monotonic_s() + seconds
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = off")
        connection.execute("PRAGMA synchronous = off")
        for name in names:
            columns = query_columns(QUERY_TABLES[name])
            declared = ", ".join(f'"{column.name}" {_TYPES.get(column.type, "TEXT")}' for column in columns)
            connection.execute(f'CREATE TABLE "{name}" ({declared})')
            rows = _rows(tables, QUERY_TABLES[name], [column.name for column in columns], ends_s)
            connection.executemany(f'INSERT INTO "{name}" VALUES ({", ".join("?" * len(columns))})', rows)  # noqa: S608 - names of tables
        connection.commit()


def _rows(tables: CrawlTables, table: CrawlTable, names: Iterable[str], ends_s: float) -> Iterator[tuple[Any, ...]]:
    for at, row in enumerate(tables.rows(table, PageSelection())):
        if at % CHECKED_EVERY == 0 and monotonic_s() > ends_s:
            raise TooManyRows
        shown = shown_row(row)
        yield tuple(_cell(getattr(shown, name)) for name in names)


def shown_row(finding: Struct) -> Struct:
    """Return a row with the columns of its table: a finding has more fields than its row."""
    if not isinstance(finding, SiteFinding):
        return finding
    return FindingRow(
        key=finding.key,
        check_id=finding.id,
        verdict=finding.verdict.value,
        importance=finding.check.importance.value,
        summary=finding.summary(),
        kind=finding.cause.kind.value,
        cause=finding.cause_name(),
        pages_count=finding.pages_count,
        share=finding.share,
    )


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, tuple):
        return " ".join(map(str, value)) or None
    return (str(value) or None) if isinstance(value, str) else value
