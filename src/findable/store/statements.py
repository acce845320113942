"""Base classes of the SQL statements of one topic, and the selected columns of row types."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from msgspec import Struct
from sqlalchemy import Column, ColumnElement, Connection, Executable, FromClause, Select, Table, delete, insert, literal, tuple_, update

from findable.store import dialect, write_locks
from findable.store.rows import Position

Row = TypeVar("Row")
Shared_co = TypeVar("Shared_co", covariant=True)
SortKeys = tuple[ColumnElement[Any], ColumnElement[int]]
"""Sort key and id of a row, which together are unique."""


def columns(row_type: type[NamedTuple] | type[Struct], table: FromClause, **other_columns: ColumnElement[Any]) -> list[ColumnElement[Any]]:
    """Return the columns to select for the fields of a row type.

    They are those of the table with the same name, without the suffix ``_json``, except ``other_columns`` by field.
    """
    names = row_type.__struct_fields__ if issubclass(row_type, Struct) else row_type._fields
    return [other_columns[name] if name in other_columns else table.c[name.removesuffix("_json")] for name in names]


class Statements:
    """SQL statements of one topic, in one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def _first(self, row_type: Callable[..., Row], statement: Executable, values: Mapping[str, Any] | None = None) -> Row | None:
        """Return the first row of a result; None if the result is empty."""
        row = self._connection.execute(statement, values).first()
        return row_type(*row) if row else None

    def _all(self, row_type: Callable[..., Row], statement: Executable, values: Mapping[str, Any] | None = None) -> list[Row]:
        """Return all rows of a result."""
        return [row_type(*row) for row in self._connection.execute(statement, values)]

    def _page(
        self, row_type: Callable[..., Row], rows: Select[Any], keys: SortKeys, position: Position | None, *, descending: bool, **values: Any
    ) -> list[Row]:
        """Return one page of a list: the rows after, or before, a position."""
        backwards = position is not None and position.backwards
        downwards = descending != backwards
        if position is not None:
            here, there = tuple_(*keys), tuple_(literal(position.key), literal(position.id))
            rows = rows.where(here < there if downwards else here > there)
        found = self._all(row_type, rows.order_by(*(key.desc() if downwards else key for key in keys)), values)
        return found[::-1] if backwards else found

    def _has(self, statement: Select[Any]) -> bool:
        """Return whether a result has a row."""
        return self._connection.execute(statement.limit(1)).first() is not None

    def _upsert(self, table: Table, key: Mapping[str, Any], values: Mapping[str, Any], changed: Mapping[str, Any] | None = None) -> None:
        """Insert a row, or set the ``changed`` values, by default all ``values``, of the row that has this key."""
        inserted = dialect.insert(self._connection.dialect.name, table).values(**key, **values)
        self._connection.execute(inserted.on_conflict_do_update(index_elements=list(key), set_=dict(changed or values)))


class SharedRows(Statements, ABC, Generic[Shared_co]):
    """SQL statements for objects with a share link: reports, crawls or projects, in one transaction."""

    row_type: ClassVar[Callable[..., Any]]
    table: ClassVar[Table]
    rows: ClassVar[Select[Any]]
    """Selects all that are not deleted."""

    def by_id(self, number: int) -> Shared_co | None:
        """Return the object of any account; None if it or its project is deleted."""
        return self._one(self.table.c.id, number)

    def by_public_id(self, public_id: str) -> Shared_co | None:
        """Return the object of a share link; None if there is none."""
        return self._one(self.table.c.public_id, public_id)

    def _one(self, column: Column[Any], value: object) -> Shared_co | None:
        write_locks.lock_account_of(self._connection, column, value)
        return self._first(self.row_type, self.rows.where(column == value))

    @abstractmethod
    def change(self, number: int, now: int, **values: Any) -> object:
        """Set columns of the object with that id, at that time."""


class TableRows(Statements):
    """SQL statements for the rows of one table, which have an id, in one transaction."""

    table: ClassVar[Table]

    def add(self, values: Mapping[str, Any]) -> int:
        """Insert a row and return its id, and lock its account; the keys of ``values`` are column names."""
        write_locks.lock_account(self._connection, values["account_id"])
        return int(self._connection.execute(insert(self.table).returning(self.table.c.id), dict(values)).scalar_one())

    def change(self, row_id: int, **values: Any) -> None:
        """Set columns of a row."""
        self._connection.execute(update(self.table).where(self.table.c.id == row_id).values(**values))

    def remove(self, row_id: int) -> None:
        """Delete a row with everything that refers to it."""
        self._connection.execute(delete(self.table).where(self.table.c.id == row_id))
