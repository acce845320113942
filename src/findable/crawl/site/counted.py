"""Counters of pages, or other items, with one property, with the first ones as examples."""

from collections.abc import Iterable
from typing import Generic, TypeVar

from findable.capture.crawl import Group
from findable.capture.site_graph import URL_LIMIT
from findable.crawl.common_folder import CommonFolder
from findable.urls import path_of

T = TypeVar("T")


class Counted(Generic[T]):
    """Counter of items with one property, with the first ones as examples.

    Args:
        kept: maximum number of examples.
    """

    def __init__(self, kept: int = URL_LIMIT) -> None:
        self.count = 0
        self.first: list[T] = []
        self._kept = kept

    def add(self, item: T) -> None:
        """Count an item."""
        self.count += 1
        if len(self.first) < self._kept:
            self.first.append(item)


class CountedPages(Counted[str]):
    """Counter of URLs of pages with one property."""

    def as_group(self, name: str) -> Group | None:
        """Return the pages as a group; None if there are none."""
        return Group(name, self.count, tuple(self.first)) if self.count else None


class PagesOfFolder(Counted[str]):
    """Counter of URLs of pages with one property, which are named by their common folder."""

    def __init__(self) -> None:
        super().__init__()
        self._folder = CommonFolder()

    def add(self, item: str) -> None:
        """Count a page."""
        super().add(item)
        self._folder.add(path_of(item))

    def as_group(self) -> Group:
        """Return the pages as a group."""
        return Group(self._folder.name, self.count, tuple(self.first))


def group_of_pages(urls: Iterable[str]) -> Group | None:
    """Return pages as a group that is named by their common folder; None if there are none."""
    pages = PagesOfFolder()
    for url in urls:
        pages.add(url)
    return pages.as_group() if pages.count else None
