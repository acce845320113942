"""Cache of site data shared by reports: a hundred reports of one site make one set of site requests."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, Protocol

from msgspec import Struct
from msgspec.structs import replace

from findable.capture.response import Failure, ProbeResponse
from findable.capture.site import SiteCapture
from findable.clock import monotonic_s

KEPT_S = 900.0
MAX_SITES = 256
MAX_LINKS = 5000
_REPORT_FAILURES = frozenset({Failure.BUDGET, Failure.PAUSED, Failure.NO_ROUTE, Failure.NOT_ASKED})
"""Failures that concern one report and not the link: their results are not cached."""


def site_key_of(account: str, origin: str, preview_of: str = "") -> str:
    """Return the key of a site. Accounts share no responses, and neither do a preview and its live site."""
    return f"{account} {origin} {preview_of}".rstrip()


class SiteCache(Protocol):
    """Cache of sites and their links, by the keys of `site_key_of`."""

    async def site_of(self, key: str, make: Callable[[], Coroutine[Any, Any, SiteCapture]]) -> SiteCapture:
        """Return the cached capture of the site with all known link responses, or that of ``make``, which runs once at a time."""

    def add_links(self, key: str, responses: Iterable[ProbeResponse]) -> None:
        """Cache the link responses of a report for later reports of the same site."""


class _Entry(Struct):
    made_at_s: float
    task: asyncio.Task[SiteCapture]
    links: dict[str, ProbeResponse]


class MemorySiteCache:
    """Cache of one process, bound to one event loop."""

    def __init__(self) -> None:
        self._entries: dict[str, _Entry] = {}

    async def site_of(self, key: str, make: Callable[[], Coroutine[Any, Any, SiteCapture]]) -> SiteCapture:
        """See `SiteCache.site_of`. An error of ``make`` is raised in all waiting reports and not cached."""
        entry = self._entries.get(key)
        if entry is None or self._is_stale(entry):
            self._make_room()
            entry = _Entry(monotonic_s(), asyncio.create_task(make()), {})
            self._entries[key] = entry
        # Shielded: cancelling one report must not cancel the fetch for others that wait for it.
        site = await asyncio.shield(entry.task)
        return replace(site, links=tuple(entry.links.values())) if entry.links else site

    def add_links(self, key: str, responses: Iterable[ProbeResponse]) -> None:
        """See `SiteCache.add_links`."""
        entry = self._entries.get(key)
        if entry is None:
            return
        for response in responses:
            if response.failure not in _REPORT_FAILURES and len(entry.links) < MAX_LINKS:
                entry.links.setdefault(response.url, response)

    def known_links(self, key: str) -> dict[str, ProbeResponse]:
        """Return the link responses of the site by URL."""
        entry = self._entries.get(key)
        return dict(entry.links) if entry else {}

    def add_age(self, key: str, seconds: float) -> None:
        """Increase the age of an entry by the time since another process fetched it."""
        entry = self._entries.get(key)
        if entry is not None:
            entry.made_at_s -= seconds

    def delete(self, key: str) -> None:
        """Remove the site, so that its next report fetches it again."""
        self._entries.pop(key, None)

    def _is_stale(self, entry: _Entry) -> bool:
        if monotonic_s() - entry.made_at_s > KEPT_S:
            return True
        return entry.task.done() and (entry.task.cancelled() or entry.task.exception() is not None)

    def _make_room(self) -> None:
        for key in [key for key, entry in self._entries.items() if self._is_stale(entry)]:
            del self._entries[key]
        while len(self._entries) >= MAX_SITES:
            del self._entries[next(iter(self._entries))]
