"""Back up the whole database to one file, and restore it.

`findable.store.backup_sqlite` and `findable.store.backup_postgres` define the formats. Both store one consistent state while services keep
running, verify it by reading it again, write the file completely or not at all, never overwrite a file, and restore only to an empty
database. The secret key is never included: it is not in a table.
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
    """A verified backup."""

    path: Path
    schema: str
    """Version of the tables."""
    rows: Mapping[str, int]
    """Number of rows by table."""
    size_bytes: int


def back_up(url: str, path: Path) -> BackedUp:
    """Write a backup of the database at that URL. Raises StoreDamaged with the reason if it fails."""
    if is_postgresql(url):
        from findable.store.backup_postgres import back_up as back_up_postgresql  # noqa: PLC0415 - the driver is an extra

        return back_up_postgresql(url, path)
    from findable.store.backup_sqlite import back_up as back_up_file  # noqa: PLC0415 - only one of the two is needed

    return back_up_file(Path(url.removeprefix(SQLITE)), path)


def restore(path: Path, url: str) -> BackedUp:
    """Restore a backup to an empty database, migrated to the newest schema.

    Raises StoreDamaged if the file is not a backup, belongs to the other kind of database, is damaged or was made by a newer version, or if
    the target is not empty.
    """
    if is_postgresql(url):
        from findable.store.backup_postgres import restore as restore_postgresql  # noqa: PLC0415 - the driver is an extra

        return restore_postgresql(path, url)
    from findable.store.backup_sqlite import restore as restore_file  # noqa: PLC0415 - only one of the two is needed

    return restore_file(path, Path(url.removeprefix(SQLITE)))


@contextlib.contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """Yield a path beside the file, renamed to the file's name after the block, or removed if the block raised.

    Raises StoreDamaged if the file exists already or the disk fails.
    """
    if path.exists():
        raise StoreDamaged(f"{path} exists already and is not overwritten")
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        os.close(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        yield beside
        sync(beside)
        os.link(beside, path)  # unlike a rename, this never overwrites
        sync(path.parent)
    except FileExistsError as error:
        raise StoreDamaged(f"{path} exists already and is not overwritten") from error
    except OSError as error:
        raise StoreDamaged(f"{path} cannot be written: {error.strerror}") from error
    finally:
        beside.unlink(missing_ok=True)


def sync(path: Path) -> None:
    """Flush the file or directory to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
