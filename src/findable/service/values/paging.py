"""A page of a list."""

from typing import Generic, TypeVar

from msgspec import Struct

Item = TypeVar("Item")
PER_PAGE = (10, 25, 50, 100)


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

    @property
    def last_page(self) -> int:
        """Number of the last page, computed from `total`, at least 1."""
        return max(1, -(-self.total // self.per_page))
