"""A real Chromium, driven by Playwright: Debian's own, for it fetches none. Fixtures for stories, and what they ask of a page.

A folder that uses them imports them in its conftest.py, and names them in its ``__all__``.
"""

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.external import missing
from tests.tiers import FULL

NAMES = ("chromium-headless-shell", "chromium", "google-chrome")
"""The shell is the same browser without its window: half the work for the processor."""
EXECUTABLE = next((found for name in NAMES if (found := shutil.which(name))), None)
PHONE_PX, DESKTOP_PX = 390, 1280
HEIGHTS_PX = {PHONE_PX: 664, DESKTOP_PX: 800}
PATIENCE_MS = 60_000
LOOKS = pytest.mark.parametrize(
    ("width", "dark"),
    [pytest.param(PHONE_PX, True, id="390-dark"), pytest.param(DESKTOP_PX, False, id="1280-light", marks=pytest.mark.full)],
)
"""Both widths and both schemes, each once: colours do not depend on the width."""
SCHEMES = pytest.mark.parametrize("dark", [pytest.param(False, id="light"), pytest.param(True, id="dark", marks=pytest.mark.full)])

expect.set_options(timeout=PATIENCE_MS)
needs_chromium = pytest.mark.skipif(EXECUTABLE is None and not FULL, reason="chromium-headless-shell is missing: make setup-tools")

Open = Callable[..., Page]


# One for a module: the driver keeps an event loop running in the thread of the tests, where others want one of their own.
@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """The browser. Root has no sandbox there."""
    if EXECUTABLE is None:
        missing("chromium-headless-shell")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=EXECUTABLE, chromium_sandbox=os.geteuid() != 0)
        yield browser
        browser.close()


@pytest.fixture
def window(chromium: Browser) -> Iterator[Open]:
    """Opens windows: ``window(width=390, dark=True, cookies={...}, origin="http://127.0.0.1:8000", scripts=False)``."""
    opened: list[BrowserContext] = []

    def open_window(
        *,
        width: int = DESKTOP_PX,
        dark: bool = False,
        cookies: Mapping[str, str] | None = None,
        origin: str = "",
        scripts: bool = True,
        language: str = "en",
        time_zone: str = "UTC",
    ) -> Page:
        context = chromium.new_context(
            viewport={"width": width, "height": HEIGHTS_PX.get(width, 800)},
            color_scheme="dark" if dark else "light",
            java_script_enabled=scripts,
            reduced_motion="reduce",
            locale=language,
            timezone_id=time_zone,
        )
        context.set_default_timeout(PATIENCE_MS)
        context.add_cookies([{"name": name, "value": value, "url": origin} for name, value in (cookies or {}).items()])
        opened.append(context)
        return context.new_page()

    yield open_window
    for context in opened:
        context.close()


def scrolls_sideways(page: Page) -> bool:
    """Whether the page is wider than its window."""
    return bool(page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"))


def stands_above_the_fold(page: Page, selector: str) -> bool:
    """Whether the first such element is shown whole without scrolling."""
    box = page.locator(selector).first.bounding_box()
    size = page.viewport_size
    return box is not None and size is not None and box["y"] >= 0 and box["y"] + box["height"] <= size["height"]


def picture(page: Page, path: Path) -> None:
    """The whole page as a PNG, for looking at."""
    page.screenshot(path=path, full_page=True)
