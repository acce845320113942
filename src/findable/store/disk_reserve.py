"""A file that takes up room on purpose: when the disk is full it is removed, so that deleting (which writes) still works."""

import contextlib
import os
from pathlib import Path

RESERVE_BYTES = 16 * 1024 * 1024
_KEPT_FREE = 8
"""The reserve is made only where this many times its size is free."""


class Reserve:
    """The file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def keep(self) -> None:
        """Makes the file where it is missing and there is room."""
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
        """Removes the file; False where there was none."""
        with contextlib.suppress(FileNotFoundError):
            self.path.unlink()
            return True
        return False
