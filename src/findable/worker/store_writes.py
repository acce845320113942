"""Store results of jobs although the database may be busy or unreachable for a while, and data for other workers in the background."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from findable.errors import Unavailable

TRIES = 12
PAUSE_S = 5.0
"""Pause before a result is stored again. After a minute the job is abandoned and repeated later."""
_log = logging.getLogger(__name__)


async def store_result(name: str, store: Callable[[], Awaitable[object]]) -> None:
    """Store the result of a job, again after a pause if the database is unavailable, for up to a minute."""
    for _ in range(TRIES):
        try:
            await store()
        except Unavailable as error:
            _log.warning("the result of %s cannot be stored yet: %s", name, error)
            await asyncio.sleep(PAUSE_S)
        else:
            return


class BackgroundStore:
    """Stores data for other workers in the background; what cannot be stored is lost."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def store_soon(self, name: str, storing: Coroutine[Any, Any, None]) -> None:
        """Run ``storing`` in the background; a failure is logged with the name and loses the data."""
        task = asyncio.create_task(_store_or_log(name, storing))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Wait until everything is stored."""
        if self._tasks:
            await asyncio.wait(self._tasks)


async def _store_or_log(name: str, storing: Coroutine[Any, Any, None]) -> None:
    try:
        await storing
    except Unavailable as error:
        _log.warning("%s could not be shared with other workers: %s", name, error)
