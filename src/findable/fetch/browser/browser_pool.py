"""Pool of browsers for all visits of a process: started when needed, shared, replaced regularly, ended when idle."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager

from msgspec.structs import replace

from findable.capture.rendering import Rendering, RenderingFailure
from findable.clock import monotonic_s, now, rfc3339
from findable.fetch.browser.browser_program import BrowserProgram
from findable.fetch.browser.chromium import Chromium
from findable.fetch.browser.devtools_pipe import BrowserEnded, BrowserError
from findable.fetch.browser.filmed_visit import measure_and_film
from findable.fetch.browser.lab_visit import LOAD_DEADLINE_S, MOBILE
from findable.fetch.browser.machine_lock import lock_machine
from findable.fetch.browser.page_visit import visit_page
from findable.fetch.browser.visit_order import VisitOrder
from findable.fetch.egress_guard import Guard
from findable.fetch.resolver import Resolver

VISITS_PER_BROWSER = 100
MAX_AGE_S = 1800.0
IDLE_S = 60.0
MAX_IDLE_BYTES = 600_000_000
"""Memory use above which a browser is replaced after a visit."""
START_PAUSE_S = 60.0
"""Pause after a browser failed to start."""
TRIES = 2
RENDER_DEADLINE_S = 15.0
MAX_DOCUMENTS = 50
DOCUMENT = "document"
"""Resource type of requests for pages and frames, which show where a page leads."""
_log = logging.getLogger(__name__)
_Work = Callable[[Chromium, VisitOrder, Guard, Resolver], Awaitable[Rendering]]


class BrowserPool:
    """Visits pages, bound to the event loop of first use.

    Args:
        program: the browser; without one every visit fails.
        guard: decides which URLs and IP addresses pages may reach.
        concurrency: maximum visits at once.
    """

    def __init__(self, program: BrowserProgram | None, guard: Guard, *, concurrency: int = 1, resolver: Resolver | None = None) -> None:
        self._program = program
        self._guard = guard
        self._resolver = resolver or Resolver()
        self._concurrency = concurrency
        self._turns = asyncio.Semaphore(concurrency)
        self._measuring = asyncio.Lock()
        self._crawled = asyncio.Semaphore(max(1, concurrency // 2))
        self._starting = asyncio.Lock()
        self._current: Chromium | None = None
        self._users: dict[Chromium, int] = {}
        self._last_use_s = monotonic_s()
        self._no_start_until_s = 0.0
        self._start_problem = ""
        self._idle: asyncio.Task[None] | None = None

    async def render(self, order: VisitOrder) -> Rendering:
        """Return the rendering of a page of a crawl, without measurements. Crawls may use half of the pages that can be open."""
        async with self._crawled:
            order = replace(order, axe=False, screenshots=False, layout=False, deadline_s=RENDER_DEADLINE_S)
            rendering = await self.visit(order)
        documents = tuple(request for request in rendering.requests if request.kind == DOCUMENT)
        return replace(rendering, requests=documents[:MAX_DOCUMENTS], console=())

    async def visit(self, order: VisitOrder) -> Rendering:
        """Return the rendering of a page, which also reports a failure; if the browser crashes, retry once in a separate one."""
        async with self._turns:
            rendering = self._failed_rendering(order, RenderingFailure.NO_BROWSER)
            for attempt in range(TRIES):
                rendering = await self._run_with_browser(order, visit_page, alone=attempt > 0)
                if rendering.failure is not RenderingFailure.CRASHED:
                    break
            return rendering

    async def measure(self, rendering: Rendering, order: VisitOrder) -> Rendering:
        """Return the rendering with measured page loads and a filmstrip, recorded while no other page is open."""
        order = replace(order, deadline_s=LOAD_DEADLINE_S)
        async with self._exclusive_turn(), lock_machine():
            found = await self._run_with_browser(order, measure_and_film, alone=False)
        return replace(rendering, throttling=MOBILE, loads=found.loads, film=found.film)

    @asynccontextmanager
    async def _exclusive_turn(self) -> AsyncIterator[None]:
        """Wait for all visits of this pool to end, and block new ones."""
        async with AsyncExitStack() as turns:
            await turns.enter_async_context(self._measuring)
            for _ in range(self._concurrency):
                await turns.enter_async_context(self._turns)
            yield

    async def _run_with_browser(self, order: VisitOrder, work: _Work, *, alone: bool) -> Rendering:
        """Run the work with a leased browser and return its result."""
        try:
            browser = await self._lease(alone=alone)
        except BrowserError as error:
            return self._failed_rendering(order, RenderingFailure.NO_BROWSER, str(error))
        try:
            return await work(browser, order, self._guard, self._resolver)
        except BrowserEnded as error:
            return self._failed_rendering(order, RenderingFailure.CRASHED, str(error))
        finally:
            await asyncio.shield(asyncio.ensure_future(self._return_browser(browser)))

    def _failed_rendering(self, order: VisitOrder, failure: RenderingFailure, detail: str = "") -> Rendering:
        return Rendering(rfc3339(now()), "", order.device, failure, detail)

    async def _lease(self, *, alone: bool) -> Chromium:
        """Return a browser for one visit. Raises BrowserError."""
        async with self._starting:
            browser = self._current
            if alone or browser is None or self._is_old(browser):
                browser = await self._start_browser()
                if not alone:
                    self._current = browser
            self._users[browser] = self._users.get(browser, 0) + 1
            browser.visits_count += 1
            return browser

    async def _start_browser(self) -> Chromium:
        if self._program is None:
            raise BrowserError("no browser is installed")
        if monotonic_s() < self._no_start_until_s:
            raise BrowserError(self._start_problem)
        try:
            return await Chromium.start(self._program)
        except BrowserError as error:
            self._no_start_until_s = monotonic_s() + START_PAUSE_S
            self._start_problem = str(error)
            _log.warning("starting the browser failed: %s", error)
            raise

    def _is_old(self, browser: Chromium) -> bool:
        return browser.has_ended or browser.visits_count >= VISITS_PER_BROWSER or monotonic_s() - browser.begun_s > MAX_AGE_S

    async def _return_browser(self, browser: Chromium) -> None:
        self._last_use_s = monotonic_s()
        self._users[browser] -= 1
        if self._users[browser]:
            return
        if browser is not self._current or self._is_old(browser) or browser.memory_bytes() > MAX_IDLE_BYTES:
            await self._end(browser)
        elif self._idle is None or self._idle.done():
            self._idle = asyncio.create_task(self._end_idle())

    async def _end(self, browser: Chromium) -> None:
        self._users.pop(browser, None)
        if browser is self._current:
            self._current = None
        await browser.close()

    async def _end_idle(self) -> None:
        while True:
            await asyncio.sleep(max(0.01, self._last_use_s + IDLE_S - monotonic_s()))
            async with self._starting:
                browser = self._current
                if browser is None:
                    return
                if not self._users.get(browser) and monotonic_s() - self._last_use_s >= IDLE_S:
                    await self._end(browser)

    async def close(self) -> None:
        """End all browsers; visits that still run fail."""
        if self._idle is not None:
            self._idle.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._idle
        for browser in {*self._users, *([self._current] if self._current else [])}:
            await self._end(browser)
        await self._resolver.close()
