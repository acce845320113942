"""Tables of a crawl in one SQLite file, for questions in SQL: only the documented columns, and nothing that was sent or stored to crawl."""

import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from findable.clock import monotonic_s
from findable.crawl.exported_table import Cells, ExportedTable
from findable.crawl.tables import CrawlTable, TableColumn, columns_of

_TYPES = {"integer": "INTEGER", "boolean": "INTEGER", "number": "REAL"}
QUERY_TABLES = {table.value.replace("-", "_"): table for table in CrawlTable if table is not CrawlTable.SITEMAP_XML}
"""Tables by their names in SQL."""
_KEYED = frozenset({"pages", "canonicals", "redirects", "refused", "sitemaps", "orphans"})
"""Tables with one row for each ``n``."""
_INDEXED: Mapping[str, tuple[str, ...]] = {
    "links": ("source", "target, target_status, landmark, nofollow, source"),
    "finding_pages": ("n",),
    "verdicts": ("n",),
    "numbers": ("n",),
    "bot_hits": ("n", "url"),
    "extracted": ("n",),
}
"""Columns of indexes: those by which tables are joined, and those that questions count of all links."""


class TooManyRows(Exception):
    """Error for tables that cannot be written within the time limit."""


def query_columns(table: CrawlTable) -> tuple[TableColumn, ...]:
    """Return the columns of a table in SQL: those of its rows without maps, which are tables of their own."""
    return tuple(column for column in columns_of(table.row) if column.type != "map")


def tables_in(sql: str) -> list[str]:
    """Return the names of tables that a statement may read: those that occur in it as words."""
    words = set(re.findall(r"\w+", sql.lower()))
    return [name for name in QUERY_TABLES if name in words]


def write_query_table(path: Path, table: ExportedTable, name: str, ends_s: float) -> None:
    """Write a table to a new SQLite file. Raises TooManyRows if it is not written by `ends_s`."""
    write_query_rows(path, name, _rows(table, query_columns(QUERY_TABLES[name]), ends_s))


def stack_query_tables(path: Path, name: str, files: Iterable[tuple[int | str, str, Path]], ends_s: float) -> None:
    """Write the rows of one table of several crawls to a new file, with the id of the crawl and its start in the first columns.

    Raises TooManyRows if they are not written by `ends_s`.
    """
    declared = [f'"{column.name}" {_type_of(column)}' for column in query_columns(QUERY_TABLES[name])]
    with closing(_new_file(path, name, ["crawl", "crawled_at TEXT", *declared])) as connection:
        for crawl, started_at, file in files:
            if monotonic_s() > ends_s:
                raise TooManyRows
            connection.execute("ATTACH ? AS one", (str(file),))
            connection.execute(f'INSERT INTO main."{name}" SELECT ?, ?, * FROM one."{name}"', (crawl, started_at))  # noqa: S608 - name of a table
            connection.commit()
            connection.execute("DETACH one")
        _add_indexes(connection, name, "crawl, ")


def write_query_rows(path: Path, name: str, rows: Iterable[Cells]) -> None:
    """Write rows with the columns of a table to a new file."""
    declared = [_declaration(name, column) for column in query_columns(QUERY_TABLES[name])]
    with closing(_new_file(path, name, declared)) as connection:
        connection.executemany(f'INSERT INTO "{name}" VALUES ({", ".join("?" * len(declared))})', rows)  # noqa: S608 - name of a table
        _add_indexes(connection, name)


def _new_file(path: Path, name: str, declared: Sequence[str]) -> sqlite3.Connection:
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = off")
    connection.execute("PRAGMA synchronous = off")
    connection.execute(f'CREATE TABLE "{name}" ({", ".join(declared)})')
    return connection


def _add_indexes(connection: sqlite3.Connection, name: str, before: str = "") -> None:
    for at, indexed in enumerate(_INDEXED.get(name, ())):
        connection.execute(f'CREATE INDEX "{name}_{at}" ON "{name}" ({before}{indexed})')
    connection.commit()


def _declaration(name: str, column: TableColumn) -> str:
    is_key = column.name == "n" and name in _KEYED
    return f'"{column.name}" {_type_of(column)}{" PRIMARY KEY" if is_key else ""}'


def _type_of(column: TableColumn) -> str:
    return _TYPES.get(column.type, "TEXT")


def _rows(table: ExportedTable, columns: Iterable[TableColumn], ends_s: float) -> Iterator[Cells]:
    """Yield the cells of some columns; lists become texts."""
    names = [column.name for column in table.columns]
    places = [(names.index(column.name), column.type == "list of texts") for column in columns]
    for batch in table.batches:
        if monotonic_s() > ends_s:
            raise TooManyRows
        yield from zip(*([" ".join(cell) or None for cell in batch[at]] if lists else batch[at] for at, lists in places), strict=True)
