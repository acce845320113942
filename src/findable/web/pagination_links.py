"""Links from a page of a list to its other pages."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from msgspec import Struct

from findable.service.values.paging import Page

DEEP = 10_000
"""Row from which links contain a cursor, because skipping so many rows is slow."""


class ListLinks(Struct, frozen=True):
    """URLs of other pages of a list; `prev` and `next` contain page numbers near the start of the list, and cursors after that."""

    first: str
    last: str | None
    prev: str | None
    next: str | None
    prev_cursor: str | None
    next_cursor: str | None


def list_links(page: Page[Any], path: str, query: Mapping[str, Any]) -> ListLinks:
    """Return the links to the other pages of a list, with the other parameters of the query unchanged."""
    base = _list_url(path, query, "page", "cursor")

    def by_cursor(cursor: str | None) -> str | None:
        return f"{base}cursor={cursor}" if cursor else None

    previous, following = by_cursor(page.prev_cursor), by_cursor(page.next_cursor)
    is_shallow = page.page is not None and following and page.page * page.per_page < DEEP
    return ListLinks(
        first=f"{base}page=1",
        last=None if page.total_is_estimate else f"{base}page={page.last_page}",
        prev=f"{base}page={page.page - 1}" if page.page is not None and page.page > 1 else previous,
        next=f"{base}page={page.page + 1}" if page.page is not None and is_shallow else following,
        prev_cursor=previous,
        next_cursor=following,
    )


def links_forward(path: str, query: Mapping[str, Any], name: str, following: int | str | None) -> ListLinks:
    """Return the links of a list that has no previous pages. ``name``: parameter with the position; ``following``: its next value."""
    base = _list_url(path, query, name)
    further = None if following is None else f"{base}{name}={following}"
    return ListLinks(first=base[:-1], last=None, prev=None, next=further, prev_cursor=None, next_cursor=further)


def _list_url(path: str, query: Mapping[str, Any], *without: str) -> str:
    """Return the URL of a list without some parameters, up to the place where one more parameter can be appended."""
    kept = {name: value for name, value in query.items() if name not in without and isinstance(value, str)}
    return f"{path}?{urlencode(kept)}&" if kept else f"{path}?"


def link_header(links: ListLinks) -> str:
    """Return the `Link` header of a list (RFC 8288)."""
    found = {"first": links.first, "prev": links.prev, "next": links.next, "last": links.last}
    return ", ".join(f'<{url}>; rel="{name}"' for name, url in found.items() if url)
