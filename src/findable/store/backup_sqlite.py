"""Backups of a SQLite database: the compacted file as a zstd stream, which `zstd -d` turns back into a database.

A skippable zstd frame at the beginning describes the content in JSON. Its size limits the unpacking, and its digest is compared with the
result.
"""

import contextlib
import hashlib
import json
import os
import shutil
import sqlite3
import struct
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from msgspec import Struct, structs
from sqlalchemy import Connection, create_engine
from sqlalchemy.exc import DBAPIError

from findable.clock import now, rfc3339
from findable.formats.zstd import zstd
from findable.store.backup_file import VerifiedBackup, sync, write_atomically
from findable.store.database_errors import StoreDamaged, StoreFault, unusable_file
from findable.store.file_lock import FileLock
from findable.store.high_water_mark import MarkFile
from findable.store.schema_versions import create_tables, is_up_to_date, migrate, require_known
from findable.store.search_index_sqlite import drop_search_index, make_search_index

FORMAT = 1
_SKIPPED = 0x184D2A5F
"""Magic number of a frame that zstd skips (RFC 8878, section 3.1.2)."""
_HEAD = struct.Struct("<II")
_MAX_DESCRIPTION = 64 * 1024
_CHUNK = 1024 * 1024
_PACKING: Mapping[int, int] = {zstd.CompressionParameter.compression_level: 6, zstd.CompressionParameter.checksum_flag: 1}
_UNPACKING: Mapping[int, int] = {zstd.DecompressionParameter.window_log_max: 27}  # 128 MiB
"""Memory limit of unpacking; these backups need far less."""
_SPARE_BYTES = 64 * 1024 * 1024
"""Disk space that remains free after unpacking."""
_BUSY_S = 30


class Description(Struct, frozen=True):
    """JSON in the frame at the beginning of a backup."""

    schema: str
    size_bytes: int
    """Size of the unpacked database."""
    sha256: str
    """Digest of the unpacked database."""
    rows: Mapping[str, int]


def back_up(database: Path, path: Path) -> VerifiedBackup:
    """Write a backup; see `backups.back_up`. Services keep running; the disk temporarily needs space for the unpacked database."""
    if not database.is_file():
        raise StoreDamaged(f"there is no database at {database}")
    with write_atomically(path) as beside, _temporary_path(path) as plain:
        with _damage_errors(database), contextlib.closing(sqlite3.connect(database, timeout=_BUSY_S)) as connection:
            try:
                connection.execute("VACUUM INTO ?", (str(plain),))
            except sqlite3.OperationalError as error:
                refused = unusable_file(path, error, 2 * database.stat().st_size)
                if refused.fault is StoreFault.FULL:  # the disk of the backup, not that of the database
                    raise refused from error
                raise
        plain.chmod(0o600)
        _in_file(plain, drop_search_index)
        description = _describe(plain)
        _pack(plain, beside, description)
        plain.unlink()
        check(beside, plain)  # verify the bytes on disk
        return VerifiedBackup(path, description.schema, description.rows, beside.stat().st_size)


def restore(path: Path, database: Path) -> VerifiedBackup:
    """Restore a backup; see `backups.restore`. It is checked and migrated beside the target, then renamed to it in one step."""
    database.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = FileLock(database.with_name(database.name + ".lock"))
    lock.take()
    try:
        _require_empty(database)
        with _temporary_path(database) as plain:
            description = check(path, plain)
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
    return VerifiedBackup(path, description.schema, description.rows, path.stat().st_size)


def check(path: Path, plain: Path) -> Description:
    """Unpack a backup and check every page of it. Raises StoreDamaged if bytes or rows differ from the description."""
    try:
        with path.open("rb") as file:
            description = _description(path, file)
            _unpack(path, file, plain, description)
    except OSError as error:
        raise StoreDamaged(f"{path} cannot be read or unpacked: {error.strerror}") from error
    if _describe(plain) != description:
        raise StoreDamaged(f"{path} does not match its description")
    with _damage_errors(path), _open_readonly(plain) as connection:
        found = [row[0] for row in connection.execute("PRAGMA integrity_check(1)") if row[0] != "ok"]
        orphans = connection.execute("PRAGMA foreign_key_check").fetchone()
        foreign = connection.execute("SELECT type, name FROM sqlite_master WHERE type NOT IN ('table', 'index')").fetchone()
    if found or orphans:
        raise StoreDamaged(f"{path} is damaged ({found[0] if found else 'rows without their parents'})")
    if foreign:
        raise StoreDamaged(f"{path} is not a backup made by Findable: it has a {foreign[0]} called {foreign[1]!r}")
    return description


@contextlib.contextmanager
def _temporary_path(beside: Path) -> Iterator[Path]:
    """Yield a name for an unpacked database, which is removed after the block."""
    plain = beside.with_name(f".{beside.name}.{os.getpid()}.unpacked")
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


def _describe(plain: Path) -> Description:
    with _damage_errors(plain), _open_readonly(plain) as connection:
        names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
        virtual = connection.execute("SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL%'").fetchone()
        if virtual:
            raise StoreDamaged(f"the database has a table that Findable did not create: {virtual[0]!r}")
        if "alembic_version" not in names:
            raise StoreDamaged("the database has no tables, or tables that do not belong to Findable")
        quoted = {name: '"' + name.replace('"', '""') + '"' for name in names if not name.startswith("sqlite_")}
        rows = {name: int(connection.execute(f"SELECT count(*) FROM {text}").fetchone()[0]) for name, text in quoted.items()}  # noqa: S608 - quoted
        schema = str(connection.execute("SELECT version_num FROM alembic_version").fetchone()[0])
    with plain.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return Description(schema, plain.stat().st_size, digest, rows)


def _pack(plain: Path, path: Path, description: Description) -> None:
    said = {"findable_backup": FORMAT, "made_at": rfc3339(now()), **structs.asdict(description)}
    text = json.dumps(said).encode()
    with plain.open("rb") as source, path.open("wb") as target:
        target.write(_HEAD.pack(_SKIPPED, len(text)) + text)
        compressor = zstd.ZstdCompressor(options=_PACKING)
        compressor.set_pledged_input_size(description.size_bytes)
        while chunk := source.read(_CHUNK):
            target.write(compressor.compress(chunk))
        target.write(compressor.flush())


def _description(path: Path, file: BinaryIO) -> Description:
    not_ours = StoreDamaged(f"{path} is not a backup of a SQLite database made by Findable")
    head = file.read(_HEAD.size)
    magic, length = _HEAD.unpack(head) if len(head) == _HEAD.size else (0, 0)
    if magic != _SKIPPED or length > _MAX_DESCRIPTION:
        raise not_ours
    try:
        said: Any = json.loads(file.read(length))
        written = said["findable_backup"]
        description = Description(*(said[name] for name in Description.__struct_fields__))
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise not_ours from error
    if written != FORMAT:
        raise StoreDamaged(f"{path} was made by a newer version of Findable (format {str(written)[:20]!r}); restore it with that one")
    require_known(str(description.schema), str(path))
    if type(description.size_bytes) is not int or description.size_bytes <= 0:
        raise not_ours
    return description


def _unpack(path: Path, file: BinaryIO, plain: Path, description: Description) -> None:
    """Unpack at most the described size, and within the free disk space."""
    free_bytes = shutil.disk_usage(plain.parent).free
    if description.size_bytes + _SPARE_BYTES > free_bytes:
        missing_mb = -(-(description.size_bytes + _SPARE_BYTES - free_bytes) // 1_000_000)
        raise StoreDamaged(
            f"{path} unpacks to {description.size_bytes} bytes; {plain.parent} has {free_bytes} free: free {missing_mb} MB", StoreFault.FULL
        )
    left = description.size_bytes
    try:
        unpacked = os.fdopen(os.open(plain, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")
        with unpacked as target, zstd.open(file, options=_UNPACKING) as reader:
            while chunk := reader.read(_CHUNK):
                left -= len(chunk)
                if left < 0:
                    raise StoreDamaged(f"{path} unpacks to more bytes than its description declares")
                target.write(chunk)
    except zstd.ZstdError as error:
        raise StoreDamaged(f"{path} is damaged ({error})") from error
    except EOFError as error:
        raise StoreDamaged(f"{path} is truncated") from error
    if left:
        raise StoreDamaged(f"{path} is truncated")


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
        _in_file(plain, to_newest)
        with contextlib.closing(sqlite3.connect(":memory:")) as empty:
            wanted = _in_memory(empty)
        with _open_readonly(plain) as connection:
            present = _schema(connection)
    except (DBAPIError, sqlite3.Error) as error:
        raise StoreDamaged(f"the backup cannot be migrated to the newest schema ({error})") from error
    if present != wanted:
        different = sorted({name for _, name, _ in present ^ wanted})
        raise StoreDamaged(f"the backup has tables that do not belong to Findable: {', '.join(different[:5])}")
    _in_file(plain, make_search_index)


def _in_file(path: Path, do: Callable[[Connection], object]) -> None:
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
