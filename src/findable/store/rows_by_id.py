"""Read rows by many ids or in the order of their ids, in parts that fit into one query."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

from sqlalchemy import ARRAY, ColumnElement, Connection, Integer, Row, Select, any_, literal

from findable.store.dialect import numbers_in
from findable.values import batches_of

IN_ONE_QUERY = 500
Value = TypeVar("Value", int, str)


def parts(numbers: Iterable[Value]) -> Iterator[Sequence[Value]]:
    """Split ids or URLs into parts that fit into the parameters of one query."""
    return batches_of(numbers, IN_ONE_QUERY)


def each_part(connection: Connection, chosen: Select[Any], number: ColumnElement[int], at_once: int) -> Iterator[Sequence[Row[Any]]]:
    """Yield the rows of a select by ascending ids, in parts. The ids are the first column, `number`."""
    ordered, last = chosen.order_by(number).limit(at_once), 0
    while rows := connection.execute(ordered.where(number > last)).all():
        yield rows
        last = rows[-1][0]


def rows_in(connection: Connection, statement: Select[Any], column: ColumnElement[Value], numbers: Iterable[Value]) -> Iterator[Any]:
    """Yield the rows of a statement whose column has one of the numbers, by several queries if there are many numbers."""
    for part in parts(numbers):
        yield from connection.execute(statement.where(_is_among(connection.dialect.name, column, part)))


def _is_among(dialect: str, column: ColumnElement[Any], part: Sequence[Any]) -> ColumnElement[bool]:
    """Return whether a column has one of these values, which are one parameter: for 500, SQLAlchemy takes longer than the database."""
    if dialect == "postgresql":
        return column == any_(literal(list(part), ARRAY(column.type)))
    return column.in_(numbers_in(dialect, part) if isinstance(column.type, Integer) else part)
