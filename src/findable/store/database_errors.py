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

from msgspec import Struct
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from findable.errors import DatabaseUnusable, SettingError, Unavailable
from findable.wording import later

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


_SYSTEM_FAULTS = {
    StoreFault.FULL: (ENOSPC, EDQUOT),
    StoreFault.READ_ONLY: (EACCES, EPERM, EROFS),
    StoreFault.FAILED: (EIO,),
}
"""Numbers of errors of the operating system by fault."""


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
    if isinstance(error, OSError):
        return next((fault for fault, numbers in _SYSTEM_FAULTS.items() if error.errno in numbers), StoreFault.DAMAGED)
    if _code(error).startswith(("SQLITE_IOERR", "SQLITE_CANTOPEN")) and free_bytes(path) < _LEAST_BYTES:
        return StoreFault.FULL  # SQLite cannot create its log or shared memory
    kind = _kind_of(error)
    return kind.fault if kind is not None else StoreFault.DAMAGED


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
    return _code(original).startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB", "XX001", "XX002"))


@contextmanager
def translated_errors(on_storage_broken: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Translate database errors raised in the block; other exceptions (bugs) pass unchanged."""
    try:
        yield
    except (PoolTimeout, Empty) as error:
        raise Unavailable(_IS_BUSY, retry_after_s=RETRY_AFTER_S) from error
    except (DBAPIError, sqlite3.Error) as error:
        original = error.orig if isinstance(error, DBAPIError) else error
        kind = _kind_of(original)
        if kind is None:
            raise
        if kind.is_of_own_disk:
            on_storage_broken()
        raise kind.error(kind.message, retry_after_s=RETRY_AFTER_S) from error


def _code(error: BaseException | None) -> str:
    """Return the name of a result code of SQLite, or the SQLSTATE of PostgreSQL; empty for none."""
    return str(getattr(error, "sqlite_errorname", None) or getattr(error, "sqlstate", None) or "")


def _kind_of(error: BaseException | None) -> "_Kind | None":
    """Return the kind of an error of a driver; None if it shows a bug."""
    if code := _code(error):
        return next((kind for kind in _KINDS if code.startswith(kind.codes)), None)
    if hasattr(error, "sqlstate"):  # the connection was lost
        return _AWAY if type(error).__name__ in {"OperationalError", "InterfaceError", "ConnectionTimeout"} else None
    return _CLOSED if isinstance(error, sqlite3.ProgrammingError) and "closed" in str(error) else None


class _Kind(Struct, frozen=True):
    """Errors with one meaning."""

    codes: tuple[str, ...]
    """Beginnings of their codes: names of SQLite, or SQLSTATE (PostgreSQL, appendix A)."""
    fault: StoreFault
    """Reason why a database with such an error cannot be opened."""
    message: str
    """Message about it in a running service."""
    error: type[Unavailable] = Unavailable
    is_of_own_disk: bool = False
    """Whether the disk of the service failed."""


_IS_BUSY = later("The database is busy.")
_UNREACHABLE = later("The database is unreachable.")
_READ_ONLY = later("The database cannot be written.")
_DISK_FAILED = later("The disk of the database failed.")
"""Message about a failed server disk, or damaged pages. The server itself decides whether it can continue."""
_AWAY = _Kind(
    (
        "08",  # connection failed
        "53",  # out of memory or connections; a full disk is another kind
        "57P",  # server is shut down, starting or in recovery
    ),
    StoreFault.UNREACHABLE,
    _UNREACHABLE,
)
_CLOSED = _Kind((), StoreFault.DAMAGED, later("The service is shutting down."))
_KINDS = (
    _Kind(("SQLITE_BUSY", "SQLITE_LOCKED"), StoreFault.LOCKED, _IS_BUSY),
    _Kind(("SQLITE_FULL",), StoreFault.FULL, later("The disk is full."), DiskFull),
    _Kind(("SQLITE_IOERR",), StoreFault.FAILED, later("The disk failed."), StorageBroken, is_of_own_disk=True),
    _Kind(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM"), StoreFault.READ_ONLY, _READ_ONLY),
    _Kind(("SQLITE_CORRUPT", "SQLITE_NOTADB"), StoreFault.DAMAGED, later("The database is damaged."), StorageBroken),
    _Kind(
        (
            "40001",  # serialization failure
            "40P01",  # a deadlock, in which the other transaction won
            "55P03",  # lock timeout
            "57014",  # statement timeout
            "25P03",  # transaction timeout
            "25P04",
        ),
        StoreFault.LOCKED,
        _IS_BUSY,
    ),
    _Kind(("53100",), StoreFault.FULL, later("The disk of the database is full."), DiskFull),
    _Kind(("25006",), StoreFault.READ_ONLY, _READ_ONLY),
    _Kind(("58",), StoreFault.FAILED, _DISK_FAILED, StorageBroken),
    _Kind(("XX001", "XX002"), StoreFault.DAMAGED, _DISK_FAILED, StorageBroken),  # damaged pages of a table or index
    _AWAY,
    _Kind(("28", "3D000"), StoreFault.DAMAGED, _UNREACHABLE),  # the password was changed, or the database was dropped or renamed
)


def unusable_server(name: str, error: DBAPIError) -> StoreDamaged:
    """Return the error for a PostgreSQL database that cannot be opened, with what to do about it.

    Args:
        name: URL without the password.
        error: error of the driver.
    """
    reason = " ".join(str(error.orig).split())
    kind = _kind_of(error.orig)
    has_code = bool(_code(error.orig))  # without one there is no connection: the server is away, or refuses this user or database
    fault = StoreFault.UNREACHABLE if not has_code else kind.fault if kind is not None else StoreFault.DAMAGED
    advice = {
        StoreFault.UNREACHABLE: f"cannot be reached ({reason}): start the server, or correct the URL",
        StoreFault.LOCKED: f"is in use by another program that keeps it locked ({reason}): try again later",
        StoreFault.FULL: f"cannot be used because the disk of the server is full ({reason}): free space there; the data is intact",
        StoreFault.READ_ONLY: f"cannot be written ({reason}): use the primary server, or grant write access; the data is intact",
        StoreFault.FAILED: f"cannot be used because the disk of the server failed ({reason}): see the log of the server",
    }
    is_damaged = _code(error.orig).startswith("XX00")
    rest = f"is damaged ({reason}); restore a backup" if is_damaged else f"cannot be used ({reason})"
    return StoreDamaged(f"{name} {advice.get(fault, rest)}", fault)
