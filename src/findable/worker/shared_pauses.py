"""Share politeness between all workers: pauses that a host requested, and connections per host."""

import asyncio
import logging
from contextlib import suppress

from findable.errors import Unavailable
from findable.fetch.politeness import HOST_CONNECTIONS, Politeness
from findable.service.runtime.service import Service
from findable.service.sites import host_pauses
from findable.worker.store_writes import BackgroundStore

_log = logging.getLogger(__name__)


class SharedPauses:
    """Politeness of one process, exchanged with other processes; bound to the event loop of `begin`.

    If several processes share a database, at most `host_concurrency` of them generate reports of one host concurrently, and each opens its
    share of the connections to that host.
    """

    def __init__(self, service: Service) -> None:
        self._service = service
        sharers = min(service.settings.host_concurrency, HOST_CONNECTIONS) if service.store.is_shared else 1
        self.politeness = Politeness(HOST_CONNECTIONS // sharers)
        self._background = BackgroundStore()
        self._begun: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Start exchanging pauses. When it returns, the current pauses are known. Repeated calls do nothing."""
        if self._begun is None:
            self._begun = asyncio.create_task(self._begin())
        await asyncio.shield(self._begun)

    async def _begin(self) -> None:
        loop = asyncio.get_running_loop()

        def on_pause(origin: str, seconds: float) -> None:
            with suppress(RuntimeError):  # the event loop was closed
                loop.call_soon_threadsafe(self.politeness.apply_pause, origin, seconds)

        self.politeness.on_pause = self._publish_soon
        self._service.events.on_paused(on_pause)
        try:
            for origin, seconds in await self._service.run(host_pauses.current_pauses):
                self.politeness.apply_pause(origin, seconds)
        except Unavailable as error:
            _log.warning("could not read the pauses of hosts: %s", error)

    def _publish_soon(self, origin: str, seconds: float) -> None:
        self._background.store_soon(f"a pause for {origin}", self._service.run(host_pauses.record_pause, origin, seconds))

    async def close(self) -> None:
        """Publish the pending pauses."""
        await self._background.close()
