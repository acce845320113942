"""Measure throttled loads of a page. Nothing else may run in the browser meanwhile."""

import asyncio
import contextlib

from msgspec import Struct
from msgspec.structs import replace

from findable.capture.rendering import LargestPaint, LayoutShift, Load, LongTask, Rendering, Throttling
from findable.clock import monotonic_s
from findable.fetch.browser.chromium import Chromium
from findable.fetch.browser.devtools_pipe import BrowserError, Session
from findable.fetch.browser.page_scripts import VITALS, run_in_new_documents
from findable.fetch.browser.page_visit import PageVisit, visit_page
from findable.fetch.browser.process_memory import ProcessorTime, processor_times
from findable.fetch.browser.visit_order import VisitOrder
from findable.fetch.egress_guard import Guard
from findable.fetch.resolver import Resolver
from findable.values import shape_of

MOBILE = Throttling(latency_ms=562.5, download_kbps=1474.56, upload_kbps=675.0, processor_factor=4.0)
"""A phone on slow 4G, as Lighthouse simulates it with ``--throttling-method=devtools``."""
LOADS_COUNT = 3
LOAD_DEADLINE_S = 30.0
QUIET_S = 2.5
"""Time without requests and long tasks after which a page counts as loaded."""
LOADED_S = 20.0
"""Maximum wait for the load event of a throttled page."""
BUSY_S = 8.0
"""Maximum wait for a quiet page after its load event."""
MAX_ENTRIES_COUNT = 500
BENCHMARK_MS = 50
_POLL_S = 0.1
_KILOBIT_BYTES = 1024 / 8


class Timings(Struct, frozen=True):
    """Result of collectors/vitals.js: the timings of a load so far."""

    now_ms: float
    """Time since the navigation began."""
    origin_ms: float
    """Start of the navigation, in milliseconds since 1970."""
    idle_ms: float
    """Time since the last long task."""
    first_paint_ms: float | None = None
    largest_paint: LargestPaint | None = None
    shifts: tuple[LayoutShift, ...] = ()
    long_tasks: tuple[LongTask, ...] = ()


class LabVisit(PageVisit):
    """Visit that measures one throttled load of a page."""

    def prepare(self, session: Session) -> None:
        """Throttle every frame and worker before it runs."""
        super().prepare(session)
        session.send_without_reply(
            "Network.emulateNetworkConditions",
            offline=False,
            latency=MOBILE.latency_ms,
            downloadThroughput=MOBILE.download_kbps * _KILOBIT_BYTES,
            uploadThroughput=MOBILE.upload_kbps * _KILOBIT_BYTES,
        )

    async def read(self) -> Rendering:
        """Return a rendering that contains only this load."""
        processor_index = await self.run("processor", float, BENCHMARK_MS)  # measured before the page is loaded
        await self.throttle()
        before = processor_times(self.page.browser.keeper_pid)
        await self.navigate()
        is_quiet = await self.wait_until_loaded()
        timings = await self.timings()
        self.check_page_url()
        load = shape_of(
            Load,
            timings,
            quiet_ms=timings.now_ms if is_quiet else None,
            waited_share=_wait_share(before, processor_times(self.page.browser.keeper_pid)),
            processor_index=round(processor_index, 1),
        )
        return replace(self.empty, loads=(load,))

    async def throttle(self) -> None:
        """Throttle the main thread, and record the timings of later documents. Raises BrowserError."""
        await self.session.send("Emulation.setCPUThrottlingRate", rate=MOBILE.processor_factor)
        await run_in_new_documents(self.session, VITALS, MAX_ENTRIES_COUNT)

    async def timings(self) -> Timings:
        """Return the timings so far. Raises BrowserError."""
        return await self.run(VITALS, Timings, MAX_ENTRIES_COUNT)

    async def wait_until_loaded(self) -> bool:
        """Wait for the load event, then for quiet; return whether the page became quiet."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LOADED_S):
                await self.load.wait()
        begun_s = monotonic_s()
        while monotonic_s() - begun_s < BUSY_S:
            await asyncio.sleep(_POLL_S)
            if self.record.quiet_for_s() < QUIET_S or monotonic_s() - begun_s < QUIET_S:
                continue
            try:
                timings = await self.timings()
            except BrowserError:  # the page is too busy to respond
                continue
            if timings.idle_ms >= QUIET_S * 1000:
                return True
        return False


def _wait_share(before: dict[int, ProcessorTime], after: dict[int, ProcessorTime]) -> float | None:
    """Return the share of time, 0 to 1, that the busiest main thread waited for a processor; None if none ran."""
    none = ProcessorTime(0, 0)
    spent = [(time.ran_ns - before.get(pid, none).ran_ns, time.waited_ns - before.get(pid, none).waited_ns) for pid, time in after.items()]
    ran_ns, waited_ns = max(spent, default=(0, 0))
    return round(waited_ns / (ran_ns + waited_ns), 3) if ran_ns > 0 else None


async def measure_loads(browser: Chromium, order: VisitOrder, guard: Guard, resolver: Resolver) -> Rendering:
    """Return a rendering with the loads that could be measured, made one after the other. Raises BrowserEnded."""
    renderings = [await visit_page(browser, order, guard, resolver, visit=LabVisit) for _ in range(LOADS_COUNT)]
    return replace(renderings[0], loads=tuple(load for rendering in renderings for load in rendering.loads))
