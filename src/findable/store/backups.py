"""A copy of the whole database in one file, and the way back.

What a backup of each database is: `findable.store.backup_sqlite`, `findable.store.backup_postgres`. Of both holds: it is one state of the
database, taken while services go on; it is read again before it counts; it stands in the file whole or not at all; nothing is written over;
it is given back only to a database that holds nothing. The secret key is never in it: it stands in no table.
"""

import contextlib
import os
import secrets
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from findable.store.database_errors import StoreDamaged
from findable.store.open_store import is_postgresql

SQLITE = "sqlite:///"


class BackedUp(NamedTuple):
    """A backup that was read again."""

    path: Path
    schema: str
    """The version of the tables."""
    rows: Mapping[str, int]
    """By table."""
    size_bytes: int


def back_up(url: str, path: Path) -> BackedUp:
    """Writes a backup of the database at that address. Raises StoreDamaged with a sentence that says why it could not."""
    if is_postgresql(url):
        from findable.store.backup_postgres import back_up as back_up_postgresql  # noqa: PLC0415 - the driver is an extra

        return back_up_postgresql(url, path)
    from findable.store.backup_sqlite import back_up as back_up_file  # noqa: PLC0415 - nor is this one needed beside it

    return back_up_file(Path(url.removeprefix(SQLITE)), path)


def restore(path: Path, url: str) -> BackedUp:
    """Gives a backup back to an empty database, brought to the newest schema.

    Raises StoreDamaged where the file is no backup of ours, or one of the other kind of database, is damaged or made by a newer version,
    and where the target holds anything.
    """
    if is_postgresql(url):
        from findable.store.backup_postgres import restore as restore_postgresql  # noqa: PLC0415 - the driver is an extra

        return restore_postgresql(path, url)
    from findable.store.backup_sqlite import restore as restore_file  # noqa: PLC0415 - nor is this one needed beside it

    return restore_file(path, Path(url.removeprefix(SQLITE)))


@contextlib.contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """A place beside the file; what was written there bears the file's name after the block, or is gone where the block raised.

    Raises StoreDamaged where the file is there already or the disk refuses.
    """
    if path.exists():
        raise StoreDamaged(f"{path} is there already; nothing is written over")
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        os.close(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        yield beside
        sync(beside)
        os.link(beside, path)  # unlike a rename, it writes over nothing
        sync(path.parent)
    except FileExistsError as error:
        raise StoreDamaged(f"{path} is there already; nothing is written over") from error
    except OSError as error:
        raise StoreDamaged(f"{path} cannot be written: {error.strerror}") from error
    finally:
        beside.unlink(missing_ok=True)


def sync(path: Path) -> None:
    """The file or directory is on the disk when this returns."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
