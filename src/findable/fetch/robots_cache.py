"""Cache robots.txt files and apply their rules for this crawler to links, samples and alternates, never to the page itself."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import lru_cache

from findable.capture.response import Failure, ProbeResponse
from findable.capture.status_classes import is_server_error
from findable.clock import monotonic_s
from findable.fetch.identity import PRODUCT_TOKEN
from findable.formats.robots_txt import Decision, RobotsTxt

KEPT_S = 900.0
MAX_ORIGINS = 2048
ROBOTS_TXT_CAP_BYTES = 500 * 1024
"""Bytes that Google reads; RFC 9309 requires at least 500 KiB."""
MAX_CRAWL_DELAY_S = 10.0


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


def forbidden_by(robots_txt: ProbeResponse, url: str, tokens: tuple[str, ...] = (PRODUCT_TOKEN,)) -> Decision | None:
    """Return the rule that disallows the URL for these product tokens, none if robots.txt is unreadable; None if nothing disallows it.

    RFC 9309 section 2.3.1: a 4xx allows everything, a server error or missing response disallows everything. If the host is unreachable,
    nothing is disallowed: the request itself will fail.
    """
    failure = robots_txt.failure
    if failure in {Failure.TIMEOUT, Failure.PROTOCOL, Failure.BUDGET, Failure.PAUSED} or is_server_error(robots_txt.status):
        return Decision(allowed=False)
    if failure is not Failure.NONE or not robots_txt.ok:
        return None
    decision = _parse_rules(robots_txt.body).decide(tokens, url)
    return None if decision.allowed else decision


def crawl_delay_s(robots_txt: ProbeResponse, tokens: tuple[str, ...] = (PRODUCT_TOKEN,)) -> float:
    """Return the ``Crawl-delay`` for these product tokens, at most MAX_CRAWL_DELAY_S; 0 if there is none."""
    return min(_parse_rules(robots_txt.body).crawl_delay_s(tokens) or 0.0, MAX_CRAWL_DELAY_S)


@lru_cache(maxsize=64)
def _parse_rules(body: bytes) -> RobotsTxt:
    """Parse robots.txt. The result is cached, because the links of a page need the same few files."""
    return RobotsTxt.parse(body)
