"""A page of a list: its bounds, its cursors, and how it is cut from rows."""

import base64
import binascii
import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, Literal, TypeVar, get_args

from msgspec import Struct

from findable.errors import ValidationFailed, require_valid
from findable.store.rows import Position

EXACT_UP_TO = 10_000
MAX_OFFSET = 2**62
MAX_SEARCH_CHARS = 2048
Item = TypeVar("Item")
Other = TypeVar("Other")
Row = TypeVar("Row")
_encode = json.JSONEncoder(separators=(",", ":")).encode
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


class ListOrder(Struct, frozen=True):
    """Order of a list, which its cursors contain."""

    sort: str
    descending: bool = False


def cut(
    rows: Sequence[Row],
    total: int,
    query: PagedQuery,
    position: Position | None,
    order: ListOrder,
    key: Callable[[Row], tuple[Any, int]],
    *,
    is_counted: bool = True,
) -> Page[Row]:
    """Return a page from rows that include one extra row, which shows whether there are more.

    Args:
        rows: rows of the page, and the extra one.
        total: number of rows of the whole list.
        query: requested page.
        position: decoded cursor of the query.
        order: order of the list.
        key: returns sort key and id of a row, which cursors contain.
        is_counted: whether ``total`` is exact; otherwise it is limited to EXACT_UP_TO.
    """

    def cursor(row: Row, *, backwards: bool) -> str:
        return cursor_of(order.sort, *key(row), descending=order.descending, backwards=backwards)

    backwards = position is not None and position.backwards
    more = len(rows) > query.per_page
    items = tuple(rows[-query.per_page :] if backwards else rows[: query.per_page])
    has_next = more or backwards
    has_prev = (more if backwards else position is not None or query.page > 1) and bool(items)
    return Page(
        items,
        total if is_counted else min(total, EXACT_UP_TO),
        total_is_estimate=not is_counted and total > EXACT_UP_TO,
        per_page=query.per_page,
        page=None if position is not None else query.page,
        next_cursor=cursor(items[-1], backwards=False) if items and has_next else None,
        prev_cursor=cursor(items[0], backwards=True) if has_prev else None,
    )


def cut_sorted(
    rows: Sequence[Row], total: int, query: PagedQuery, order: ListOrder, key: Callable[[Row], tuple[Any, int]], *, is_counted: bool = True
) -> Page[Row]:
    """Return a page of a list whose rows are all read, and sorted by ``key``; arguments like `cut`. Raises ValidationFailed."""
    position = position_of(query.cursor, order.sort, descending=order.descending)
    start, end = query.offset, query.offset + query.per_page + 1
    if position is not None:
        at = (position.key, position.id)
        earlier = sum(key(row) > at if order.descending else key(row) < at for row in rows)
        start = earlier + any(key(row) == at for row in rows)
        start, end = (max(0, earlier - query.per_page - 1), earlier) if position.backwards else (start, start + query.per_page + 1)
    return cut(rows[start:end], total, query, position, order, key, is_counted=is_counted)


def require_bounds(per_page: int, page: int, search: str) -> None:
    """Raise ValidationFailed for values out of range."""
    errors: dict[str, list[str]] = {}
    if per_page not in PER_PAGE:
        errors["per_page"] = [f"The per_page must be one of: {', '.join(map(str, PER_PAGE))}."]
    if not 1 <= page <= MAX_OFFSET // max(PER_PAGE):
        errors["page"] = ["The page must be at least 1."]
    if len(search) > MAX_SEARCH_CHARS:
        errors["search"] = [f"The search must not be longer than {MAX_SEARCH_CHARS} characters."]
    require_valid(errors)


def cursor_of(sort: str, key: Any, row_id: int, *, descending: bool, backwards: bool) -> str:
    """Encode a position in a list as an opaque cursor."""
    text = _encode([sort, int(descending), key, row_id, int(backwards)])
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def position_of(cursor: str, sort: str, *, descending: bool) -> Position | None:
    """Decode a cursor for a list with the same order; None without a cursor. Raises ValidationFailed."""
    if not cursor:
        return None
    try:
        made_for, downwards, key, row_id, backwards = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (ValueError, TypeError, binascii.Error, RecursionError):
        raise _wrong_cursor() from None
    textual = sort in {"url", "project"}
    fits = made_for == sort and downwards == int(descending) and isinstance(key, str if textual else int) and isinstance(row_id, int)
    # Databases reject lone surrogates and NUL.
    if not fits or abs(row_id) > MAX_OFFSET or (not key.isprintable() if textual else abs(key) > MAX_OFFSET):
        raise _wrong_cursor()
    return Position(key, row_id, bool(backwards))


def _wrong_cursor() -> ValidationFailed:
    return ValidationFailed({"cursor": ["The cursor does not belong to this list."]})
