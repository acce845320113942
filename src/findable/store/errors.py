"""What a database says when it fails, in our words."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError

from findable.errors import Unavailable

RETRY_AFTER_S = 5


class DiskFull(Unavailable):
    """Nothing more can be written; reading still works."""


class StorageBroken(Unavailable):
    """The disk failed under a write. What was written before is on disk or not: only a restart can tell."""


class StoreDamaged(Exception):
    """The database cannot be used as it is; the text says why and what to do."""


@contextmanager
def in_our_words(on_broken: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Turns errors of the database into ours; what is none of them (a bug) goes through."""
    try:
        yield
    except (DBAPIError, sqlite3.Error) as error:
        raise _translated(error, on_broken) from error


def _translated(error: DBAPIError | sqlite3.Error, on_broken: Callable[[], None]) -> Exception:
    original = error.orig if isinstance(error, DBAPIError) else error
    name = getattr(original, "sqlite_errorname", "")
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return Unavailable("The database is busy.", retry_after_s=RETRY_AFTER_S)
    if name.startswith("SQLITE_FULL"):
        return DiskFull("The disk is full.", retry_after_s=RETRY_AFTER_S)
    if name.startswith("SQLITE_IOERR"):
        on_broken()
        return StorageBroken("The disk failed.", retry_after_s=RETRY_AFTER_S)
    if name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN")):
        return Unavailable("The database cannot be written.", retry_after_s=RETRY_AFTER_S)
    if name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
        return StorageBroken("The database is damaged.", retry_after_s=RETRY_AFTER_S)
    if isinstance(original, sqlite3.ProgrammingError) and "closed" in str(original):
        return Unavailable("The service is ending.", retry_after_s=RETRY_AFTER_S)
    return error
