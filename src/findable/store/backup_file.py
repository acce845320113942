"""Backup files, which are written completely or not at all."""

import contextlib
import os
import secrets
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from findable.store.database_errors import StoreDamaged, unusable_file


class VerifiedBackup(Struct, frozen=True):
    """Verified backup file: its schema version, and the number of rows by table."""

    path: Path
    schema: str
    """Version of the tables."""
    rows: Mapping[str, int]
    """Number of rows by table."""
    size_bytes: int


@contextlib.contextmanager
def write_atomically(path: Path) -> Iterator[Path]:
    """Yield a path beside the file, linked under the file's name after the block, and always removed.

    Raises StoreDamaged if the file exists already or the disk fails.
    """
    if path.exists():
        raise StoreDamaged(f"{path} exists already and is not overwritten")
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        os.close(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        yield beside
        sync(beside)
        os.link(beside, path)  # unlike a rename, a link never overwrites
        sync(path.parent)
    except FileExistsError as error:
        raise StoreDamaged(f"{path} exists already and is not overwritten") from error
    except OSError as error:
        raise unusable_file(path, error) from error
    finally:
        with contextlib.suppress(OSError):  # a read-only disk has none
            beside.unlink(missing_ok=True)


def sync(path: Path) -> None:
    """Flush the file or directory to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
