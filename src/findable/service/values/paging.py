"""A page of a list."""

from collections.abc import Iterable
from typing import Generic, Literal, TypeVar, get_args

from msgspec import Struct

Item = TypeVar("Item")
Other = TypeVar("Other")
PerPage = Literal[10, 25, 50, 100]
"""Sizes of a page of a list, in pages, the API and the tools of agents."""
PER_PAGE: tuple[int, ...] = get_args(PerPage)


class PagedQuery(Struct, frozen=True, kw_only=True):
    """Query for one page of a list. `cursor` overrides `page`."""

    per_page: int = 10
    page: int = 1
    cursor: str = ""

    @property
    def offset(self) -> int:
        """Number of items before the page; 0 with a cursor."""
        return 0 if self.cursor else (self.page - 1) * self.per_page


class Page(Struct, Generic[Item], frozen=True):
    """One page of a list."""

    items: tuple[Item, ...]
    total: int
    total_is_estimate: bool
    """Whether `total` is only a lower bound; exact up to 10,000."""
    per_page: int
    page: int | None
    """Page number; None for a page requested by cursor."""
    next_cursor: str | None
    prev_cursor: str | None

    def with_items(self, items: Iterable[Other]) -> "Page[Other]":
        """Return the page with other items, one for each of its items."""
        return Page(tuple(items), self.total, self.total_is_estimate, self.per_page, self.page, self.next_cursor, self.prev_cursor)

    @property
    def last_page(self) -> int:
        """Number of the last page, computed from `total`, at least 1."""
        return max(1, -(-self.total // self.per_page))


def empty_page(query: PagedQuery) -> Page[Item]:
    """Return a page without items."""
    return Page((), 0, total_is_estimate=False, per_page=query.per_page, page=query.page, next_cursor=None, prev_cursor=None)
