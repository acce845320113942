"""Numbers of rows of the tables."""

from sqlalchemy import Connection, func, select

from findable.store.schema.all_tables import metadata


def count_rows(connection: Connection) -> dict[str, int]:
    """Count rows by table, parents before children."""
    counts = ((table.name, select(func.count()).select_from(table)) for table in metadata.sorted_tables)
    return {name: int(connection.execute(statement).scalar_one()) for name, statement in counts}
