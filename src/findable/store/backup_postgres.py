"""Backups of a PostgreSQL database: a SQLite database with the same rows, which is verified and migrated like any other backup."""

import tempfile
from pathlib import Path

from msgspec import structs
from sqlalchemy import Connection, MetaData, Table, insert, select, text

from findable.store.backup_file import VerifiedBackup, write_atomically
from findable.store.backup_sqlite import in_file, inspect_backup
from findable.store.backup_sqlite import restore as restore_file
from findable.store.copying import copy, each_batch, id_sequence
from findable.store.database_errors import StoreDamaged
from findable.store.postgres import open_connection
from findable.store.schema_versions import is_empty, migrate, require_known, version_of


def back_up(url: str, path: Path) -> VerifiedBackup:
    """Write a backup; see `backups.back_up`. All rows are those of one snapshot, and are counted again in the file."""
    with write_atomically(path) as beside, open_connection(url) as source, source.begin():
        source.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        for name in ("statement_timeout", "idle_in_transaction_session_timeout"):
            source.exec_driver_sql(f"SET LOCAL {name} = 0")
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
    """Restore a backup; see `backups.restore`. If killed, it leaves a database that services refuse, and continues if it is repeated."""
    with tempfile.TemporaryDirectory(prefix="findable-") as folder:
        verified = Path(folder) / "findable.db"
        given = restore_file(path, verified)
        copy(verified, url)
    return given


def _copy_rows(source: Connection, target: Connection) -> dict[str, int]:
    """Copy all rows to an empty file, and return their number by table."""
    target.exec_driver_sql("PRAGMA auto_vacuum=INCREMENTAL")  # before the first table exists
    migrate(target, version_of(source))
    metadata = MetaData()
    metadata.reflect(target)
    metadata.remove(metadata.tables["alembic_version"])  # written by the migration
    return {table.name: _copy_table(source, target, table) for table in metadata.sorted_tables}


def _copy_table(source: Connection, target: Connection, table: Table) -> int:
    """Copy the rows of a table, and the last id that it has used, even by a deleted row; return the number of rows."""
    count, names = 0, table.columns.keys()
    for batch in each_batch(source, select(table)):
        target.execute(insert(table), [dict(zip(names, row, strict=True)) for row in batch])
        count += len(batch)
    sequence = id_sequence(source, table)
    if sequence is not None:
        last = source.execute(text("SELECT pg_sequence_last_value(CAST(:sequence AS regclass))"), {"sequence": sequence}).scalar_one()
        target.execute(text("DELETE FROM sqlite_sequence WHERE name = :name"), {"name": table.name})
        target.execute(text("INSERT INTO sqlite_sequence VALUES (:name, :last)"), {"name": table.name, "last": last or 0})
    return count
