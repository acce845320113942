"""One page in a separate browser context: no cookies or storage of earlier visits, its own proxy, no unnecessary permissions."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from findable.capture.devices import Device
from findable.fetch.browser.browser_events import AttachedToTarget, NewContext, NewSession, NewTarget, OtherEvent, TargetCreated
from findable.fetch.browser.browser_program import NO_BYPASS
from findable.fetch.browser.chromium import Chromium
from findable.fetch.browser.device_agents import user_agent_override
from findable.fetch.browser.devtools_pipe import BrowserEnded, BrowserError, CommandFailed, Session
from findable.fetch.browser.egress_proxy import EgressProxy, SealedCookies
from findable.fetch.browser.visit_order import EgressLimits
from findable.fetch.egress_guard import Guard
from findable.fetch.resolver import Resolver

CLOSE_TIMEOUT_S = 2.0
"""Timeout of each of two attempts to close a page; after them the browser is ended."""
MAX_EVENTS_COUNT = 50_000
"""Maximum number of events of one page or frame; a page that writes to the console endlessly exceeds it."""
MAX_CHILDREN_COUNT = 100
"""Maximum number of frames and workers of one page that are attached."""
FRAME = "iframe"
FOLLOWED = frozenset({FRAME, "shared_worker", "worker"})
"""Types of child targets that may run."""
_NO_CONTEXT = "find context"
"""Part of the browser's message about an unknown context."""
_UNWANTED = frozenset({"page", "tab", "service_worker", "background_page", "webview"})
"""Types of targets that are closed as they appear: windows opened by a page, and service workers, which do not run on a first visit."""


class OpenPage:
    """An open page, initially empty. Created by `open_page`."""

    def __init__(self, browser: Chromium, proxy: EgressProxy, context_id: str) -> None:
        self.browser = browser
        self._children: list[Session] = []
        self.frames: dict[str, Session] = {}
        """Sessions of frames that run in a separate process, by frame id."""
        self.proxy = proxy
        self.context_id = context_id
        self.target_id = ""
        self.session: Session = browser.pipe.browser
        self.flooded = asyncio.Event()
        """Set when the page exceeds its number of events."""
        self.crashed = asyncio.Event()
        """Set when the process of the page ends."""
        self.on_session: Callable[[Session], None] = lambda _session: None
        """Called with the session of the page and of each frame and worker, before it runs."""

    def identify_as(self, session: Session, device: Device) -> None:
        """Set the user agent and client hints of the page, or of a frame or worker, to those for a device, without waiting."""
        session.send_without_reply(
            "Emulation.setUserAgentOverride", **user_agent_override(device, self.browser.version, self.browser.contact)
        )

    async def begin(self) -> None:
        """Create the target and deny its permissions. Raises BrowserError."""
        browser = self.browser.pipe.browser
        await browser.send("Browser.setDownloadBehavior", behavior="deny", browserContextId=self.context_id)
        await browser.send("Browser.grantPermissions", permissions=[], browserContextId=self.context_id)  # all other permissions are denied
        made = await browser.call("Target.createTarget", NewTarget, url="about:blank", browserContextId=self.context_id)
        self.target_id = made.target_id
        attached = await browser.call("Target.attachToTarget", NewSession, targetId=made.target_id, flatten=True)
        self.session = self._follow(attached.session_id)
        session = self.session
        session.add_listener("Inspector.targetCrashed", OtherEvent, lambda _event: self.crashed.set())
        session.add_listener(
            "Page.javascriptDialogOpening",
            OtherEvent,
            lambda _event: session.send_without_reply("Page.handleJavaScriptDialog", accept=False),
        )
        await session.send("Page.enable")
        self._prepare(session)
        await session.send("Network.setBypassServiceWorker", bypass=True)

    def _follow(self, session_id: str) -> Session:
        session = self.browser.pipe.session(session_id, max_events_count=MAX_EVENTS_COUNT)
        session.on_flood = self.flooded.set
        session.add_listener("Target.attachedToTarget", AttachedToTarget, self._child)
        self._children.append(session)
        return session

    def _prepare(self, session: Session) -> None:
        session.send_without_reply("Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=True, flatten=True)
        self.on_session(session)

    def _child(self, event: AttachedToTarget) -> None:
        """Attach to a frame or worker, and resume it."""
        if event.target_info.type not in FOLLOWED or len(self._children) > MAX_CHILDREN_COUNT:
            return  # without the command to run, the target stays paused
        child = self._follow(event.session_id)
        if event.target_info.type == FRAME:
            self.frames[event.target_info.target_id] = child
        self._prepare(child)
        child.send_without_reply("Runtime.runIfWaitingForDebugger")

    def on_target(self, event: TargetCreated) -> None:
        """Close a window or service worker of this page as it appears."""
        target = event.target_info
        if self.target_id and target.target_id != self.target_id and target.type in _UNWANTED:
            self.browser.pipe.browser.send_without_reply("Target.closeTarget", targetId=target.target_id)

    async def end(self) -> None:
        """Close the page and its context; if that fails, end its processes and try again.

        Ends the browser, with the visits of other pages, if neither works in time.
        """
        if not await self._close_context():
            for session in self._children:
                session.send_without_reply("Page.crash")
            if not await self._close_context():
                self.browser.pipe.abort()
        for session in self._children:
            self.browser.pipe.remove_session(session)

    async def _close_context(self) -> bool:
        try:
            await self.browser.pipe.browser.send(
                "Target.disposeBrowserContext", browserContextId=self.context_id, timeout_s=CLOSE_TIMEOUT_S
            )
        except BrowserEnded:
            return True
        except CommandFailed as error:
            return _NO_CONTEXT in str(error)  # the context was closed since the first attempt
        except BrowserError:
            return False
        return True


@asynccontextmanager
async def open_page(
    browser: Chromium, guard: Guard, resolver: Resolver, *, limits: EgressLimits | None = None, sealed_cookies: SealedCookies | None = None
) -> AsyncIterator[OpenPage]:
    """Create a context whose requests pass the guard, for a page that `begin` opens. Raises BrowserError.

    ``sealed_cookies`` are sent to one origin only. The page is always closed.
    """
    proxy = EgressProxy(await browser.listener(), guard, resolver, limits, sealed_cookies)
    try:
        await proxy.start()
        context = await browser.pipe.browser.call(
            "Target.createBrowserContext",
            NewContext,
            disposeOnDetach=True,
            proxyServer=f"http://127.0.0.1:{proxy.port}",
            proxyBypassList=NO_BYPASS,
        )
        page = OpenPage(browser, proxy, context.browser_context_id)
        browser.contexts[page.context_id] = page.on_target
        try:
            yield page
        finally:
            del browser.contexts[page.context_id]
            # Close the page of a cancelled visit too: a page that keeps running costs more than waiting two seconds.
            await asyncio.shield(asyncio.ensure_future(page.end()))
    finally:
        await proxy.close()
