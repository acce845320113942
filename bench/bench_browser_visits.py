"""Measure the CPU time of browser visits: ``python -m bench.bench_browser_visits [VISITS]``.

Ten pages of 11 requests each on loopback are visited one at a time, with and without axe-core and screenshots. The result is the
CPU time of this process and of all processes of the browser.
"""

import asyncio
import resource
import sys
from collections.abc import Callable

from findable.clock import monotonic_s
from findable.fetch.browser.browser_pool import BrowserPool
from findable.fetch.browser.browser_program import find_browser
from findable.fetch.browser.chromium import Chromium
from findable.fetch.browser.visit_order import VisitOrder
from findable.fetch.egress_guard import AllowedTarget, Guard
from tests.sites.server import Site

WORDS = "We sell green tea and cups from many countries, and ship them. "
MS = 1000
MINUTE_S = 60


def _spent_s() -> float:
    """Return the CPU time in seconds of this process and its ended children."""
    return sum(used.ru_utime + used.ru_stime for used in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))


def _pages(site: Site) -> list[str]:
    site.page("/style.css", "p{margin:1em}" + ".x{color:red}" * 500, content_type="text/css")
    site.page("/app.js", "document.body.append('written');" + "//" + "x" * 20_000, content_type="text/javascript")
    for number in range(8):
        site.page(f"/{number}.svg", "<svg xmlns='http://www.w3.org/2000/svg' width='90' height='60'/>", content_type="image/svg+xml")
    images = "".join(f"<img src=/{number}.svg alt=tea width=90 height=60>" for number in range(8))
    head = "<!doctype html><html lang=en><head><meta name=viewport content='width=device-width'><title>A page</title>"
    head += "<link rel=stylesheet href=/style.css>"
    body = f"<main><h1>Tea</h1>{f'<p>{WORDS * 3} <a href=/about>About</a></p>' * 20}{images}</main><script src=/app.js></script>"
    return [site.page(f"/page-{number}", f"{head}</head><body>{body}</body></html>") for number in range(10)]


async def _measure_visits(order: Callable[[str], VisitOrder], urls: list[str], count: int) -> float:
    """Return the seconds of CPU time of one visit."""
    program = find_browser()
    before_s = _spent_s()
    pool = BrowserPool(program, Guard(AllowedTarget.parse_all("127.0.0.1")))
    for number in range(count):
        seen = await pool.visit(wanted := order(urls[number % len(urls)]))
        assert not seen.failure, seen.failure
        assert bool(seen.axe_version) is wanted.axe
    await pool.close()
    return (_spent_s() - before_s) / count


async def _start_s() -> float:
    program = find_browser()
    assert program is not None
    began_s = monotonic_s()
    browser = await Chromium.start(program)
    took_s = monotonic_s() - began_s
    await browser.close()
    return took_s


def main(count: int) -> None:
    """Print one line for each kind of visit."""
    site = Site().start()
    urls = _pages(site)
    starts = sorted(asyncio.run(_start_s()) for _ in range(5))
    print(f"start: {starts[2]:.2f} s ({starts[0]:.2f} to {starts[-1]:.2f})")
    for name, order in (
        ("document and layout", lambda url: VisitOrder(url, axe=False, screenshots=False)),
        ("document alone, as in crawls", lambda url: VisitOrder(url, axe=False, screenshots=False, layout=False)),
        ("with axe-core", lambda url: VisitOrder(url, screenshots=False)),
        ("with axe-core and both screenshots", VisitOrder),
    ):
        spent_s = asyncio.run(_measure_visits(order, urls, count))
        print(f"{name}: {spent_s * MS:.0f} ms of CPU time a visit, {MINUTE_S / spent_s:.0f} visits a minute and core")
    site.stop()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 40)
