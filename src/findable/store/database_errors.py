"""Translation of errors of the database drivers into errors of the store."""

import os
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum
from errno import EACCES, EDQUOT, EIO, ENOSPC, EPERM, EROFS
from pathlib import Path
from queue import Empty

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from findable.errors import DatabaseUnusable, SettingError, Unavailable

RETRY_AFTER_S = 5
START_BYTES = 32 * 1024 * 1024
"""Disk space with which a service surely starts and accepts work."""
_LEAST_BYTES = 1024 * 1024
"""Free disk space below which an I/O error means that the disk is full."""


class DiskFull(Unavailable):
    """Error for a full disk: writing is impossible, reading still works."""


class StorageBroken(Unavailable):
    """Error after the disk failed during a write. Only a restart reveals which data is on disk."""


class StoreFault(Enum):
    """Reason why a database cannot be used."""

    DAMAGED = "damaged"
    """The database itself, its version or its address is wrong."""
    FULL = "full"
    FAILED = "failed"
    """Reading or writing failed (I/O error)."""
    READ_ONLY = "read_only"
    LOCKED = "locked"
    UNREACHABLE = "unreachable"


class StoreDamaged(Exception):
    """Error for an unusable database; the message contains the reason and advice. Only `StoreFault.DAMAGED` means that data may be lost."""

    def __init__(self, message: str, fault: StoreFault = StoreFault.DAMAGED) -> None:
        super().__init__(message)
        self.fault = fault

    def as_setting_error(self, name: str) -> SettingError:
        """Return the error for commands, with the name of a setting, option or command."""
        if self.fault is StoreFault.DAMAGED:
            return SettingError(name, str(self))
        return DatabaseUnusable(name, str(self), is_temporary=self.fault in (StoreFault.LOCKED, StoreFault.UNREACHABLE))


def unusable_file(path: Path, error: BaseException, needed_bytes: int = 0) -> StoreDamaged:
    """Return the error for a database file, or a backup, that cannot be opened, read or written, with what to do about it.

    Args:
        path: the file.
        error: error of the driver or of the operating system.
        needed_bytes: disk space that the work needs; 0 for the start of a service.
    """
    original = error.orig if isinstance(error, DBAPIError) else error
    reason = " ".join(str(getattr(original, "strerror", None) or original).split())
    fault = _file_fault(path, original)
    advice = {
        StoreFault.LOCKED: f"is in use by another program that keeps it locked ({reason}): try again later, or end that program",
        StoreFault.FULL: f"cannot be written: the disk is full: free {_missing_mb(path, needed_bytes)} MB in {path.absolute().parent}",
        StoreFault.READ_ONLY: f"cannot be written ({reason}): give the user of this command write access to the file and its folder",
        StoreFault.FAILED: f"cannot be read or written ({reason}): check that the disk is mounted and healthy, and start again",
    }
    if fault in advice:
        return StoreDamaged(f"{path} {advice[fault]}; the database is not damaged", fault)
    if isinstance(original, OSError):
        return StoreDamaged(f"{path} cannot be written: {reason}")
    rescue = f"sqlite3 {path} .recover | sqlite3 rescued.db"
    return StoreDamaged(f"{path} is damaged ({reason}); restore a backup, or recover the readable data: {rescue}")


def _file_fault(path: Path, error: BaseException | None) -> StoreFault:
    number = error.errno if isinstance(error, OSError) else None
    name = getattr(error, "sqlite_errorname", "")
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return StoreFault.LOCKED
    if name.startswith("SQLITE_FULL") or number in (ENOSPC, EDQUOT):
        return StoreFault.FULL
    if name.startswith(("SQLITE_IOERR", "SQLITE_CANTOPEN")) and free_bytes(path) < _LEAST_BYTES:
        return StoreFault.FULL  # SQLite cannot create its log or shared memory
    if name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")) or number in (EACCES, EPERM, EROFS):
        return StoreFault.READ_ONLY
    return StoreFault.FAILED if name.startswith("SQLITE_IOERR") or number == EIO else StoreFault.DAMAGED


def free_bytes(path: Path) -> int:
    """Return the free disk space beside a file; unlimited if it cannot be determined."""
    try:
        room = os.statvfs(path.absolute().parent)
    except OSError:
        return sys.maxsize
    return room.f_bavail * room.f_frsize


def bytes_of_start(path: Path) -> int:
    """Return the free disk space that a start needs: START_BYTES, and room to copy the log of the database into it."""
    log = path.with_name(f"{path.name}-wal")
    return START_BYTES + (log.stat().st_size if log.exists() else 0)


def _missing_mb(path: Path, needed_bytes: int) -> int:
    """Return the disk space to free, in MB. ``needed_bytes``: 0 for the start of a service."""
    needed_bytes = needed_bytes or bytes_of_start(path)
    return max(1, -(-(needed_bytes - min(needed_bytes, free_bytes(path))) // 1_000_000))


def is_damage(error: BaseException | None) -> bool:
    """Return whether the database itself reports that its file, or a page of it, is damaged."""
    original = error.orig if isinstance(error, DBAPIError) else error
    names = str(getattr(original, "sqlite_errorname", "")), str(getattr(original, "sqlstate", ""))
    return names[0].startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")) or names[1] in ("XX001", "XX002")


@contextmanager
def translated_errors(on_storage_broken: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Translate database errors raised in the block; other exceptions (bugs) pass unchanged."""
    try:
        yield
    except (PoolTimeout, Empty) as error:
        raise _busy_error() from error
    except (DBAPIError, sqlite3.Error) as error:
        original = error.orig if isinstance(error, DBAPIError) else error
        translated = _translate_postgresql(original) if hasattr(original, "sqlstate") else _translate_sqlite(original, on_storage_broken)
        raise translated or error from error


def _busy_error() -> Unavailable:
    return Unavailable("The database is busy.", retry_after_s=RETRY_AFTER_S)


def _translate_sqlite(error: BaseException | None, on_storage_broken: Callable[[], None]) -> Exception | None:
    name = getattr(error, "sqlite_errorname", "")
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return _busy_error()
    if name.startswith("SQLITE_FULL"):
        return DiskFull("The disk is full.", retry_after_s=RETRY_AFTER_S)
    if name.startswith("SQLITE_IOERR"):
        on_storage_broken()
        return StorageBroken("The disk failed.", retry_after_s=RETRY_AFTER_S)
    if name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN")):
        return Unavailable("The database cannot be written.", retry_after_s=RETRY_AFTER_S)
    if name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
        return StorageBroken("The database is damaged.", retry_after_s=RETRY_AFTER_S)
    if isinstance(error, sqlite3.ProgrammingError) and "closed" in str(error):
        return Unavailable("The service is shutting down.", retry_after_s=RETRY_AFTER_S)
    return None


_BUSY = (
    "40001",  # serialization failure
    "40P01",  # a deadlock, in which the other transaction won
    "55P03",  # lock timeout
    "57014",  # statement timeout
    "25P03",  # transaction timeout
    "25P04",
)
_AWAY = (
    "08",  # connection failed
    "53",  # out of memory or connections; a full disk is handled earlier
    "57P",  # server is shut down, starting or in recovery
    "28",  # the password was changed
    "3D000",  # the database was dropped or renamed
)
_DISK_FULL = "53100"
_READ_ONLY = "25006"
_DAMAGED = ("58", "XX001", "XX002")
"""Codes for a failed server disk, or damaged pages of a table or index. The server itself decides whether it can continue."""


def _translate_postgresql(error: BaseException | None) -> Exception | None:
    """Translate by SQLSTATE (PostgreSQL, appendix A); an error without one means that the connection was lost."""
    state = getattr(error, "sqlstate", None)
    if state is None:
        lost = type(error).__name__ in {"OperationalError", "InterfaceError", "ConnectionTimeout"}
        return Unavailable("The database is unreachable.", retry_after_s=RETRY_AFTER_S) if lost else None
    if state in _BUSY:
        return _busy_error()
    if state == _DISK_FULL:
        return DiskFull("The disk of the database is full.", retry_after_s=RETRY_AFTER_S)
    if state == _READ_ONLY:
        return Unavailable("The database cannot be written.", retry_after_s=RETRY_AFTER_S)
    if state.startswith(_DAMAGED):
        return StorageBroken("The disk of the database failed.", retry_after_s=RETRY_AFTER_S)
    if state.startswith(_AWAY):
        return Unavailable("The database is unreachable.", retry_after_s=RETRY_AFTER_S)
    return None


def unusable_server(name: str, error: DBAPIError) -> StoreDamaged:
    """Return the error for a PostgreSQL database that cannot be opened, with what to do about it.

    Args:
        name: URL without the password.
        error: error of the driver.
    """
    reason = " ".join(str(error.orig).split())
    fault = _server_fault(error.orig)
    advice = {
        StoreFault.UNREACHABLE: f"cannot be reached ({reason}): start the server, or correct the URL",
        StoreFault.LOCKED: f"is in use by another program that keeps it locked ({reason}): try again later",
        StoreFault.FULL: f"cannot be used because the disk of the server is full ({reason}): free space there; the data is intact",
        StoreFault.READ_ONLY: f"cannot be written ({reason}): use the primary server, or grant write access; the data is intact",
        StoreFault.FAILED: f"cannot be used because the disk of the server failed ({reason}): see the log of the server",
    }
    is_damaged = (getattr(error.orig, "sqlstate", None) or "").startswith("XX00")
    rest = f"is damaged ({reason}); restore a backup" if is_damaged else f"cannot be used ({reason})"
    return StoreDamaged(f"{name} {advice.get(fault, rest)}", fault)


def _server_fault(error: BaseException | None) -> StoreFault:
    state = getattr(error, "sqlstate", None)
    if state is None:  # there is no connection: the server is away, or refuses this user or database
        return StoreFault.UNREACHABLE
    if state in _BUSY:
        return StoreFault.LOCKED
    if state == _DISK_FULL:
        return StoreFault.FULL
    if state == _READ_ONLY:
        return StoreFault.READ_ONLY
    if state.startswith("58"):
        return StoreFault.FAILED
    return StoreFault.UNREACHABLE if state.startswith(("08", "53", "57P")) else StoreFault.DAMAGED
