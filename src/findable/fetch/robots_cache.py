"""What robots.txt files say to our own product token: asked for links, samples and alternates, never for the page itself."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import lru_cache

from findable import urls
from findable.capture.response import Answer, Failure
from findable.clock import monotonic_s
from findable.fetch.identity import PRODUCT_TOKEN
from findable.formats.robots_txt import RobotsTxt

KEPT_S = 900.0
MAX_ORIGINS = 2048
ROBOTS_TXT_CAP_BYTES = 500 * 1024
"""What Google reads of one; RFC 9309 asks for at least 500 KiB."""
MAX_REDIRECTS = 5


class Permissions:
    """The robots.txt of every origin met, kept for a quarter of an hour, asked for once at a time."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[float, asyncio.Task[Answer]]] = {}

    def forget(self, origin: str) -> None:
        """Lets the next question be asked anew."""
        self._known.pop(origin, None)

    async def robots_txt(self, origin: str, make: Callable[[str], Awaitable[Answer]]) -> Answer:
        """The robots.txt of that origin; ``make`` fetches it from the address it is given."""
        at_s, task = self._known.get(origin, (0.0, None))
        if task is None or task.cancelled() or monotonic_s() - at_s > KEPT_S or _is_unsettled(task):
            if len(self._known) >= MAX_ORIGINS:
                self._known.pop(next(iter(self._known)))
            task = asyncio.ensure_future(make(f"{origin}/robots.txt"))
            self._known[origin] = (monotonic_s(), task)
        return await asyncio.shield(task)


def _is_unsettled(task: asyncio.Task[Answer]) -> bool:
    """Whether nothing was learnt: our own budget ended the request, or the server wanted a pause."""
    return task.done() and (task.exception() is not None or task.result().failure in {Failure.BUDGET, Failure.PAUSED})


def forbidden_by(robots_txt: Answer, url: str) -> str | None:
    """The line that forbids our product token to request the URL; empty where robots.txt could not be read, None where nothing forbids it.

    RFC 9309 section 2.3.1: a 4xx allows everything, a server error or an answer that did not come forbids everything.
    Where the host cannot be reached at all nothing is forbidden: the request itself will say so.
    """
    if robots_txt.failure in {Failure.TIMEOUT, Failure.PROTOCOL, Failure.BUDGET, Failure.PAUSED}:
        return ""
    if robots_txt.failure is not Failure.NONE:
        return None
    if robots_txt.status >= 500:  # noqa: PLR2004 - HTTP's server errors
        return ""
    if not robots_txt.ok:
        return None
    decision = _parsed(robots_txt.body).decide((PRODUCT_TOKEN,), url)
    return None if decision.allowed else f"line {decision.line}: {decision.rule}"


@lru_cache(maxsize=64)
def _parsed(body: bytes) -> RobotsTxt:
    """Every link of a page asks the same few files."""
    return RobotsTxt.parse(body)


def origin_of(url: str) -> str:
    """The origin of an absolute URL; empty where it is none."""
    parsed = urls.parse(url)
    return parsed.origin if parsed else ""
