"""Files with tables of settled crawls, stored for the next questions."""

import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct

from findable.clock import monotonic_s

MAX_BYTES = 2_000_000_000
IDLE_S = 600.0
"""Time after which a file that no question used is deleted."""


class TableKey(Struct, frozen=True):
    """Table of a version of a crawl."""

    project_id: int
    crawl_id: int
    version: str
    table: str


class _StoredFile(Struct):
    path: Path
    size_bytes: int
    used_s: float


class TableFiles:
    """Files of tables, each written once for a version of a crawl.

    A question reads hard links of its own, so that files may be deleted at any time.
    """

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        self._max_bytes = max_bytes
        self._lock = threading.Lock()
        self._files: OrderedDict[TableKey, _StoredFile] = OrderedDict()
        self._names = count()
        self._folder: TemporaryDirectory[str] | None = None
        self._timer: threading.Timer | None = None

    @contextmanager
    def folder(self) -> Iterator[Path]:
        """Create a folder for the files of one question."""
        with self._lock:
            self._folder = self._folder or TemporaryDirectory(prefix="findable-tables-")
        with TemporaryDirectory(dir=self._folder.name) as name:
            yield Path(name)

    def provide(self, key: TableKey, path: Path, write: Callable[[Path], None]) -> None:
        """Link the stored file of a version to ``path``; without one, write the file there and store it."""
        with self._lock:
            found = self._files.get(key)
            if found is not None:
                found.used_s = monotonic_s()
                self._files.move_to_end(key)
                os.link(found.path, path)
                return
        write(path)
        with self._lock:
            stored = self._stored_path()
            os.link(path, stored)
            self._delete(key)
            self._files[key] = _StoredFile(stored, path.stat().st_size, monotonic_s())
            while sum(one.size_bytes for one in self._files.values()) > self._max_bytes:
                self._delete(next(iter(self._files)))
            if self._timer is None:
                self._start_timer()

    def forget(self, *, crawl_id: int = 0, project_id: int = 0) -> None:
        """Delete the files of a crawl, or of the crawls of a project."""
        with self._lock:
            for key in [key for key in self._files if key.crawl_id == crawl_id or key.project_id == project_id]:
                self._delete(key)

    def close(self) -> None:
        """Delete all files."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
            if self._folder is not None:
                self._folder.cleanup()

    def _stored_path(self) -> Path:
        if self._folder is None:
            raise ValueError("the folder of the question is missing")
        return Path(self._folder.name) / f"{next(self._names)}.sqlite"

    def _start_timer(self) -> None:
        self._timer = threading.Timer(IDLE_S, self._delete_idle)
        self._timer.daemon = True
        self._timer.start()

    def _delete_idle(self) -> None:
        with self._lock:
            for key in [key for key, one in self._files.items() if monotonic_s() - one.used_s >= IDLE_S]:
                self._delete(key)
            self._timer = None
            if self._files:
                self._start_timer()

    def _delete(self, key: TableKey) -> None:
        found = self._files.pop(key, None)
        if found is not None:
            found.path.unlink(missing_ok=True)
