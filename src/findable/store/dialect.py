"""SQL for which SQLite and PostgreSQL need different statements."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec
from sqlalchemy import (
    JSON,
    BigInteger,
    ColumnElement,
    Connection,
    Dialect,
    FromClause,
    Insert,
    Integer,
    LargeBinary,
    MetaData,
    Select,
    String,
    Table,
    Update,
    cast,
    create_mock_engine,
    func,
    literal,
    select,
)
from sqlalchemy.dialects import sqlite
from sqlalchemy.dialects.sqlite.base import SQLiteCompiler
from sqlalchemy.schema import ExecutableDDLElement

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql


class HintCompiler(SQLiteCompiler):
    """Compiler that writes the text of `Select.with_hint` (INDEXED BY), which SQLAlchemy omits for SQLite."""

    def get_from_hint_text(self, table: FromClause, text: str | None) -> str | None:
        """Return the text to write after the table name."""
        return text


def like_pattern(text: str) -> str:
    r"""Return the LIKE pattern ``%text%``, with ``%``, ``_`` and ``\`` in the text escaped."""
    escaped = text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"%{escaped}%"


def contains(dialect: str, column: ColumnElement[str], pattern: ColumnElement[str]) -> ColumnElement[bool]:
    """Return a case-insensitive substring test. LIKE of SQLite ignores the case of ASCII, and URLs are ASCII."""
    return column.like(pattern, escape="\\") if dialect == "sqlite" else column.ilike(pattern, escape="\\")


def place_in(dialect: str, text: ColumnElement[str], part: str) -> ColumnElement[int]:
    """Return the position of the first occurrence of a part in a text, from 1; 0 for none."""
    return func.instr(text, part) if dialect == "sqlite" else func.strpos(text, part)


def place_of_byte(dialect: str, column: ColumnElement[bytes], byte: bytes) -> ColumnElement[int]:
    """Return the position of the first occurrence of a byte, from 1; 0 for none."""
    return func.instr(column, byte) if dialect == "sqlite" else func.position(literal(byte, LargeBinary).op("IN")(column))


def number_table(dialect: str, numbers: Mapping[int, int]) -> FromClause:
    """Return numbers by id as a table with the columns ``id`` and ``value``, which is one parameter of the statement."""
    text = literal(msgspec.json.encode(numbers).decode(), String)
    each = func.json_each(text) if dialect == "sqlite" else func.json_each_text(cast(text, JSON()))
    rows = each.table_valued("key", "value")
    return select(cast(rows.c.key, Integer).label("id"), cast(rows.c.value, BigInteger).label("value")).subquery()


def numbers_in(dialect: str, numbers: Iterable[int]) -> Select[Any]:
    """Return numbers as a subquery for IN, which is one parameter of the statement, however many there are."""
    return listed_numbers(dialect, literal(listed(numbers), String))


def listed(numbers: Iterable[int]) -> str:
    """Return numbers as the text that `listed_numbers` reads."""
    return msgspec.json.encode(list(numbers)).decode()


def listed_numbers(dialect: str, text: ColumnElement[str]) -> Select[Any]:
    """Return the numbers in a parameter as a subquery for IN, for statements that are run with many lists."""
    each = func.json_each(text) if dialect == "sqlite" else func.json_array_elements_text(cast(text, JSON()))
    return select(cast(each.table_valued("value").c.value, BigInteger))


def insert(dialect: str, table: Table) -> "sqlite.Insert | postgresql.Insert":
    """Return an INSERT that supports ON CONFLICT."""
    if dialect == "sqlite":
        return sqlite.insert(table)
    from sqlalchemy.dialects import postgresql  # takes a tenth of the start of a crawl, which has SQLite

    return postgresql.insert(table)


def insert_missing(connection: Connection, table: Table, rows: Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> None:
    """Insert a row, or some, unless the table has one with the same key."""
    connection.execute(insert(connection.dialect.name, table).on_conflict_do_nothing(), rows)


def create_tables(connection: Connection, metadata: MetaData) -> None:
    """Create all tables and indexes of the metadata, none of which exists yet, by statements that are compiled once per process."""
    for statement in table_statements(metadata, f"{connection.dialect.name}+{connection.dialect.driver}"):
        connection.exec_driver_sql(statement)


@lru_cache
def table_statements(metadata: MetaData, dialect: str) -> tuple[str, ...]:
    """Return the statements that create all tables and indexes of the metadata; ``dialect`` is like ``sqlite+pysqlite``."""
    statements: list[str] = []

    def add(statement: ExecutableDDLElement, *_: object, **__: object) -> None:
        statements.append(str(statement.compile(dialect=engine.dialect)))

    engine = create_mock_engine(f"{dialect}://", add)
    metadata.create_all(engine, checkfirst=False)
    return tuple(statements)


def read_rows(connection: Connection, statement: Select[Any], values: Mapping[str, Any]) -> Sequence[Any]:
    """Run a fixed select of columns whose types need no conversion. SQLite's driver takes a third of the time of SQLAlchemy."""
    if connection.dialect.name != "sqlite":
        return connection.execute(statement, values).all()
    text, names, constants = _compile(statement, connection.dialect)
    known = {**constants, **values}
    cursor = connection.connection.cursor()
    cursor.execute(text, [known[name] for name in names])
    return cursor.fetchall()


def stream_rows(connection: Connection, statement: Select[Any]) -> Iterator[Any]:
    """Yield the rows of a select of many rows, whose types need no conversion, as `read_rows` does."""
    if connection.dialect.name != "sqlite":
        return iter(connection.execute(statement.execution_options(yield_per=STREAMED_AT_ONCE)))
    found = statement.compile(dialect=connection.dialect, compile_kwargs={"render_postcompile": True})
    return iter(connection.connection.cursor().execute(found.string, [found.params[name] for name in found.positiontup or ()]))


STREAMED_AT_ONCE = 5000


def write_rows(connection: Connection, statement: Insert | Update, names: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> None:
    """Run a fixed statement for each of many rows, whose types need no conversion, as `read_rows` does.

    ``names``: names of the values of a row, in the order of the statement.
    """
    if connection.dialect.name != "sqlite":
        connection.execute(statement, [dict(zip(names, row, strict=True)) for row in rows])
        return
    text, order, _ = _compile(statement, connection.dialect)
    if list(order) != list(names):
        raise ValueError(f"the statement has {order}")
    connection.connection.cursor().executemany(text, rows)


@lru_cache(maxsize=256)
def _compile(statement: Select[Any] | Insert | Update, dialect: Dialect) -> tuple[str, Sequence[str], Mapping[str, Any]]:
    """Return the SQL, the names of its parameters in order, and the values of constant parameters."""
    found = statement.compile(dialect=dialect)
    return found.string, found.positiontup or (), found.params
