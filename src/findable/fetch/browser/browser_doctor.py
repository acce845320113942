"""Check whether the installed browser starts on this machine, and how well it is isolated."""

import asyncio

from msgspec import Struct

from findable.fetch.browser.browser_program import BrowserProgram
from findable.fetch.browser.chromium import Chromium
from findable.fetch.browser.devtools_pipe import BrowserEnded, BrowserError
from findable.fetch.browser.open_page import open_page
from findable.fetch.egress_guard import Guard
from findable.fetch.resolver import Resolver


class BrowserState(Struct, frozen=True):
    """Result of starting the installed browser and opening an empty page in it."""

    version: str = ""
    is_sandboxed: bool = False
    """Whether the kernel sandboxes the process of the page."""
    has_own_network: bool = False
    """Whether the kernel blocks the browser from every network."""
    trusts_authorities: bool = False
    """Whether the browser trusts the operator's certificate authorities."""
    problem: str = ""
    """Reason why the browser does not work; empty if it does."""

    @property
    def is_usable(self) -> bool:
        """Whether the browser works in its sandbox, so that pages may be opened in it by default."""
        return not self.problem and self.is_sandboxed


def examine_browser(program: BrowserProgram) -> BrowserState:
    """Start the browser and open an empty page."""
    return asyncio.run(_open_empty_page(program))


async def _open_empty_page(program: BrowserProgram) -> BrowserState:
    try:
        browser = await Chromium.start(program)
    except BrowserError as error:
        return BrowserState(problem=str(error))
    resolver = Resolver()
    try:
        async with open_page(browser, Guard(), resolver) as page:
            await page.begin()
            started = browser.started
            return BrowserState(browser.version, browser.is_sandboxed, started.has_own_network, started.trusts_authorities)
    except (BrowserEnded, BrowserError) as error:
        return BrowserState(problem=str(error))
    finally:
        await browser.close()
        await resolver.close()
