"""Projects and reports of another server with the API of Findable, read page by page within limits."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from typing import TypeVar
from urllib.parse import parse_qs, urlencode, urlsplit

import msgspec
from msgspec import Raw, Struct

from findable.errors import SettingError
from findable.fetch.fetcher import Fetcher
from findable.service.runtime.json_requests import JsonRequest, UnexpectedResponse, read_json
from findable.service_urls import API
from findable.urls import MAX_URL_CHARS, parse

T = TypeVar("T")
PER_PAGE = 100
MAX_ROWS = 100_000
"""Maximum number of projects, and of reports, that are read."""
MAX_KEY_CHARS = 500
RESPONSE_BYTES = 10_000_000
DEADLINE_S = 60.0
ATTEMPTS = 5
LONGEST_PAUSE_S = 120.0
RETRY_S = 5.0
_TRANSIENT = frozenset({0, 429, 502, 503, 504})
"""Status codes of requests that are retried; 0 for no response."""


class SourceProject(Struct, frozen=True):
    """Project in the list of the server."""

    project: str
    created_at: str | None = None


class SourceReport(Struct, frozen=True):
    """Report in the list of the server."""

    id: int
    url: str
    result: str | None = None
    privacy: int | None = None
    generated_at: str | None = None
    created_at: str | None = None


class _Links(Struct, frozen=True):
    next: str | None = None


class _Page(Struct, frozen=True):
    data: tuple[Raw, ...]
    links: _Links | None = None


class SourceServer:
    """Server to import from. Raises SettingError for an invalid URL or key.

    Args:
        base_url: base URL, without `/api/v1`.
        key: API key of that server; it is sent to no other server.
        fetcher: fetcher whose guard allows the host.
    """

    def __init__(self, base_url: str, key: str, fetcher: Fetcher) -> None:
        self.api = f"{base_url_of(base_url)}{API}"
        self.host = urlsplit(self.api).hostname or ""
        if not 0 < len(key) <= MAX_KEY_CHARS or not (key.isascii() and key.isprintable()):
            raise SettingError("--key", "is not an API key")
        self._key = key
        self._fetcher = fetcher

    def projects(self) -> AsyncIterator[tuple[list[SourceProject], int]]:
        """Yield pages of projects, oldest first, with the number of invalid rows. Raises UnexpectedResponse."""
        return self._rows("projects", "created_at", SourceProject, lambda row: row.project)

    def reports(self) -> AsyncIterator[tuple[list[SourceReport], int]]:
        """Yield pages of reports, oldest first, with the number of invalid rows. Raises UnexpectedResponse."""
        return self._rows("reports", "id", SourceReport, lambda row: str(row.id))

    async def _rows(self, name: str, sort_by: str, kind: type[T], name_of: Callable[[T], str]) -> AsyncIterator[tuple[list[T], int]]:
        place = {"page": "1"}
        seen: set[str] = set()
        while len(seen) < MAX_ROWS:
            page = await self._read(name, {"sort_by": sort_by, "sort": "asc", "per_page": str(PER_PAGE), **place})
            rows = [row for row in (_row_of(raw, kind) for raw in page.data) if row is not None]
            fresh = {name_of(row): row for row in rows if name_of(row) not in seen}
            yield list(fresh.values())[: MAX_ROWS - len(seen)], len(page.data) - len(rows)
            following = _next_place(page, place)
            if not fresh or following is None:  # a server that repeats a page would cause an endless loop
                return
            seen |= fresh.keys()
            place = following

    async def _read(self, name: str, query: Mapping[str, str]) -> _Page:
        request = JsonRequest(
            f"{self.api}/{name}?{urlencode(query)}",
            deadline_s=DEADLINE_S,
            max_bytes=RESPONSE_BYTES,
            lines=(("Authorization", f"Bearer {self._key}"),),
            is_strict=False,
        )
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return await read_json(self._fetcher, request, _Page)
            except UnexpectedResponse as error:
                if error.status not in _TRANSIENT or attempt == ATTEMPTS:
                    raise
                await asyncio.sleep(min(error.retry_after_s or RETRY_S * attempt, LONGEST_PAUSE_S))
        raise AssertionError  # the last attempt returns or raises


def base_url_of(text: str) -> str:
    """Return the base URL, without `/api/v1` and a trailing slash. Raises SettingError."""
    url = parse(text.strip())
    if url is None or not url.is_http or not url.host or url.has_login or url.query or len(text) > MAX_URL_CHARS:
        raise SettingError("--from", "is not an http or https URL without login and query")
    return url.href.partition("#")[0].rstrip("/").removesuffix(API).rstrip("/")


def _row_of(raw: Raw, kind: type[T]) -> T | None:
    try:
        return msgspec.json.decode(raw, type=kind, strict=False)
    except msgspec.DecodeError:
        return None


def _next_place(page: _Page, place: Mapping[str, str]) -> dict[str, str] | None:
    """Return the parameter of the next page. The rest of the server's link is ignored: the key is sent to no other URL."""
    if page.links is None:
        return {"page": str(int(place["page"]) + 1)} if len(page.data) >= PER_PAGE else None
    if not page.links.next:
        return None
    linked = parse_qs(urlsplit(page.links.next).query)
    for name in ("cursor", "page"):
        if name in linked:
            return {name: linked[name][0]}
    return None
