"""File that reserves disk space. When the disk is full, the file is removed, because deleting rows needs disk space too."""

import contextlib
import os
from pathlib import Path

RESERVE_BYTES = 16 * 1024 * 1024
_KEPT_FREE = 8
"""Multiple of the reserve that must be free before it is created."""


class Reserve:
    """File that reserves disk space beside a database."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def keep(self) -> None:
        """Create the file if it is missing and the disk has space."""
        if self.path.exists():
            return
        room = os.statvfs(self.path.parent)
        if room.f_bavail * room.f_frsize < _KEPT_FREE * RESERVE_BYTES:
            return
        descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT, 0o600)
        try:
            os.posix_fallocate(descriptor, 0, RESERVE_BYTES)
        except OSError:
            self.use()
        finally:
            os.close(descriptor)

    def use(self) -> bool:
        """Remove the file to free its disk space; return False if there was none."""
        with contextlib.suppress(FileNotFoundError):
            self.path.unlink()
            return True
        return False
