"""Numbers of rows of the tables."""

from collections.abc import Iterable

from sqlalchemy import Connection, func, select, table

from findable.store.schema.all_tables import metadata


def count_rows(connection: Connection) -> dict[str, int]:
    """Count rows by table, parents before children."""
    return count_rows_of(connection, (one.name for one in metadata.sorted_tables))


def count_rows_of(connection: Connection, names: Iterable[str]) -> dict[str, int]:
    """Count the rows of tables, by name of the table, which may be one of an older version."""
    return {name: int(connection.execute(select(func.count()).select_from(table(name))).scalar_one()) for name in names}
