"""Cache the robots.txt files of origins."""

import asyncio
from collections.abc import Awaitable, Callable

from findable.capture.response import Failure, ProbeResponse
from findable.clock import monotonic_s

KEPT_S = 900.0
MAX_ORIGINS = 2048
ROBOTS_TXT_CAP_BYTES = 500 * 1024
"""Bytes that Google reads; RFC 9309 requires at least 500 KiB."""


class RobotsTxtCache:
    """robots.txt files by origin, cached for 15 minutes; concurrent requests for one file share a fetch."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[float, asyncio.Task[ProbeResponse]]] = {}

    def delete(self, origin: str) -> None:
        """Remove the origin, so that its file is fetched again."""
        self._known.pop(origin, None)

    async def robots_txt(self, origin: str, request: Callable[[str], Awaitable[ProbeResponse]]) -> ProbeResponse:
        """Return the robots.txt of the origin from the cache, or fetch it by calling ``request`` with its URL."""
        at_s, task = self._known.get(origin, (0.0, None))
        if task is None or task.cancelled() or monotonic_s() - at_s > KEPT_S or _has_no_result(task):
            if len(self._known) >= MAX_ORIGINS:
                self._known.pop(next(iter(self._known)))
            task = asyncio.ensure_future(request(f"{origin}/robots.txt"))
            self._known[origin] = (monotonic_s(), task)
        return await asyncio.shield(task)


def _has_no_result(task: asyncio.Task[ProbeResponse]) -> bool:
    """Return whether a fetch of robots.txt has no result: the budget ended it, or the server requested a pause."""
    return task.done() and (task.exception() is not None or task.result().failure in {Failure.BUDGET, Failure.PAUSED})
