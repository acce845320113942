"""Take the screenshots of docs/images/ with headless Chromium: ``make screenshots``.

Starts the demonstration with a new data directory, waits for its reports, signs in, and captures a report, the report and comparison of a
shop (`screenshot_shop`) after a deployment, and the first page of its owner, light and dark, the pages *For the client* and *Watching* for
how-tos, the first page of the report's PDF (with ``pdftoppm`` of Debian's poppler-utils), and what a browser saw and measured of a page.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urljoin, urlsplit

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from tools.screenshot_shop import serve_shop

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs/images"
BROWSERS = ("chromium", "chromium-headless-shell", "google-chrome")
WIDTH_PX, HEIGHT_PX = 1100, 1000
TALL_PX, MARGIN_PX = 1350, 20
"""Maximum height of the image of a site's report, and the space around it."""
SCHEMES = ("light", "dark")
COLORS = 192
"""Number of colours of a screenshot: flat colours need no more, and the files stay small."""
PDF_WIDTH_PX = 700
SHOWN_PAGE = "visit"
"""Page of the demonstration whose report is shown, because it has many findings."""
MEASURED_PAGE = "/breads/rye-sourdough"
"""Page of the demonstration that a browser visits and measures."""
PORT = "8090"
SHOP_PORT = 8093
TIMEOUT_S = 600


def main() -> int:
    """Take the screenshots; return 0, or 1 without a browser or if the demonstration did not start."""
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if browser is None:
        print("no browser was found. On Debian: apt-get install chromium", file=sys.stderr)
        return 1
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        allowed = {"FINDABLE_ALLOW_TARGETS": f"127.0.0.1:{SHOP_PORT}"}
        environment = os.environ | {"FINDABLE_DATA_DIR": folder, "FINDABLE_PORT": PORT} | allowed
        process = subprocess.Popen(
            [sys.executable, "-u", "-m", "findable.demo"], cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
        )
        alarm = threading.Timer(TIMEOUT_S, process.kill)
        alarm.start()
        try:
            said = read_output(process)
            link, address = re.search(r"http\S+/sign-in/\S+", said), re.search(rf"/{SHOWN_PAGE},.*?(http\S+/r/\S+)", said, re.DOTALL)
            if link is None or address is None:
                print("the demonstration did not name a report", file=sys.stderr)
                return 1
            with sync_playwright() as driver:
                chromium = driver.chromium.launch(executable_path=browser, chromium_sandbox=os.geteuid() != 0)
                page = chromium.new_page(viewport={"width": WIDTH_PX, "height": HEIGHT_PX}, reduced_motion="reduce")
                take_screenshots(page, "report", address[1])
                first_page_of_pdf(page.request.get(f"{address[1]}/report.pdf").body(), IMAGES / "pdf.png")
                page.goto(link[0])
                page.locator("main button").click()
                page.wait_for_url("**/welcome")
                take_shop(page, address[1])
                take_screenshots(page, "client", f"{address[1]}/client", SCHEMES[:1])
                page.goto(address[1])
                project = page.locator(".kicker a").get_attribute("href")
                take_screenshots(page, "watching", urljoin(address[1], f"{project}/watching"), SCHEMES[:1])
                measured = re.search(rf"{MEASURED_PAGE},.*?(http\S+/r/\S+)", said, re.DOTALL)
                if measured:
                    take_browser_part(page, measured[1])
                home = urlsplit(address[1])
                take_screenshots(page, "home", f"{home.scheme}://{home.netloc}/")
                chromium.close()
        finally:
            alarm.cancel()
            process.send_signal(signal.SIGINT)
            process.wait(30)
    return 0


def read_output(process: "subprocess.Popen[str]") -> str:
    """Return the complete output of the demonstration."""
    said = ""
    for line in process.stdout or ():
        said += line
        if "Ctrl-C" in line:
            break
    return said


def take_screenshots(page: Page, name: str, address: str, schemes: Sequence[str] = SCHEMES) -> None:
    """Capture the top of a page, light and dark."""
    for scheme in schemes:
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        page.goto(address)
        path = IMAGES / f"{name}-{scheme}.png"
        page.screenshot(path=path)
        reduce_colors(path)


def take_shop(page: Page, report: str) -> None:
    """Crawl the shop before and after a deployment, and capture its report, the comparison, and the summary as a PDF."""
    home = "{0.scheme}://{0.netloc}".format(urlsplit(report))
    with serve_shop(SHOP_PORT) as shop:
        for shop.hides_cakes in (False, True):
            page.goto(home)
            page.locator("#url").fill(f"http://127.0.0.1:{SHOP_PORT}/")
            page.locator("button[formaction='/crawls']").click()
            page.wait_for_url("**/s/*")
            page.locator(".score-bar").wait_for(timeout=1000 * TIMEOUT_S)
    crawl = page.url
    page.locator("button[value=later]").click()
    for scheme in SCHEMES:
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        page.goto(crawl)
        first, last = (page.locator(part).first.bounding_box() for part in (".glance", ".charts"))
        if first and last:
            path = IMAGES / f"site-{scheme}.png"
            height = min(last["y"] + last["height"] - first["y"], TALL_PX) + 2 * MARGIN_PX
            page.screenshot(path=path, full_page=True, clip={"x": 0, "y": first["y"] - MARGIN_PX, "width": WIDTH_PX, "height": height})
            reduce_colors(path)
    take_screenshots(page, "changes", f"{crawl}/changes")


def take_browser_part(page: Page, address: str) -> None:
    """Capture what the report shows of its browser, once its measured loads are there."""
    page.emulate_media(color_scheme="light")
    page.goto(address)
    page.wait_for_function("document.querySelector('.filmstrip') || (setTimeout(() => location.reload(), 3000), false)", polling=5000)
    part = page.locator("details", has=page.locator(".filmstrip"))
    part.evaluate("part => { part.open = true }")
    part.scroll_into_view_if_needed()
    page.wait_for_load_state("networkidle")
    path = IMAGES / "browser-light.png"
    part.screenshot(path=path)
    with Image.open(path) as whole:
        whole.crop((0, 0, whole.width, min(whole.height, HEIGHT_PX))).save(path)
    reduce_colors(path)


def first_page_of_pdf(document: bytes, path: Path) -> None:
    """Render the first page of the PDF to ``path``, which ends in .png."""
    command = ["pdftoppm", "-png", "-singlefile", "-scale-to-x", str(PDF_WIDTH_PX), "-scale-to-y", "-1", "-", str(path.with_suffix(""))]
    subprocess.run(command, input=document, check=True, timeout=TIMEOUT_S)
    reduce_colors(path)


def reduce_colors(path: Path) -> None:
    """Reduce the colours of an image."""
    with Image.open(path) as picture:
        picture.convert("RGB").quantize(COLORS, dither=Image.Dither.NONE).save(path, optimize=True)
    print(path.relative_to(ROOT), f"{path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    sys.exit(main())
