"""Backups of a SQLite database: a compacted copy of the file, which any SQLite program opens, without the search index."""

import contextlib
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec import structs
from sqlalchemy import Connection, create_engine
from sqlalchemy.exc import DBAPIError

from findable.store.backup_file import VerifiedBackup, sync, write_atomically
from findable.store.database_errors import StoreDamaged, StoreFault, free_bytes, unusable_file
from findable.store.file_lock import FileLock
from findable.store.high_water_mark import MarkFile
from findable.store.schema_versions import create_tables, is_up_to_date, migrate, require_known
from findable.store.search_index_sqlite import drop_search_index, make_search_index

_MAGIC = b"SQLite format 3\0"
_HEADER_BYTES = 100
_FOREIGN = "SELECT type, name FROM sqlite_master WHERE type NOT IN ('table', 'index') OR sql LIKE 'CREATE VIRTUAL%'"
"""Query for what no backup has: triggers, views, and virtual tables."""
_SPARE_BYTES = 64 * 1024 * 1024
"""Disk space that remains free beside a restored database."""
_BUSY_S = 30


def back_up(database: Path, path: Path) -> VerifiedBackup:
    """Write a backup; see `backups.back_up`. Services keep running."""
    if not database.is_file():
        raise StoreDamaged(f"there is no database at {database}")
    with write_atomically(path) as beside:
        with _damage_errors(database), contextlib.closing(sqlite3.connect(database, timeout=_BUSY_S)) as connection:
            try:
                connection.execute("VACUUM INTO ?", (str(beside),))
            except sqlite3.OperationalError as error:
                refused = unusable_file(path, error, database.stat().st_size)
                if refused.fault is StoreFault.FULL:  # the disk of the backup, not that of the database
                    raise refused from error
                raise
        with _damage_errors(path), contextlib.closing(sqlite3.connect(beside)) as connection:
            drop_search_index(connection)
            connection.executescript("PRAGMA incremental_vacuum")
        return structs.replace(inspect_backup(beside, beside), path=path)


def back_up_before_upgrade(database: Path, schema: str) -> None:
    """Write a backup beside a database that is migrated from a schema. At most two of a schema are kept."""
    path = database.with_name(f"{database.name}.schema-{schema}.backup")
    if path.exists():  # an earlier migration was killed, or the version was downgraded
        path.replace(path.with_suffix(".earlier.backup"))
    back_up(database, path)


def restore(path: Path, database: Path) -> VerifiedBackup:
    """Restore a backup; see `backups.restore`. A copy is checked and migrated beside the target, then renamed to it in one step."""
    database.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = FileLock(database.with_name(database.name + ".lock"))
    lock.take()
    try:
        _require_empty(database)
        with _temporary_path(database) as plain:
            _copy(path, plain)
            given = inspect_backup(path, plain)
            _migrate_strictly(plain)
            for leftover in ("-wal", "-shm", "-journal"):
                database.with_name(database.name + leftover).unlink(missing_ok=True)
            MarkFile(database).remove()
            sync(plain)
            plain.replace(database)
            sync(database.parent)
    except OSError as error:
        raise unusable_file(database, error) from error
    finally:
        lock.release()
    return given


@contextlib.contextmanager
def _temporary_path(beside: Path) -> Iterator[Path]:
    """Yield a name for a copy of a database, which is removed after the block."""
    plain = beside.with_name(f".{beside.name}.{os.getpid()}.copy")
    try:
        plain.unlink(missing_ok=True)
        yield plain
    finally:
        for leftover in ("", "-wal", "-shm", "-journal"):
            plain.with_name(plain.name + leftover).unlink(missing_ok=True)


@contextlib.contextmanager
def _damage_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        refused = unusable_file(path, error)
        raise (StoreDamaged(f"{path}: {error}") if refused.fault is StoreFault.DAMAGED else refused) from error


@contextlib.contextmanager
def _open_readonly(plain: Path) -> Iterator[sqlite3.Connection]:
    """Open a database file for reading, without trusting its schema."""
    with contextlib.closing(sqlite3.connect(f"{plain.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        for pragma in ("trusted_schema=OFF", "cell_size_check=ON", "query_only=ON"):
            connection.execute(f"PRAGMA {pragma}")
        yield connection


def _copy(path: Path, plain: Path) -> None:
    """Copy a backup to a file that only its owner can read."""
    try:
        with path.open("rb") as file:
            header = file.read(_HEADER_BYTES)
    except OSError as error:
        raise StoreDamaged(f"{path} cannot be read: {error.strerror}") from error
    if not header.startswith(_MAGIC):
        raise StoreDamaged(f"{path} is not a backup")
    missing_bytes = path.stat().st_size + _SPARE_BYTES - free_bytes(plain)
    if missing_bytes > 0:
        raise StoreDamaged(f"{path} does not fit into {plain.parent}: free {-(-missing_bytes // 1_000_000)} MB", StoreFault.FULL)
    if path.stat().st_size != _declared_bytes(header):
        raise StoreDamaged(f"{path} is damaged (its size is not the one that it declares)")
    plain.touch(mode=0o600, exist_ok=False)
    shutil.copyfile(path, plain)


def _declared_bytes(header: bytes) -> int:
    """Return the size that a database declares: size and number of its pages (SQLite, "Database File Format", 1.3)."""
    page_bytes = int.from_bytes(header[16:18])
    return int.from_bytes(header[28:32]) * (65536 if page_bytes == 1 else page_bytes)


def inspect_backup(path: Path, plain: Path) -> VerifiedBackup:
    """Check every page of a backup, and count its rows. Raises StoreDamaged if it has anything that Findable did not create.

    ``path``: file that messages name. ``plain``: the same file, or a copy of it.
    """
    with _damage_errors(path), _open_readonly(plain) as connection:
        names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
        if "alembic_version" not in names:
            raise StoreDamaged(f"{path} has no tables, or tables that do not belong to Findable")
        foreign = connection.execute(_FOREIGN).fetchone()
        if foreign:
            raise StoreDamaged(f"{path} is not a backup made by Findable: it has a {foreign[0]} called {foreign[1]!r}")
        (schema,) = connection.execute("SELECT version_num FROM alembic_version").fetchone() or ("",)
        require_known(str(schema), str(path))
        found = [row[0] for row in connection.execute("PRAGMA integrity_check(1)") if row[0] != "ok"]
        orphans = connection.execute("PRAGMA foreign_key_check").fetchone()
        if found or orphans:
            raise StoreDamaged(f"{path} is damaged ({found[0] if found else 'rows without their parents'})")
        quoted = {name: '"' + name.replace('"', '""') + '"' for name in names if not name.startswith("sqlite_")}
        rows = {name: int(connection.execute(f"SELECT count(*) FROM {text}").fetchone()[0]) for name, text in quoted.items()}  # noqa: S608 - quoted
    return VerifiedBackup(path, str(schema), rows, plain.stat().st_size)


def _require_empty(database: Path) -> None:
    """Raise StoreDamaged unless there is no file, or only a database without accounts."""
    if not database.exists() or not database.stat().st_size:
        return
    with _damage_errors(database), contextlib.closing(sqlite3.connect(database, timeout=_BUSY_S)) as connection:
        tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if tables and ("account" not in tables or connection.execute("SELECT count(*) FROM account").fetchone()[0]):
            raise StoreDamaged(f"{database} is in use: it has accounts, or tables of another program; move it away, or choose another path")


def _migrate_strictly(plain: Path) -> None:
    """Migrate to the newest schema, then require exactly that schema, so that the file cannot contain other triggers or views."""

    def to_newest(connection: Connection) -> None:
        if not is_up_to_date(connection, "the backup"):
            migrate(connection)

    try:
        in_file(plain, to_newest)
        with contextlib.closing(sqlite3.connect(":memory:")) as empty:
            wanted = _in_memory(empty)
        with _open_readonly(plain) as connection:
            present = _schema(connection)
    except (DBAPIError, sqlite3.Error) as error:
        raise StoreDamaged(f"the backup cannot be migrated to the newest schema ({error})") from error
    if present != wanted:
        different = sorted({name for _, name, _ in present ^ wanted})
        raise StoreDamaged(f"the backup has tables that do not belong to Findable: {', '.join(different[:5])}")
    in_file(plain, make_search_index)


def in_file(path: Path, do: Callable[[Connection], object]) -> None:
    """Run a function in a transaction on a database file."""
    engine = create_engine(f"sqlite:///{path}")
    try:
        with engine.begin() as connection:
            do(connection)
    finally:
        engine.dispose()


def _in_memory(connection: sqlite3.Connection) -> set[tuple[str, str, tuple[str, ...]]]:
    engine = create_engine("sqlite://", creator=lambda: connection)
    with engine.begin() as made:
        create_tables(made)
    return _schema(connection)


def _schema(connection: sqlite3.Connection) -> set[tuple[str, str, tuple[str, ...]]]:
    """Return type, name and definition of every table and index. Words of definitions are sorted, because migrations append columns."""
    found = connection.execute("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'").fetchall()
    return {(kind, name, tuple(sorted("".join(" " if sign in '(),"' else sign for sign in sql).split()))) for kind, name, sql in found}
