"""Backups of a PostgreSQL database: a SQLite database with the same rows, which is verified and migrated like any other backup."""

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec import structs
from sqlalchemy import Connection, MetaData, Table, func, insert, select, text

from findable.store.backup_file import VerifiedBackup, write_atomically
from findable.store.backup_sqlite import in_file, inspect_backup
from findable.store.backup_sqlite import restore as restore_file
from findable.store.database_errors import StoreDamaged
from findable.store.postgres import open_connection, require_supported_server
from findable.store.schema.all_tables import metadata
from findable.store.schema_versions import bring_up_to_date, is_empty, migrate, require_known, version_of
from findable.store.search_index import make_search_index
from findable.store.write_locks import MIGRATIONS

BATCH_ROWS = 2000
BATCH_BYTES = 8 * 1024 * 1024


def back_up(url: str, path: Path) -> VerifiedBackup:
    """Write a backup; see `backups.back_up`. All rows are those of one snapshot, and are counted again in the file."""
    with write_atomically(path) as beside, open_connection(url) as source, source.begin():
        source.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        _lift_time_limits(source)
        if is_empty(source):
            raise StoreDamaged("the database has no tables of Findable")
        require_known(version_of(source), "the database", "back it up with that one")
        rows: dict[str, int] = {}
        in_file(beside, lambda target: rows.update(_copy_rows(source, target)))
        made = inspect_backup(beside, beside)
        if any(made.rows[name] != count for name, count in rows.items()):
            raise StoreDamaged(f"{path} does not contain every row of the database")
    return structs.replace(made, path=path)


def restore(path: Path, url: str) -> VerifiedBackup:
    """Restore a backup; see `backups.restore`. All of it is one transaction: if killed, the database stays empty."""
    with tempfile.TemporaryDirectory(prefix="findable-") as folder:
        verified = Path(folder) / "findable.db"
        given = restore_file(path, verified)
        with open_connection(url) as target, target.begin():
            require_supported_server(target)
            _lift_time_limits(target)
            target.exec_driver_sql(f"SELECT pg_advisory_xact_lock({MIGRATIONS})")  # a service that starts meanwhile waits
            bring_up_to_date(target, "the database")
            if any(_count(target, table) for table in metadata.sorted_tables):
                raise StoreDamaged("the database already contains data: use an empty one")
            in_file(verified, lambda source: _fill(source, target))
            make_search_index(target)
            target.exec_driver_sql("ANALYZE")
    return given


def _lift_time_limits(connection: Connection) -> None:
    for name in ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"):
        connection.exec_driver_sql(f"SET LOCAL {name} = 0")


def _copy_rows(source: Connection, target: Connection) -> dict[str, int]:
    """Copy all rows to an empty file, and return their number by table."""
    target.exec_driver_sql("PRAGMA auto_vacuum=INCREMENTAL")  # before the first table exists
    migrate(target, version_of(source))
    found = MetaData()
    found.reflect(target)
    found.remove(found.tables["alembic_version"])  # written by the migration
    return {table.name: _copy_table(source, target, table) for table in found.sorted_tables}


def _copy_table(source: Connection, target: Connection, table: Table) -> int:
    """Copy the rows of a table, and the last id that it has used, even by a deleted row; return the number of rows."""
    count, names = 0, table.columns.keys()
    for batch in _each_batch(source, table):
        target.execute(insert(table), [dict(zip(names, row, strict=True)) for row in batch])
        count += len(batch)
    sequence = _id_sequence(source, table)
    if sequence is not None:
        last = source.execute(text("SELECT pg_sequence_last_value(CAST(:sequence AS regclass))"), {"sequence": sequence}).scalar_one()
        target.execute(text("DELETE FROM sqlite_sequence WHERE name = :name"), {"name": table.name})
        target.execute(text("INSERT INTO sqlite_sequence VALUES (:name, :last)"), {"name": table.name, "last": last or 0})
    return count


def _fill(source: Connection, target: Connection) -> None:
    """Copy all rows of a file to empty tables, and the last id that each table has used, even by a deleted row."""
    last_ids: dict[str, int] = dict(source.exec_driver_sql("SELECT name, seq FROM sqlite_sequence").all())
    driver: Any = target.connection.driver_connection
    for table in metadata.sorted_tables:
        columns = ", ".join(f'"{column.name}"' for column in table.columns)
        with driver.cursor() as cursor, cursor.copy(f'COPY "{table.name}" ({columns}) FROM STDIN'.encode()) as stream:
            for batch in _each_batch(source, table):
                for row in batch:
                    stream.write_row(row)
        if _count(source, table) != _count(target, table):
            raise StoreDamaged(f"not every row of the table {table.name} was restored")
        sequence, last = _id_sequence(target, table), last_ids.get(table.name)
        if sequence is not None and last:
            target.execute(text("SELECT setval(CAST(:sequence AS regclass), :last)"), {"sequence": sequence, "last": last})


def _each_batch(connection: Connection, table: Table) -> Iterator[Sequence[tuple[Any, ...]]]:
    """Yield batches of rows, limited in number and size to fit into memory. PostgreSQL cannot store U+0000 in text."""
    batch: list[tuple[Any, ...]] = []
    size_bytes = 0
    with connection.execute(select(table), execution_options={"yield_per": BATCH_ROWS}) as result:
        for row in result:
            batch.append(tuple(value.replace("\0", "\ufffd") if isinstance(value, str) else value for value in row))
            size_bytes += sum(len(value) for value in row if isinstance(value, bytes | str))
            if len(batch) == BATCH_ROWS or size_bytes > BATCH_BYTES:
                yield batch
                batch, size_bytes = [], 0
    if batch:
        yield batch


def _count(connection: Connection, table: Table) -> int:
    return int(connection.execute(select(func.count()).select_from(table)).scalar_one())


def _id_sequence(connection: Connection, table: Table) -> str | None:
    """Return the sequence of PostgreSQL that counts the ids of a table; None if nothing counts them."""
    names = {"table": table.name, "column": next(iter(table.columns)).name}
    found: str | None = connection.execute(text("SELECT pg_get_serial_sequence(:table, :column)"), names).scalar_one()
    return found
