"""Fetchers: one shared, and a separate one for each login, so that nothing leaks between them.

A fetcher caches robots.txt files, sitemap listings and link responses. Responses to a login may differ from public ones and must not be
shared.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from msgspec import Struct

from findable.fetch.fetcher import Fetcher
from findable.fetch.politeness import Politeness
from findable.fetch.site_cache import MemorySiteCache

MAX_IDLE = 8
"""Maximum number of idle fetchers with a login that stay open."""


class CachedFetcher(Struct):
    """A fetcher with its site cache, and the number of jobs that use it."""

    fetcher: Fetcher
    sites: MemorySiteCache
    users: int = 0


class Fetchers:
    """Fetchers by key, bound to the event loop that first uses them.

    Args:
        make: creates a fetcher that shares politeness with the others, since hosts see one client.
        politeness: shared by all fetchers; created here if not given.
        sites: site cache of the shared fetcher.
    """

    def __init__(
        self, make: Callable[[Politeness], Fetcher], politeness: Politeness | None = None, sites: MemorySiteCache | None = None
    ) -> None:
        self._make = make
        self._politeness = politeness or Politeness()
        self._sites = sites or MemorySiteCache()
        self._fetchers: dict[str, CachedFetcher] = {}

    @asynccontextmanager
    async def of(self, key: str = "") -> AsyncIterator[CachedFetcher]:
        """Yield the shared fetcher, or the one of the key."""
        memory = self._fetchers.pop(key, None) or CachedFetcher(self._make(self._politeness), MemorySiteCache() if key else self._sites)
        self._fetchers[key] = memory  # the most recently used entry comes last
        memory.users += 1
        try:
            yield memory
        finally:
            memory.users -= 1
            await self._close_spare()

    async def _close_spare(self) -> None:
        idle = [key for key, memory in self._fetchers.items() if key and not memory.users]
        for memory in [self._fetchers.pop(key) for key in idle[: max(0, len(idle) - MAX_IDLE)]]:
            await memory.fetcher.close()

    async def close(self) -> None:
        """Close all connections and cancel running requests."""
        while self._fetchers:
            await self._fetchers.popitem()[1].fetcher.close()
