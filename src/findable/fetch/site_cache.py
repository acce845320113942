"""What belongs to a site, shared between reports: a hundred reports of one site cost one set of site requests."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, Protocol

from msgspec import Struct
from msgspec.structs import replace

from findable.capture.page import SiteCapture
from findable.capture.response import Answer, Failure
from findable.clock import monotonic_s

KEPT_S = 900.0
MAX_SITES = 256
MAX_LINKS = 5000
_OURS = frozenset({Failure.BUDGET, Failure.PAUSED, Failure.NO_ROUTE, Failure.NOT_ASKED})
"""These say something about one report, not about the link."""


class SiteCache(Protocol):
    """What a report needs of a cache. ``key`` names account and origin."""

    async def site_of(self, key: str, make: Callable[[], Coroutine[Any, Any, SiteCapture]]) -> SiteCapture:
        """The capture of the site where it is fresh, with the link answers known by now; else what ``make`` gives, made once at a time."""
        ...

    def add_links(self, key: str, answers: Iterable[Answer]) -> None:
        """Remembers link answers of one report for the next ones of that site."""
        ...


class _Entry(Struct):
    made_at_s: float
    task: asyncio.Task[SiteCapture]
    links: dict[str, Answer]


class MemorySiteCache:
    """The cache of one process, bound to one event loop.

    Args:
        kept_s: how long a site's answers are shared.
    """

    def __init__(self, kept_s: float = KEPT_S) -> None:
        self._kept_s = kept_s
        self._entries: dict[str, _Entry] = {}

    async def site_of(self, key: str, make: Callable[[], Coroutine[Any, Any, SiteCapture]]) -> SiteCapture:
        """See `SiteCache.site_of`. A failure of ``make`` is raised to all who wait for it and not remembered."""
        entry = self._entries.get(key)
        if entry is None or self._is_stale(entry):
            self._make_room()
            entry = _Entry(monotonic_s(), asyncio.create_task(make()), {})
            self._entries[key] = entry
        # Shielded: a report that is cancelled does not take the site from the others who wait for it.
        site = await asyncio.shield(entry.task)
        return replace(site, links=tuple(entry.links.values())) if entry.links else site

    def add_links(self, key: str, answers: Iterable[Answer]) -> None:
        """See `SiteCache.add_links`."""
        entry = self._entries.get(key)
        if entry is None:
            return
        for answer in answers:
            if answer.failure not in _OURS and len(entry.links) < MAX_LINKS:
                entry.links.setdefault(answer.url, answer)

    def known_links(self, key: str) -> dict[str, Answer]:
        """The link answers of that site by their addresses."""
        entry = self._entries.get(key)
        return dict(entry.links) if entry else {}

    def aged(self, key: str, seconds: float) -> None:
        """What is known of the site is older by so much: somebody else asked."""
        entry = self._entries.get(key)
        if entry is not None:
            entry.made_at_s -= seconds

    def forget(self, key: str) -> None:
        """The next report of that site asks anew."""
        self._entries.pop(key, None)

    def _is_stale(self, entry: _Entry) -> bool:
        if monotonic_s() - entry.made_at_s > self._kept_s:
            return True
        return entry.task.done() and (entry.task.cancelled() or entry.task.exception() is not None)

    def _make_room(self) -> None:
        for key in [key for key, entry in self._entries.items() if self._is_stale(entry)]:
            del self._entries[key]
        while len(self._entries) >= MAX_SITES:
            del self._entries[next(iter(self._entries))]
