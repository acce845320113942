"""Visit one page with the browser: load it, wait until it is ready, read the resulting document."""

import asyncio
import contextlib
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from findable import urls
from findable.capture.devices import DESKTOP, Device
from findable.capture.rendering import (
    AxeNode,
    DismissedLayer,
    Layer,
    Readiness,
    Rendering,
    RenderingFailure,
    Screenshot,
    SeenElement,
    ShownImage,
    Target,
    TextRun,
    WithheldReason,
)
from findable.clock import monotonic_s, now, rfc3339
from findable.fetch.browser import page_scripts
from findable.fetch.browser.browser_events import (
    CapturedScreenshot,
    FrameNavigated,
    FrameStopped,
    Navigated,
    OtherEvent,
    RequestPaused,
    RouteChanged,
)
from findable.fetch.browser.chromium import Chromium
from findable.fetch.browser.consent_layers import ConsentLayers
from findable.fetch.browser.devtools_pipe import BrowserEnded, BrowserError, NoResponse, Session
from findable.fetch.browser.egress_proxy import SealedCookies
from findable.fetch.browser.open_page import OpenPage, open_page
from findable.fetch.browser.page_record import PageRecord
from findable.fetch.browser.request_rules import RequestRules, hosts_not_loaded, limit_to_page, other_hosts
from findable.fetch.browser.visit_order import VisitOrder
from findable.fetch.egress_guard import Guard
from findable.fetch.resolver import Resolver

LOAD_S = 12.0
"""Maximum wait for the load event."""
QUIET_S = 0.5
"""Time without requests and large changes after which a page is ready."""
BUSY_S = 8.0
"""Maximum wait for a quiet page after its load event."""
BURST_COUNT = 20
"""Number of nodes whose simultaneous change shows that a page is not ready."""
RESIZED_S = 2.0
"""Maximum wait for a quiet page in the taller viewport."""
POLL_S = 0.05
WAIT_FOR_S = 10.0
"""Time to wait for the configured element after the page is ready."""
RESERVE_S = 6.0
"""Time reserved for the rest of the visit after the wait for an element."""
PAGE_RESPONSE_S = 1.0
"""Timeout of a script in a page that is ready."""
DESKTOP_S = 10.0
"""Maximum duration of the desktop load, its screenshot included."""
DESKTOP_QUIET_S = 1.0
"""Maximum wait for a quiet page after the load event of the desktop load."""
AXE_S = 15.0
SCREENSHOT_S = 5.0
WEBP_QUALITY = 70
MAX_SCREENSHOT_BYTES = 500_000
MAX_BOXES_COUNT = 3_000
MAX_AXE_COUNT = 500
MAX_HEIGHT_PX = 12_000
MAX_HTML_CHARS = 10_000_000
MAX_ELEMENTS_COUNT = 200_000
ABORTED = "net::ERR_ABORTED"
"""Error of a navigation to a download, and of one whose process ended."""
ABORTED_S = 1.0
"""Time within which the end of the process is reported after that error."""
PAGE_TYPE = "Document"
"""Resource type of requests for pages and frames."""
_DETAIL_CHARS = 300
_CERTIFICATE_ERRORS = "net::ERR_CERT_"
T = TypeVar("T")


class _Layout(Struct, frozen=True):
    """Result of collectors/layout.js."""

    targets: tuple[Target, ...] = ()
    layers: tuple[Layer, ...] = ()
    texts: tuple[TextRun, ...] = ()
    first_view: tuple[SeenElement, ...] = ()


class _Axe(Struct, frozen=True):
    """Result of collectors/accessibility.js."""

    version: str = ""
    nodes: tuple[AxeNode, ...] = ()


class _Failed(Exception):
    """The visit has no usable result."""

    def __init__(self, failure: RenderingFailure, detail: str = "") -> None:
        self.failure = failure
        self.detail = detail
        super().__init__(failure, detail)


async def visit_page(
    browser: Chromium, order: VisitOrder, guard: Guard, resolver: Resolver, *, visit: "type[PageVisit] | None" = None
) -> Rendering:
    """Visit a page within the deadline, with the given kind of visit. Raises BrowserEnded; every other failure is in the rendering."""
    # without options that do not apply to the page: an identity for another origin, its own host as a blocked host
    hosts = other_hosts(order.options.blocked_hosts, order.url)
    order = replace(order, identity=limit_to_page(order.identity, order.url), options=replace(order.options, blocked_hosts=hosts))
    empty = Rendering(rfc3339(now()), browser.version, order.device, options=order.options)
    guard = guard.denying(hosts_not_loaded(order.options, order.url))
    if guard.check_url(order.url) is not None:
        return replace(empty, failure=RenderingFailure.REFUSED)
    try:
        async with asyncio.timeout(order.deadline_s):
            async with open_page(browser, guard, resolver, limits=order.limits, sealed_cookies=_sealed_cookies(order)) as page:
                return await (visit or PageVisit)(page, order, empty).visit()
    except TimeoutError:
        return replace(empty, failure=RenderingFailure.TIMEOUT)
    except _Failed as error:
        return replace(empty, failure=error.failure, detail=error.detail[:_DETAIL_CHARS])
    except NoResponse as error:
        return replace(empty, failure=RenderingFailure.TIMEOUT, detail=str(error)[:_DETAIL_CHARS])
    except BrowserError as error:
        return replace(empty, failure=RenderingFailure.CRASHED, detail=str(error)[:_DETAIL_CHARS])


def _sealed_cookies(order: VisitOrder) -> SealedCookies | None:
    """Return the cookies that only the page's origin receives; None if there are none."""
    page, names = urls.parse(order.url), tuple(name for name, _ in RequestRules(order.url, identity=order.identity).cookies)
    return SealedCookies(page.host, page.port, names) if page is not None and names else None


class PageVisit:
    """Visit of one page in an open browser."""

    def __init__(self, page: OpenPage, order: VisitOrder, empty: Rendering) -> None:
        self.page = page
        self.order = order
        self.empty = empty
        self.begun_s = monotonic_s()
        self.record = PageRecord(hosts_not_loaded(order.options, order.url))
        self.rules = RequestRules(order.url, order.robots if order.options.without_blocked else None, order.identity)
        self.load = asyncio.Event()
        self._device = order.device
        self._seen: Rendering | None = None
        self._frame_id = ""
        self._final_url = ""
        self._unreachable_url = ""
        page.on_session = self.prepare
        self.session: Session = page.session

    def prepare(self, session: Session) -> None:
        """Prepare the session of the page, of a frame or of a worker, before it runs."""
        self.record.listen(session)
        self.page.identify_as(session, self._device)
        if agent := self.order.identity.agent_for(self.order.url):
            page_scripts.run_before_page_scripts(session, page_scripts.USER_AGENT, self.order.identity.origin, agent)
        if self.rules.intercepts:
            session.add_listener("Fetch.requestPaused", RequestPaused, lambda event: self._decide(session, event))
            session.send_without_reply("Fetch.enable", patterns=[{"urlPattern": "*"}])

    def _decide(self, session: Session, event: RequestPaused) -> None:
        """Continue a request with its added headers, or withhold it."""
        is_page = event.resource_type == PAGE_TYPE and event.frame_id == self._frame_id
        reason = self.rules.withheld(event.request.url, is_page=is_page)
        if reason is WithheldReason.NOT:
            headers = self.rules.headers(event.request.url, event.request.headers)
            given = {} if headers is None else {"headers": [{"name": name, "value": value} for name, value in headers]}
            session.send_without_reply("Fetch.continueRequest", requestId=event.request_id, **given)
            return
        self.record.withhold(event.network_id, reason)
        session.send_without_reply("Fetch.failRequest", requestId=event.request_id, errorReason="BlockedByClient")

    async def visit(self) -> Rendering:
        """Run the visit until the page is read, crashed or flooded, and return its rendering. Raises _Failed and BrowserError."""
        await self.page.begin()
        self.session = self.page.session
        self._frame_id = self.page.target_id
        self.session.add_listener("Page.loadEventFired", OtherEvent, lambda _event: self.load.set())
        self.session.add_listener("Page.frameStoppedLoading", FrameStopped, self._on_stopped)
        self.session.add_listener("Page.frameNavigated", FrameNavigated, self._on_navigated)
        self.session.add_listener("Page.navigatedWithinDocument", RouteChanged, self._on_route_changed)
        await self._resize(self.order.device, self.order.device.viewport_height_px)
        await self._set_cookies()
        watch = asyncio.create_task(self._wait_for_crash())
        work = asyncio.create_task(self.read())
        try:
            await asyncio.wait((watch, work), return_when=asyncio.FIRST_COMPLETED)
            return await (work if work.done() and not watch.done() else watch)
        finally:
            for task in (watch, work):
                task.cancel()
            await asyncio.gather(watch, work, return_exceptions=True)

    async def _set_cookies(self) -> None:
        """Set the cookies for the page's origin, hidden from scripts, which may come from third parties. Raises BrowserError."""
        is_secure = self.order.url.startswith("https:")
        for name, value in self.rules.cookies:
            await self.session.send(
                "Network.setCookie", name=name, value=value, url=self.order.url, path="/", secure=is_secure, httpOnly=True
            )

    async def _wait_for_crash(self) -> Rendering:
        """Return the data read so far as soon as the page has crashed or sent too many events, or the browser has ended.

        Raises _Failed and BrowserEnded if there is none.
        """
        ends = (self.page.crashed, self.page.flooded, self.page.browser.pipe.ended)
        waiting = [asyncio.create_task(event.wait()) for event in ends]
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in waiting:
                task.cancel()
        if self._seen is not None:
            return self._seen
        if self.page.browser.pipe.ended.is_set():
            raise BrowserEnded("the browser has ended")
        if self.page.crashed.is_set():
            raise _Failed(RenderingFailure.CRASHED, "the process of the page ended")
        raise _Failed(RenderingFailure.CRASHED, "the page sent too many events")

    def _on_navigated(self, event: FrameNavigated) -> None:
        frame = event.frame
        if frame.parent_id:
            return
        self._frame_id, self._final_url, self._unreachable_url = frame.id, frame.url, frame.unreachable_url
        self.load.clear()

    def _on_route_changed(self, event: RouteChanged) -> None:
        if event.frame_id == self._frame_id:
            self._final_url = event.url

    def _on_stopped(self, event: FrameStopped) -> None:
        """End the wait if a page stops loading without a load event: it tried to open an application, or to start a download."""
        if event.frame_id == self._frame_id:
            self.load.set()

    async def _resize(self, device: Device, height_px: int) -> None:
        await self.session.send(
            "Emulation.setDeviceMetricsOverride",
            width=device.viewport_width_px,
            height=height_px,
            deviceScaleFactor=device.pixel_ratio,
            mobile=device is not DESKTOP,
        )
        await self.session.send("Emulation.setTouchEmulationEnabled", enabled=device is not DESKTOP)

    async def read(self) -> Rendering:
        """Load the page and return its rendering. Raises _Failed and BrowserError."""
        await self.navigate()
        readiness = await self._wait(LOAD_S, BUSY_S)
        self.check_page_url()
        came = await self._wait_for_selector() if self.order.options.wait_for else None
        dismissed = await self._dismiss_consent() if self.order.options.dismiss_consent else None
        width_px, height_px = await self.run("page_size", tuple[int, int])
        layout = await self.run(page_scripts.LAYOUT, _Layout, MAX_BOXES_COUNT) if self.order.layout else _Layout()
        shots = [await self._screenshot(self.order.device)] if self.order.screenshots else []
        if height_px > self.order.device.viewport_height_px:
            # Search engines do not scroll: they make the viewport as tall as the page.
            self.record.is_late = True
            await self._resize(self.order.device, min(height_px, MAX_HEIGHT_PX))
            await self.try_run("two_frames", default=False, timeout_s=RESIZED_S)  # a page is as quiet as before until it is drawn
            readiness = max(readiness, await self._wait(0, RESIZED_S), key=list(Readiness).index)
        html, elements_count = await self.run("document_html", tuple[str, int], MAX_HTML_CHARS, MAX_ELEMENTS_COUNT)
        self.check_page_url()
        if elements_count > MAX_ELEMENTS_COUNT:
            raise _Failed(RenderingFailure.TOO_LARGE, f"{elements_count} elements")
        images = await self.run(page_scripts.IMAGES, tuple[ShownImage, ...], MAX_BOXES_COUNT) if self.order.layout else ()
        axe = await self.try_run(page_scripts.ACCESSIBILITY, MAX_AXE_COUNT, default=_Axe(), timeout_s=AXE_S) if self.order.axe else _Axe()
        self._seen = replace(
            self.empty,
            targets=layout.targets,
            layers=layout.layers,
            texts=layout.texts,
            first_view=layout.first_view,
            images=images,
            axe_version=axe.version,
            axe=axe.nodes,
            screenshots=tuple(shot for shot in shots if shot is not None),
            readiness=readiness,
            final_url=self._final_url,
            html=html,
            page_width_px=width_px,
            page_height_px=height_px,
            requests=self.record.requests,
            console=tuple(self.record.console),
            detail=self.page.proxy.use.exceeded_limit,
            dismissed=dismissed,
            selector_came=came,
            sent_credentials=self.order.identity.has_credentials,
        )
        shot = await self._desktop_screenshot() if self.order.screenshots else None
        return replace(self._seen, screenshots=(*self._seen.screenshots, shot)) if shot is not None else self._seen

    async def _wait_for_selector(self) -> bool:
        """Wait for the configured element, then until the page is ready again; return whether it appeared. Raises _Failed."""
        left_s = self.order.deadline_s - RESERVE_S - (monotonic_s() - self.begun_s)
        ends_s = monotonic_s() + min(WAIT_FOR_S, left_s)
        while not await self.try_run("has_element", self.order.options.wait_for, default=False):
            if monotonic_s() > ends_s:
                return False
            await asyncio.sleep(POLL_S)
        await self._wait(LOAD_S, RESIZED_S)
        self.check_page_url()
        return True

    async def _dismiss_consent(self) -> DismissedLayer | None:
        """Dismiss the consent layer of the page, if any, and wait until the page is ready again. Raises _Failed."""
        dismissed = await ConsentLayers(self.page, self._frame_id).dismiss()
        if dismissed is not None:
            await self._wait(LOAD_S, RESIZED_S)  # the choice may load more, or reload the page
            self.check_page_url()
        return dismissed

    # --- appearance -------------------------------------------------------------------------------------------------------

    async def _desktop_screenshot(self) -> Screenshot | None:
        """Load the page again as a desktop browser and return a screenshot; None if that fails or takes too long.

        A site may send phones a different page, so that a phone's page in a wide window would show what no visitor sees.
        """
        limit_s = min(DESKTOP_S, self.order.deadline_s - (monotonic_s() - self.begun_s) - RESERVE_S / 2)
        load_s = limit_s - DESKTOP_QUIET_S - SCREENSHOT_S / 2
        if load_s <= 0:
            return None
        self._device = DESKTOP
        try:
            async with asyncio.timeout(limit_s):
                self.page.identify_as(self.session, DESKTOP)
                await self._resize(DESKTOP, DESKTOP.viewport_height_px)
                self.load.clear()
                await self.navigate()
                await self._wait(load_s, DESKTOP_QUIET_S)
                self.check_page_url()
                if self._seen is not None and self._seen.dismissed is not None:
                    await self._dismiss_consent()
                return await self._screenshot(DESKTOP)
        except (BrowserError, TimeoutError, _Failed):
            return None

    async def _screenshot(self, device: Device) -> Screenshot | None:
        """Return a screenshot of the viewport; None if it fails or is very large."""
        try:
            taken = await self.session.call(
                "Page.captureScreenshot", CapturedScreenshot, format="webp", quality=WEBP_QUALITY, timeout_s=SCREENSHOT_S
            )
        except BrowserError:
            return None
        data = taken.data if len(taken.data) <= MAX_SCREENSHOT_BYTES else b""
        return Screenshot(device.name, device.viewport_width_px, device.viewport_height_px, data) if data else None

    # --- navigation -------------------------------------------------------------------------------------------------------------

    async def navigate(self) -> None:
        """Start loading the page. Raises _Failed if nothing can be loaded."""
        started = await self.session.call("Page.navigate", Navigated, url=self.order.url, timeout_s=self.order.deadline_s)
        if started.error_text == ABORTED:
            await asyncio.sleep(ABORTED_S)
        if started.error_text:
            self._fail_to_load(self.order.url, started.error_text)

    def check_page_url(self) -> None:
        """Raise _Failed if the page has navigated to something other than a web page."""
        if self._unreachable_url:
            self._fail_to_load(self._unreachable_url, "its scripts led to a page that could not be loaded")
        url = urls.parse(self._final_url)
        if url is None or not url.is_http:
            raise _Failed(RenderingFailure.REFUSED, self._final_url)

    def _fail_to_load(self, url: str, reason: str) -> None:
        parsed = urls.parse(url)
        refused = self.page.proxy.use.refused_targets
        is_refused = parsed is None or not parsed.is_http or f"{parsed.host}:{parsed.port}" in refused
        is_refused = is_refused or bool(refused and not self._final_url)  # only redirects have loaded so far
        other = RenderingFailure.CERTIFICATE if reason.startswith(_CERTIFICATE_ERRORS) else RenderingFailure.UNREACHABLE
        raise _Failed(RenderingFailure.REFUSED if is_refused else other, reason)

    # --- readiness ----------------------------------------------------------------------------------------------------------

    async def _wait(self, load_s: float, busy_s: float) -> Readiness:
        """Wait until the page is ready, or until the maximum waits have passed."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(load_s):
                await self.load.wait()
        if not self.load.is_set():
            return Readiness.LOADING
        begun_s = monotonic_s()
        while monotonic_s() - begun_s < busy_s:
            unchanged_ms = await self.try_run("mutations", BURST_COUNT, default=0.0)
            if self.load.is_set() and min(unchanged_ms / 1000, self.record.quiet_for_s()) >= QUIET_S:
                return Readiness.QUIET
            await asyncio.sleep(POLL_S)
        return Readiness.BUSY if self.load.is_set() else Readiness.LOADING

    async def run(self, name: str, kind: type[T], *arguments: object, timeout_s: float = 5.0) -> T:
        """Run a collector in the page and return its result. Raises BrowserError."""
        return await page_scripts.run_collector(self.session, self._frame_id, name, kind, *arguments, timeout_s=timeout_s)

    async def try_run(self, name: str, *arguments: object, default: T, timeout_s: float = PAGE_RESPONSE_S) -> T:
        """Run a collector in the page and return its result; ``default`` if it fails or does not end in time."""
        return await page_scripts.try_collector(self.session, self._frame_id, name, *arguments, default=default, timeout_s=timeout_s)
