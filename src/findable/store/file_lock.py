"""Lock that allows one service per file: an advisory lock that the kernel releases when the process ends."""

import contextlib
import fcntl
import os
from pathlib import Path

from findable.store.database_errors import StoreDamaged, unusable_file


class FileLock:
    """Lock on a file, which remains when the lock is released. It contains the id of the process that holds the lock."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._descriptor: int | None = None

    @property
    def is_locked(self) -> bool:
        """Whether this process holds the lock."""
        return self._descriptor is not None

    def take(self) -> None:
        """Acquire the lock. Raises StoreDamaged if another process holds it."""
        try:
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise unusable_file(self.path, error) from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.read(descriptor, 20).decode("ascii", "replace").strip()
            os.close(descriptor)
            raise StoreDamaged(f"the database is in use by another `findable serve` (process {holder or 'unknown'})") from error
        with contextlib.suppress(OSError):  # the lock holds on a full disk too
            os.ftruncate(descriptor, 0)
            os.write(descriptor, str(os.getpid()).encode())
        self._descriptor = descriptor

    def release(self) -> None:
        """Release the lock; do nothing if it is not held."""
        if self._descriptor is not None:
            os.ftruncate(self._descriptor, 0)
            os.close(self._descriptor)
            self._descriptor = None
