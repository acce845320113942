"""Run one question, a read-only SQL statement, on files with the tables of a crawl. `findable.sandbox` calls it in a separate process.

The files contain only the documented tables. SQLite opens them read-only, and its authorizer allows reading these tables and a list of
functions, nothing else.
"""

import json
import sqlite3
import time
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

HEAP_BYTES = 192 * 1024**2
"""Memory that SQLite may use."""
STEPS = 1000
"""Steps of SQLite between two looks at the clock."""
MAX_TABLES = 10
"""Number of files that SQLite opens at once."""
MAX_VALUE_BYTES = 1_000_000
MAX_SQL_BYTES = 20_000
MAX_DEPTH = 100
MAX_COMPOUND = 20
MAX_PATTERN_BYTES = 1000
FUNCTIONS = frozenset(
    (
        *("abs", "avg", "ceil", "ceiling", "char", "coalesce", "count", "cume_dist", "date", "datetime", "dense_rank", "first_value"),
        *("floor", "glob", "group_concat", "ifnull", "iif", "instr", "julianday", "lag", "last_value", "lead", "length", "like"),
        *("lower", "ltrim", "max", "min", "nth_value", "ntile", "nullif", "percent_rank", "rank", "replace", "round", "row_number"),
        *("rtrim", "sign", "strftime", "substr", "substring", "sum", "time", "total", "trim", "typeof", "unicode", "upper"),
    )
)
"""Functions that a question may call; none creates long values or reads files."""
_LIMITS = (
    (sqlite3.SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES),
    (sqlite3.SQLITE_LIMIT_SQL_LENGTH, MAX_SQL_BYTES),
    (sqlite3.SQLITE_LIMIT_ATTACHED, 0),
    (sqlite3.SQLITE_LIMIT_EXPR_DEPTH, MAX_DEPTH),
    (sqlite3.SQLITE_LIMIT_COMPOUND_SELECT, MAX_COMPOUND),
    (sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, MAX_PATTERN_BYTES),
    (sqlite3.SQLITE_LIMIT_WORKER_THREADS, 0),
)
Cell = str | int | float | None


class Statement(Struct, frozen=True):
    """Statement to run on files of tables, and its limits."""

    sql: str
    params: dict[str, Cell]
    tables: dict[str, str]
    """Files of the tables that may be read, by name; at most MAX_TABLES."""
    seconds: float
    rows: int
    """Maximum number of rows of the answer."""
    answer_bytes: int
    """Maximum size of the answer's texts."""


class Answer(Struct, frozen=True):
    """Rows of a question."""

    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Cell, ...], ...] = ()
    is_cut: bool = False
    """Whether there are more rows than a limit allows."""
    failure: str = ""
    """Reason why there are no rows: time, memory, forbidden or sql."""
    detail: str = ""
    """Message of SQLite."""


def answer(request: bytes) -> bytes:
    """Return the `Answer` to a `Statement`, both as JSON."""
    question = msgspec.json.decode(request, type=Statement)
    connection = sqlite3.connect(":memory:", uri=True)
    for name, path in question.tables.items():
        connection.execute(f'ATTACH ? AS "file_{name}"', (f"{Path(path).as_uri()}?mode=ro&immutable=1",))
    ends_s = time.monotonic() + question.seconds
    for pragma in ("query_only = on", "trusted_schema = off", "temp_store = memory", f"hard_heap_limit = {HEAP_BYTES}"):
        connection.execute(f"PRAGMA {pragma}")
    for limit, bound in _LIMITS:
        connection.setlimit(limit, bound)
    connection.set_authorizer(_Authorizer(frozenset(question.tables)))
    connection.set_progress_handler(lambda: time.monotonic() > ends_s, STEPS)
    try:
        found = _read(connection.execute(question.sql, question.params), question)
    except MemoryError:
        found = Answer(failure="memory")
    except (sqlite3.Error, sqlite3.Warning, OverflowError, ValueError) as error:
        found = Answer(failure="time" if time.monotonic() > ends_s else _failure_of(error), detail=str(error))
    return msgspec.json.encode(found)


class _Authorizer:
    """Authorizer of SQLite. A table is denied by its own name: the name of the view through which it is read can be forged."""

    def __init__(self, tables: frozenset[str]) -> None:
        self._tables = tables

    def __call__(self, action: int, first: str | None, second: str | None, database: str | None, _view: str | None) -> int:
        if action in (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_RECURSIVE):
            return sqlite3.SQLITE_OK
        if action == sqlite3.SQLITE_READ and (database is None or first in self._tables):
            return sqlite3.SQLITE_OK  # without a database, the name of a subquery, whose own tables are authorized one by one
        if action == sqlite3.SQLITE_FUNCTION and (second or "").lower() in FUNCTIONS:
            return sqlite3.SQLITE_OK
        return sqlite3.SQLITE_DENY


def _read(cursor: sqlite3.Cursor, question: Statement) -> Answer:
    columns = tuple(column[0] for column in cursor.description or ())
    rows: list[tuple[Any, ...]] = []
    size = 0
    for row in cursor:
        values = tuple(value.hex() if isinstance(value, bytes) else value for value in row)
        size += sum(len(json.dumps(value)) + 1 for value in values)
        if len(rows) == question.rows or size > question.answer_bytes:
            return Answer(columns, tuple(rows), is_cut=True)
        rows.append(values)
    return Answer(columns, tuple(rows))


def _failure_of(error: Exception) -> str:
    text = str(error)
    if isinstance(error, sqlite3.DatabaseError) and ("not authorized" in text or "prohibited" in text):
        return "forbidden"
    return "memory" if "out of memory" in text or "too big" in text else "sql"
