"""Translation of errors of the database drivers into errors of the store."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import Empty

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from findable.errors import Unavailable

RETRY_AFTER_S = 5


class DiskFull(Unavailable):
    """Error for a full disk: writing is impossible, reading still works."""


class StorageBroken(Unavailable):
    """Error after the disk failed during a write. Only a restart reveals which data is on disk."""


class StoreDamaged(Exception):
    """Error for an unusable database; the message contains the reason and advice."""


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
