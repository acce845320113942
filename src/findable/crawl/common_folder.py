"""The deepest folder of most of many paths."""

import heapq
from collections import Counter
from collections.abc import Iterable


class CommonFolder:
    """Finds the deepest folder of most of many paths, which are added in any order; those of one folder at best one after the other.

    Only the largest folders are kept in memory, and those of the last path.
    """

    def __init__(self) -> None:
        self._count = 0
        self._only: str | None = None
        """The path, as long as all paths are the same."""
        self._counts: Counter[str] = Counter()
        self._last, self._last_count = "", 0
        """Folder of the last paths, and their number, which `_counts` does not contain yet."""

    def add(self, path: str) -> None:
        """Count a path."""
        folder = path[: path.rfind("/") + 1]
        if folder != self._last:
            self._count_last()
            self._last = folder
        if not self._count:
            self._only = path
        elif path != self._only:
            self._only = None
        self._count += 1
        self._last_count += 1

    @property
    def name(self) -> str:
        """Deepest folder of MAX_PATHS of the paths, like ``/products/*``; the path itself if all are the same; empty for none."""
        if self._only is not None:
            return self._only
        self._count_last()
        most = [folder for folder, count in self._counts.items() if count >= MAX_PATHS * self._count]
        return f"{max(most, key=lambda folder: (folder.count('/'), folder))}*" if most else ""

    def _count_last(self) -> None:
        count, self._last_count = self._last_count, 0
        folders = _folders_of(self._last)
        for folder in folders if count else ():
            self._counts[folder] += count
        if len(self._counts) > MAX_FOLDERS:
            largest = heapq.nsmallest(MAX_FOLDERS // 2, self._counts.items(), key=lambda item: (-item[1], item[0]))
            self._counts = Counter(dict(largest) | {folder: self._counts[folder] for folder in folders})


def _folders_of(folder: str) -> list[str]:
    return [folder[: at + 1] for at, character in enumerate(folder) if character == "/"]


def common_folder(paths: Iterable[str]) -> str:
    """Return the name of `CommonFolder` for some paths."""
    common = CommonFolder()
    for path in paths:
        common.add(path)
    return common.name


MAX_PATHS = 0.8
"""Share of a template's pages in a folder from which the template is named after it."""
MAX_FOLDERS = 2000
"""Number of folders that are counted at a time."""
