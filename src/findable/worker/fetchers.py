"""One fetcher for everybody, and one apart for each way to introduce oneself: what it remembers of a site is nobody else's business.

A fetcher remembers robots.txt files, what sitemaps list and the answers of links. Asked for with a login, they may differ from what
others get, and others must not see them.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from msgspec import Struct

from findable.fetch.client import Fetcher
from findable.fetch.politeness import Politeness
from findable.fetch.site_cache import MemorySiteCache

KEPT = 8
"""Fetchers with a login of their own that are kept when nobody uses them."""


class Memory(Struct):
    """A fetcher with what is known of sites through it."""

    fetcher: Fetcher
    sites: MemorySiteCache
    users: int = 0


class Fetchers:
    """Bound to the event loop in which it is first used.

    Args:
        make: a fetcher that shares its politeness with the others: hosts do not care who of us asks.
        politeness: of all of them; one of their own where not given.
        sites: what is known of sites to the one for everybody.
    """

    def __init__(
        self, make: Callable[[Politeness], Fetcher], politeness: Politeness | None = None, sites: MemorySiteCache | None = None
    ) -> None:
        self._make = make
        self._politeness = politeness or Politeness()
        self._sites = sites or MemorySiteCache()
        self._kept: dict[str, Memory] = {}

    @asynccontextmanager
    async def of(self, key: str = "") -> AsyncIterator[Memory]:
        """The one for everybody, or the one of that key."""
        memory = self._kept.pop(key, None) or Memory(self._make(self._politeness), MemorySiteCache() if key else self._sites)
        self._kept[key] = memory  # the last one used stands last
        memory.users += 1
        try:
            yield memory
        finally:
            memory.users -= 1
            await self._close_spare()

    async def _close_spare(self) -> None:
        idle = [key for key, memory in self._kept.items() if key and not memory.users]
        for memory in [self._kept.pop(key) for key in idle[: max(0, len(idle) - KEPT)]]:
            await memory.fetcher.close()

    async def close(self) -> None:
        """Closes every connection; what still runs is cancelled."""
        while self._kept:
            await self._kept.popitem()[1].fetcher.close()
