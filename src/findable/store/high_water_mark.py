"""High-water mark of a SQLite database in a file beside it: the last write that must be in the database.

SQLite cannot detect that its write-ahead log was lost: without it, the database is older, and valid. While a service
writes, it advances every few seconds, in the database first (``PRAGMA user_version``) and then in the file: a database with a lower number
than its file has lost data.
"""

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import msgspec
from sqlalchemy import Connection

from findable.clock import now, rfc3339
from findable.settings import SECRET_NAME
from findable.store.database_errors import StoreDamaged

_ADVICE = "restore a backup, or continue without the lost data: findable serve --accept-loss"


class HighWaterMark(msgspec.Struct, frozen=True):
    """State of the database after its last write."""

    number: int
    """Value of ``PRAGMA user_version`` after that write; it never decreases."""
    reports: int
    """Id of the newest report."""
    runs: int
    """Id of the newest run of any report."""
    at: str
    has_log: bool
    """Whether a service used the database with a write-ahead log; False after a clean shutdown."""


def read_from(connection: Connection, *, has_log: bool) -> HighWaterMark:
    """Return the mark stored in the database itself."""
    numbers = {str(row[0]): int(row[1]) for row in connection.exec_driver_sql("SELECT name, seq FROM sqlite_sequence")}
    number = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
    return HighWaterMark(number, numbers.get("report", 0), numbers.get("run", 0), rfc3339(now()), has_log)


def advance(connection: Connection) -> HighWaterMark:
    """Advance the mark in the current transaction."""
    mark = read_from(connection, has_log=True)
    connection.exec_driver_sql(f"PRAGMA user_version={mark.number + 1}")
    return msgspec.structs.replace(mark, number=mark.number + 1)


class MarkFile:
    """The file beside the database."""

    def __init__(self, database: Path) -> None:
        self._database = database
        self._path = database.with_name(database.name + ".mark")
        self._log = database.with_name(database.name + "-wal")

    def read(self) -> HighWaterMark | None:
        """Return the last mark; None if there is no readable one."""
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=HighWaterMark)
        except (OSError, msgspec.DecodeError):
            return None

    def write(self, mark: HighWaterMark) -> None:
        """Replace the mark in the file. On a full disk the earlier, lower mark stays."""
        beside = self._path.with_name(f"{self._path.name}.{os.getpid()}")
        with suppress(OSError):
            descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(msgspec.json.encode(mark))
                file.flush()
                os.fsync(descriptor)
            beside.replace(self._path)

    def remove(self) -> None:
        """Remove the file, because its database will be replaced."""
        self._path.unlink(missing_ok=True)

    @property
    def log_exists(self) -> bool:
        """Return whether the write-ahead log exists."""
        return self._log.exists()

    def require_files(self) -> None:
        """Raise StoreDamaged if the database or its log is lost.

        Call it before SQLite opens the file and removes recoverable data.
        """
        mark, path = self.read(), self._database
        if not path.exists():
            if mark is not None:
                raise StoreDamaged(f"{path} is missing, and had {_content(mark)}; {_ADVICE}")
        elif not path.stat().st_size and (mark is not None or path.with_name(SECRET_NAME).exists()):
            had = f"had {_content(mark)}" if mark is not None else f"{SECRET_NAME} beside it is made after the database"
            raise StoreDamaged(f"{path} is empty, and {had}; {_ADVICE}")
        elif mark is not None and mark.has_log and not self.log_exists and self._is_behind(mark):
            raise StoreDamaged(
                f"{self._log} is missing: the service was killed, and its latest writes were in that file ({_content(mark)}); "
                f"put it back, {_ADVICE}"
            )

    def _is_behind(self, mark: HighWaterMark) -> bool:
        """Return whether the database without its log is older than the mark.

        It is up to date if another program, such as the sqlite3 shell, has checkpointed the log. The file is opened as immutable, so that
        no new log is created, which would look like the lost one. An unreadable database counts as older.
        """
        try:
            with closing(sqlite3.connect(f"{self._database.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
                number = int(connection.execute("PRAGMA user_version").fetchone()[0])
                newest = {str(name): int(last) for name, last in connection.execute("SELECT name, seq FROM sqlite_sequence")}
        except sqlite3.Error:
            return True
        return number < mark.number or newest.get("report", 0) < mark.reports or newest.get("run", 0) < mark.runs

    def loss(self, database_mark: HighWaterMark) -> str:
        """Return a sentence about the data that a database with this mark has lost; empty if it has lost none."""
        mark = self.read()
        if mark is None or database_mark.number >= mark.number:
            return ""
        return (
            f"{self._database} has lost its latest data: it had {_content(mark)}, "
            f"and has reports up to number {database_mark.reports} and {database_mark.runs} runs"
        )


def _content(mark: HighWaterMark) -> str:
    return f"reports up to number {mark.reports} and {mark.runs} runs at {mark.at}"
