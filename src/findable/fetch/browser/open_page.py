"""One page in a context of its own: no cookies or storage of earlier visits, its own way out, no right that a page need not have."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from findable.fetch.browser.browser_events import (
    Anything,
    AttachedToTarget,
    NewContext,
    NewSession,
    NewTarget,
    TargetCreated,
)
from findable.fetch.browser.browser_program import NO_BYPASS
from findable.fetch.browser.chromium import Chromium
from findable.fetch.browser.devtools_pipe import BrowserEnded, BrowserError, CommandFailed, Session
from findable.fetch.browser.egress_proxy import EgressProxy, SealedCookies
from findable.fetch.browser.visit_order import EgressLimits
from findable.fetch.guard import Guard
from findable.fetch.resolver import Resolver

CLOSE_TIMEOUT_S = 2.0
"""Time of each of two attempts to close a page; after them the browser is ended."""
MAX_EVENTS_COUNT = 50_000
"""Events of one page or frame; a page that writes to the console without end sends more."""
MAX_CHILDREN_COUNT = 100
"""Frames and workers of one page that are followed."""
FRAME = "iframe"
FOLLOWED = frozenset({FRAME, "shared_worker", "worker"})
"""Kinds of targets below a page that may run."""
_NO_CONTEXT = "find context"
"""Part of the browser's message about a context that it does not have."""
_UNWANTED = frozenset({"page", "tab", "service_worker", "background_page", "webview"})
"""Kinds of targets that are closed as they appear: windows that a page opened, and service workers, which no first visit has."""


class OpenPage:
    """An open page, still empty. Made by `open_page`."""

    def __init__(self, browser: Chromium, proxy: EgressProxy, context_id: str) -> None:
        self._browser = browser
        self._children: list[Session] = []
        self.frames: dict[str, Session] = {}
        """Sessions of frames that have a process of their own, by the id of the frame."""
        self.proxy = proxy
        self.context_id = context_id
        self.target_id = ""
        self.session: Session = browser.pipe.browser
        self.flooded = asyncio.Event()
        """Set when the page sent more events than it may."""
        self.crashed = asyncio.Event()
        """Set when the process of the page ended."""
        self.on_session: Callable[[Session], None] = lambda _session: None
        """Called with the session of the page and of each frame and worker, before it runs."""

    @property
    def keeper_pid(self) -> int:
        """Process below which those of the browser run."""
        return self._browser.keeper_pid

    async def begin(self) -> None:
        """Create the target and deny it what it may not do. Raises BrowserError."""
        browser = self._browser.pipe.browser
        await browser.send("Browser.setDownloadBehavior", behavior="deny", browserContextId=self.context_id)
        await browser.send("Browser.grantPermissions", permissions=[], browserContextId=self.context_id)  # all other permissions are denied
        made = await browser.ask("Target.createTarget", NewTarget, url="about:blank", browserContextId=self.context_id)
        self.target_id = made.target_id
        attached = await browser.ask("Target.attachToTarget", NewSession, targetId=made.target_id, flatten=True)
        self.session = self._follow(attached.session_id)
        session = self.session
        session.on("Inspector.targetCrashed", Anything, lambda _event: self.crashed.set())
        session.on("Page.javascriptDialogOpening", Anything, lambda _event: session.tell("Page.handleJavaScriptDialog", accept=False))
        await session.send("Page.enable")
        self._prepare(session)
        await session.send("Network.setBypassServiceWorker", bypass=True)

    def _follow(self, session_id: str) -> Session:
        session = self._browser.pipe.session(session_id, max_events_count=MAX_EVENTS_COUNT)
        session.on_flood = self.flooded.set
        session.on("Target.attachedToTarget", AttachedToTarget, self._child)
        self._children.append(session)
        return session

    def _prepare(self, session: Session) -> None:
        session.tell("Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=True, flatten=True)
        self.on_session(session)

    def _child(self, event: AttachedToTarget) -> None:
        """Follow a frame or worker, and let it run."""
        if event.target_info.type not in FOLLOWED or len(self._children) > MAX_CHILDREN_COUNT:
            return  # the target waits for a command that is never sent
        child = self._follow(event.session_id)
        if event.target_info.type == FRAME:
            self.frames[event.target_info.target_id] = child
        self._prepare(child)
        child.tell("Runtime.runIfWaitingForDebugger")

    def heard_of(self, event: TargetCreated) -> None:
        """Close a window or service worker of this page as it appears."""
        target = event.target_info
        if self.target_id and target.target_id != self.target_id and target.type in _UNWANTED:
            self._browser.pipe.browser.tell("Target.closeTarget", targetId=target.target_id)

    async def end(self) -> None:
        """Close the page and everything in its context; first as it is, then after its processes were ended.

        Ends the browser, with the visits of other pages, if neither can be done in time.
        """
        if not await self._closed():
            for session in self._children:
                session.tell("Page.crash")
            if not await self._closed():
                self._browser.kill()
        for session in self._children:
            self._browser.pipe.forget(session)

    async def _closed(self) -> bool:
        try:
            await self._browser.pipe.browser.send(
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
    browser: Chromium, guard: Guard, resolver: Resolver, *, limits: EgressLimits | None = None, sealed: SealedCookies | None = None
) -> AsyncIterator[OpenPage]:
    """Make a context whose requests go through the guard, for a page that `begin` opens. Raises BrowserError.

    ``sealed`` are cookies that one origin alone gets. Whatever happens, the page is closed.
    """
    proxy = EgressProxy(await browser.listener(), guard, resolver, limits, sealed)
    try:
        await proxy.start()
        context = await browser.pipe.browser.ask(
            "Target.createBrowserContext",
            NewContext,
            disposeOnDetach=True,
            proxyServer=f"http://127.0.0.1:{proxy.port}",
            proxyBypassList=NO_BYPASS,
        )
        page = OpenPage(browser, proxy, context.browser_context_id)
        browser.contexts[page.context_id] = page.heard_of
        try:
            yield page
        finally:
            del browser.contexts[page.context_id]
            # Also end the page of a cancelled visit: a page that keeps running costs more than a wait of two seconds.
            await asyncio.shield(asyncio.ensure_future(page.end()))
    finally:
        await proxy.close()
