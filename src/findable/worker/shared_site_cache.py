"""Site cache of a worker, backed by the database that workers share."""

import logging
from collections.abc import Callable, Coroutine, Iterable
from typing import Any

from findable.capture.response import ProbeResponse
from findable.capture.site import SiteCapture
from findable.errors import Unavailable
from findable.fetch.site_cache import MemorySiteCache
from findable.service.runtime.service import Service
from findable.service.sites import known_sites
from findable.worker.store_writes import BackgroundStore

SHARED = "the responses of a site"
_log = logging.getLogger(__name__)


class SharedSiteCache(MemorySiteCache):
    """A `SiteCache` over several processes, for responses without a login only: they are stored unchanged.

    Two workers that start at the same moment may both fetch a site; at most `FixedSettings.host_concurrency` do.
    """

    def __init__(self, service: Service) -> None:
        super().__init__()
        self._service = service
        self._background = BackgroundStore()

    async def site_of(self, key: str, make: Callable[[], Coroutine[Any, Any, SiteCapture]]) -> SiteCapture:
        """See `SiteCache.site_of`."""

        async def load_or_make() -> SiteCapture:
            try:
                known = await self._service.run(known_sites.load, key)
            except Unavailable:
                known = None
            if known is not None:
                self.add_age(key, known.age_s)
                super(SharedSiteCache, self).add_links(key, known.links)
                return known.site
            site = await make()
            self._background.store_soon(SHARED, self._service.run(known_sites.store, key, site))
            return site

        return await super().site_of(key, load_or_make)

    def add_links(self, key: str, responses: Iterable[ProbeResponse]) -> None:
        """See `SiteCache.add_links`."""
        known = self.known_links(key)
        super().add_links(key, responses)
        new = [response for url, response in self.known_links(key).items() if url not in known]
        if new:
            self._background.store_soon(SHARED, self._service.run(known_sites.add_links, key, new))

    async def delete_everywhere(self, key: str) -> None:
        """Delete the cached data of a site for all workers, so that its next report fetches it again."""
        self.delete(key)
        try:
            await self._service.run(known_sites.delete, key)
        except Unavailable as error:
            _log.warning("other workers may still use cached data of a site: %s", error)

    async def close(self) -> None:
        """Publish the pending entries."""
        await self._background.close()
