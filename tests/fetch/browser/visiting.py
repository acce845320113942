"""Visits of test sites with the real browser."""

import asyncio
import contextlib
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from findable.capture.rendering import Rendering
from findable.fetch.browser.browser_keeper import descendants
from findable.fetch.browser.browser_pool import BrowserPool
from findable.fetch.browser.browser_program import BrowserProgram, find_browser
from findable.fetch.browser.visit_order import VisitOrder
from findable.fetch.egress_guard import AllowedTarget, Guard
from tests.external import missing

PATIENCE_S = 60.0
OURS = ("python", "postgres")
"""How processes of the tests themselves are called: the database of a session runs until its end."""
LOOPBACK = Guard(AllowedTarget.parse_all("127.0.0.1"))


def installed() -> BrowserProgram:
    """The browser; the test is skipped where there is none."""
    return find_browser() or missing("chromium-headless-shell")


@contextlib.asynccontextmanager
async def browser_pool(guard: Guard = LOOPBACK, **settings: Any) -> AsyncIterator[BrowserPool]:
    pool = BrowserPool(settings.pop("program", None) or installed(), guard, **settings)
    try:
        yield pool
    finally:
        await pool.close()


def in_pool(work: Callable[[BrowserPool], Awaitable[Any]], guard: Guard = LOOPBACK, **settings: Any) -> Any:
    """Run one coroutine with a pool."""

    async def run() -> Any:
        async with browser_pool(guard, **settings) as pool:
            return await work(pool)

    return asyncio.run(run())


def visit(url: str, guard: Guard = LOOPBACK, *, deadline_s: float = 25.0, **settings: Any) -> Rendering:
    """One visit in a browser of its own."""
    found: Rendering = in_pool(lambda pool: pool.visit(VisitOrder(url, deadline_s=deadline_s)), guard, **settings)
    return found


def visits(urls: Sequence[str], guard: Guard = LOOPBACK, *, deadline_s: float = 25.0, **settings: Any) -> list[Rendering]:
    """Several visits, in one browser."""

    async def all_of_them(pool: BrowserPool) -> list[Rendering]:
        return list(await asyncio.gather(*(pool.visit(VisitOrder(url, deadline_s=deadline_s)) for url in urls)))

    found: list[Rendering] = in_pool(all_of_them, guard, **settings)
    return found


def left_processes() -> list[int]:
    """Processes below this one that are not the tests' own: what a browser left."""
    found = []
    for pid in descendants(os.getpid()):
        with contextlib.suppress(OSError):
            if not Path(f"/proc/{pid}/comm").read_text().startswith(OURS):
                found.append(pid)
    return found


def until(condition: Callable[[], bool], seconds: float = PATIENCE_S) -> bool:
    """Wait for a condition."""
    ends_s = time.monotonic() + seconds
    while time.monotonic() < ends_s:
        if condition():
            return True
        time.sleep(0.02)
    return condition()
