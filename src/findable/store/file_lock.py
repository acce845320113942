"""One service on one file: an advisory lock that the kernel gives back when its holder dies, however it dies."""

import fcntl
import os
from pathlib import Path

from findable.store.database_errors import StoreDamaged


class FileLock:
    """A lock file; it stays where it is and is empty or names the process that holds it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._descriptor: int | None = None

    @property
    def taken(self) -> bool:
        """Whether we hold it."""
        return self._descriptor is not None

    def take(self) -> None:
        """Raises StoreDamaged where another process holds it."""
        descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.read(descriptor, 20).decode("ascii", "replace").strip()
            os.close(descriptor)
            raise StoreDamaged(f"the database is in use by another `findable serve` (process {holder or 'unknown'})") from error
        os.ftruncate(descriptor, 0)
        os.write(descriptor, str(os.getpid()).encode())
        self._descriptor = descriptor

    def give_back(self) -> None:
        """Nothing where it is not held."""
        if self._descriptor is not None:
            os.ftruncate(self._descriptor, 0)
            os.close(self._descriptor)
            self._descriptor = None
