"""Store of all service data in one SQLite file.

One connection writes, a few read, concurrently by WAL. ``synchronous=FULL`` puts accepted data on disk before it is confirmed, even if the
power fails. Every writing transaction is ``BEGIN IMMEDIATE``: a transaction that reads first and writes later would fail immediately,
without waiting, when another wrote in between (SQLITE_BUSY_SNAPSHOT).
"""

import contextlib
import logging
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from msgspec.structs import replace
from sqlalchemy import Connection, Engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import QueuePool

from findable.errors import Unavailable
from findable.store.backup_sqlite import back_up_before_upgrade
from findable.store.database_errors import RETRY_AFTER_S, StorageBroken, StoreDamaged, free_bytes, translated_errors, unusable_file
from findable.store.disk_reserve import RESERVE_BYTES, Reserve
from findable.store.file_lock import FileLock
from findable.store.high_water_mark import MarkFile, advance, read_from
from findable.store.read_transactions import ReadTransactions
from findable.store.schema_versions import bring_up_to_date, is_empty, is_up_to_date, version_of
from findable.store.search_index_sqlite import (
    SEARCHED,
    drop_triggers_without_index,
    has_search_index,
    has_triggers_without_index,
    index_changes,
    make_search_index,
)
from findable.store.sqlite_engine import sqlite_engine
from findable.store.store_protocol import About, Session, Store, TableSize
from findable.store.table_sizes import count_rows

BUSY_TIMEOUT_S = 5
READERS = 4
"""Number of connections for reading; checks of the file use one more."""
INDEX_PAUSE_S = 0.02
"""Pause between two updates of the search index, so that other writers can write."""
VACUUM_PAGES = 1000
"""Number of pages returned to the file system in one step: 4 MB."""
MARK_INTERVAL_S = 2.0
"""Interval at which the high-water mark advances while the service writes."""
QUICK_CHECK_BELOW_BYTES = 128 * 1024 * 1024
"""Size up to which the file is checked at every start of the service (about a second)."""

log = logging.getLogger("findable.store")

_PRAGMAS = (
    "PRAGMA foreign_keys=ON",
    f"PRAGMA busy_timeout={BUSY_TIMEOUT_S * 1000}",
    "PRAGMA cache_size=-16000",
    "PRAGMA temp_store=MEMORY",
)
_WRITER_PRAGMAS = (
    "PRAGMA auto_vacuum=INCREMENTAL",  # auto_vacuum must be set before the first table exists
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",
    "PRAGMA journal_size_limit=67108864",
)


class SqliteStore(ReadTransactions, Store):
    """A `Store` in a file.

    Args:
        path: path of the database; created if missing.
        exclusive: whether this is the only service on the file: it releases the idempotency keys of an earlier one, and a second one is
            refused. Commands work beside it, and those that only read also while the database is locked or the disk full.
        on_storage_broken: called when the disk failed during a write. From then on only a restart helps.
        accept_loss: whether to open a database that has lost its latest writes, with a warning.

    Raises StoreDamaged with advice if the file cannot be used.
    """

    def __init__(
        self, path: Path, *, exclusive: bool = False, on_storage_broken: Callable[[], None] = lambda: None, accept_loss: bool = False
    ) -> None:
        self.path = path
        self._on_broken = on_storage_broken
        super().__init__()
        self._not_asked: dict[int, tuple[str, ...]] = {}
        self._lock = FileLock(path.with_name(path.name + ".lock"))
        self._reserve = Reserve(path.with_name(path.name + ".reserve"))
        self._mark = MarkFile(path)
        self._loss = ""
        self._is_written = threading.Event()
        self._is_closing = threading.Event()
        self._marking: threading.Thread | None = None
        self._readers: SimpleQueue[Connection | None] = SimpleQueue()
        """Free connections for reading; None for each that is not open yet. SQLAlchemy's pool takes five times as long."""
        for _ in range(READERS):
            self._readers.put(None)
        if not accept_loss:
            self._mark.require_files()
        _make_private(path)
        self._inode = path.stat().st_ino
        if exclusive:
            self._require_one_name()
            self._lock.take()
            if free_bytes(path) < RESERVE_BYTES and self._reserve.use():
                log.warning("the disk is full: the reserved %d MB were freed to start", RESERVE_BYTES // 1_000_000)
        try:
            self._writer = _engine(path, size=1, begin="BEGIN IMMEDIATE", pragmas=(*_PRAGMAS, *_WRITER_PRAGMAS))
            self._reader = _engine(path, size=READERS + 1, begin="", pragmas=(*_PRAGMAS, "PRAGMA query_only=ON"))
            self._start(exclusive=exclusive)
        except (DBAPIError, sqlite3.Error, OSError, Unavailable) as error:
            self.close()
            raise unusable_file(path, error.__cause__ if isinstance(error, Unavailable) and error.__cause__ else error) from error
        except StoreDamaged:
            self.close()
            raise

    def _require_one_name(self) -> None:
        """Raise StoreDamaged if the file has a hard link: each name would get its own lock and log, which would damage the database."""
        if self.path.stat().st_nlink > 1:
            raise StoreDamaged(f"{self.path} has a second name (a hard link): remove it, or copy the database with `findable backup`")

    def _start(self, *, exclusive: bool) -> None:
        if exclusive and 0 < self.path.stat().st_size < QUICK_CHECK_BELOW_BYTES:
            (found,) = self._rows("PRAGMA quick_check(1)")
            if found != "ok":
                raise unusable_file(self.path, sqlite3.DatabaseError(found))
        if exclusive or not self._is_up_to_date():
            self._bring_up_to_date()
        if exclusive:
            self._reserve.keep()
            with self.write() as session:
                session.expiring.release_keys()
            self._begin_marking()
        else:
            self._checkpoint_leftover_wal()

    def _begin_marking(self) -> None:
        """Compare the database with its high-water mark, and start to advance the mark."""
        with self._writer.connect() as connection:
            found = read_from(connection, has_log=self._mark.log_exists)
        self._loss = self._mark.loss(found)
        if self._loss:
            log.warning("%s", self._loss)
        self._mark.write(found)
        self._marking = threading.Thread(target=self._keep_marking, name="high-water mark", daemon=True)
        self._marking.start()

    def _keep_marking(self) -> None:
        while not self._is_closing.wait(MARK_INTERVAL_S):
            with contextlib.suppress(OSError):
                self._reserve.keep()  # recreate the reserve once the disk has space
            if self._is_written.is_set():
                self._is_written.clear()
                self._advance_mark()

    def _advance_mark(self) -> None:
        try:
            with self._connection(self._writer) as connection, connection.begin():
                mark = advance(connection)
        except Unavailable:  # retried at the next call
            self._is_written.set()
        else:
            self._mark.write(mark)

    def _checkpoint_leftover_wal(self) -> None:
        """Checkpoint the write-ahead log of a killed service: closing the last connection removes it."""
        mark = self._mark.read()
        if mark is None or not mark.has_log:
            return
        try:
            self._lock.take()
        except StoreDamaged:  # a service is running
            return
        try:
            with self._reader.connect() as connection:
                self._loss = self._mark.loss(read_from(connection, has_log=False))
            with contextlib.closing(sqlite3.connect(self.path, timeout=BUSY_TIMEOUT_S)) as emptied:
                is_emptied = _checkpoint(emptied)
            if is_emptied:
                self._mark.write(replace(mark, has_log=False))
        finally:
            self._lock.release()

    def _is_up_to_date(self) -> bool:
        """Return whether nothing needs to be migrated, without waiting for a writer."""
        with self._reader.connect() as connection:
            return is_up_to_date(connection, str(self.path)) and not has_triggers_without_index(connection)

    def _bring_up_to_date(self) -> None:
        """Migrate an older database, only while no service uses it, and after a backup was written beside it."""
        with self._writer.connect() as connection, connection.begin():
            if is_up_to_date(connection, str(self.path)):
                drop_triggers_without_index(connection)
                return
            if self._lock.is_locked or is_empty(connection):
                self._migrate(connection)
                return
        self._lock.take()
        try:
            with self._writer.connect() as connection, connection.begin():
                self._migrate(connection)
        finally:
            self._lock.release()

    def _migrate(self, connection: Connection) -> None:
        """Migrate in the current transaction, which holds the lock and has written nothing yet."""
        if not is_empty(connection) and not is_up_to_date(connection, str(self.path)):
            back_up_before_upgrade(self.path, version_of(connection))
        bring_up_to_date(connection, str(self.path))
        make_search_index(connection)

    @contextlib.contextmanager
    def _begin_reading(self) -> Iterator[Session]:
        with self.snapshot() as connection:
            yield Session(connection, self._not_asked, is_writing=False)

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[Connection]:
        """Yield a snapshot of all tables; the connection is read-only, and after an error it is not used again."""
        with translated_errors(self._on_broken):
            connection = self._readers.get(timeout=BUSY_TIMEOUT_S)
            is_reusable = False
            try:
                self._require_file()
                connection = connection or self._reader.connect()
                driver: Any = connection.connection.driver_connection
                driver.execute("BEGIN")  # by the driver, because SQLAlchemy's own transaction takes four times as long
                yield connection
                driver.rollback()
                is_reusable = not self._is_closing.is_set()
            finally:
                self._readers.put(connection if is_reusable else None)
                if connection is not None and not is_reusable:
                    connection.close()

    @contextlib.contextmanager
    def write(self) -> Iterator[Session]:
        """See `Store.write`."""
        with self._connection(self._writer) as connection, connection.begin():
            yield Session(connection, {}, is_writing=True)
        self._is_written.set()

    @contextlib.contextmanager
    def _connection(self, engine: Engine) -> Iterator[Connection]:
        with translated_errors(self._on_broken), engine.connect() as connection:
            self._require_file()
            yield connection

    def _require_file(self) -> None:
        """Raise StorageBroken if the file was removed or replaced, because its writes would be lost."""
        try:
            found = self.path.stat().st_ino
        except OSError:
            found = 0
        if found != self._inode:
            self._on_broken()
            raise StorageBroken("The database file was removed.", retry_after_s=RETRY_AFTER_S)

    def ping(self) -> bool:
        """See `Store.ping`."""
        try:
            with self.read() as session:
                session.accounts.any()
        except Unavailable:
            return False
        return True

    def _rows(self, statement: str) -> list[str]:
        with self._reader.connect() as connection:
            return [" ".join(map(str, row)) for row in connection.exec_driver_sql(statement)]

    def about(self) -> About:
        """See `Store.about`."""
        with translated_errors():
            (version,) = self._rows("SELECT sqlite_version()")
        with self.snapshot() as connection:
            searches = has_search_index(connection)
        slow = "" if searches else "searches scan all URLs: run `findable db vacuum`, with a Python whose SQLite has FTS5"
        return About(f"SQLite {version} in {self.path}", tuple(note for note in (self._loss, slow) if note))

    def sizes(self) -> list[TableSize]:
        """See `Store.sizes`."""
        with self.snapshot() as connection:
            rows = count_rows(connection)
            try:
                found = connection.exec_driver_sql("SELECT name, sum(pgsize) FROM dbstat GROUP BY name").all()
            except DBAPIError:  # this SQLite was compiled without DBSTAT
                found = []
            indexes = connection.exec_driver_sql("SELECT name, tbl_name FROM sqlite_master").all()
        table_of = {str(name): str(table) for name, table in indexes}
        size_bytes: dict[str, int] = {}
        for name, taken in found:
            table = "report" if name.startswith(SEARCHED) else table_of.get(name, name)
            size_bytes[table] = size_bytes.get(table, 0) + int(taken)
        return [TableSize(table, count, size_bytes.get(table)) for table, count in rows.items()]

    def size_bytes(self) -> int:
        """See `Store.size_bytes`."""
        beside = self.path.with_name(self.path.name + "-wal")
        return self.path.stat().st_size + (beside.stat().st_size if beside.exists() else 0)

    def vacuum(self) -> None:
        """See `Store.vacuum`. It temporarily needs as much disk space again as the database."""
        with self._connection(self._writer) as found, found.begin():
            make_search_index(found, rebuild=True)
        with translated_errors(self._on_broken):
            connection = sqlite3.connect(self.path, timeout=BUSY_TIMEOUT_S, isolation_level=None)
            try:
                for statement in ("VACUUM", "ANALYZE", "PRAGMA wal_checkpoint(TRUNCATE)"):
                    connection.execute(statement)
            finally:
                connection.close()

    def free_disk_space(self) -> None:
        """See `Store.free_disk_space`."""
        while self._index_some_changes():
            time.sleep(INDEX_PAUSE_S)
        with self._connection(self._writer) as connection:
            driver = connection.connection.driver_connection
            if isinstance(driver, sqlite3.Connection):
                # Each step frees one page; only this driver method runs all steps.
                driver.executescript(f"PRAGMA incremental_vacuum({VACUUM_PAGES}); PRAGMA optimize;")
        self._reserve.keep()

    def _index_some_changes(self) -> bool:
        with self._connection(self._writer) as connection, connection.begin():
            return index_changes(connection)

    def use_reserve(self) -> bool:
        """See `Store.use_reserve`."""
        return self._reserve.use()

    def hang_up(self) -> None:
        """See `Store.hang_up`. Does nothing: a file always responds or reports that it is busy."""

    def close(self) -> None:
        """See `Store.close`."""
        self._is_closing.set()
        self._close_readers()
        if self._marking is not None:
            self._marking.join()
            mark = self._mark.read()
            if mark is not None:  # write the mark before the log is removed, so that no command misses it
                self._mark.write(replace(mark, has_log=False))
        for name in ("_reader", "_writer"):
            engine = getattr(self, name, None)
            if engine is not None:
                engine.dispose()
        self._lock.release()

    def _close_readers(self) -> None:
        with contextlib.suppress(Empty):
            while True:
                free = self._readers.get_nowait()
                if free is not None:
                    free.close()


def _checkpoint(connection: sqlite3.Connection) -> bool:
    """Copy the write-ahead log into the database and empty it; return False if it stays, without disk space or behind a lock."""
    try:
        (is_busy, *_) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    except sqlite3.OperationalError:
        return False
    return not is_busy


def _make_private(path: Path) -> None:
    """Make the file, and its directory, accessible to the owner only. Raises StoreDamaged if that fails."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        raise unusable_file(path, error) from error


def _engine(path: Path, *, size: int, begin: str, pragmas: tuple[str, ...]) -> Engine:
    def connect() -> sqlite3.Connection:
        """Connect to the existing file; a removed file is not recreated."""
        return sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, check_same_thread=False, timeout=BUSY_TIMEOUT_S)

    engine = sqlite_engine("sqlite://", creator=connect, poolclass=QueuePool, pool_size=size, max_overflow=0, pool_timeout=BUSY_TIMEOUT_S)

    @event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None  # transactions are started explicitly
        for pragma in pragmas:
            connection.execute(pragma)

    if begin:

        @event.listens_for(engine, "begin")
        def begin_explicitly(connection: Connection) -> None:
            connection.connection.cursor().execute(begin)  # executing it through SQLAlchemy takes three times as long

    return engine
