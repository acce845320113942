"""Measured loads of a page: three, slowed down, while nothing else is open in the browser."""

import asyncio
import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from findable.artifacts.browser.vitals import LabValues, Vitals
from findable.artifacts.registry import Absent
from findable.capture.devices import PHONE
from findable.capture.rendering import Rendering, RenderingFailure
from findable.fetch.browser.browser_pool import BrowserPool
from findable.fetch.browser.lab_visit import LOADS_COUNT, MOBILE
from findable.fetch.browser.visit_order import VisitOrder
from tests.browser import needs_chromium
from tests.checks.harness import artifacts
from tests.fetch.browser.visiting import in_pool
from tests.sites.server import Page, Request, Site, Wire, answer_bytes

pytestmark = [pytest.mark.full, needs_chromium]
HEAD = "<!doctype html><html lang=en><head><meta name=viewport content='width=device-width'><title>A page</title></head><body>"
BANNER = f"""{HEAD}<div id=top></div><h1>Tea and cups from Hamburg</h1><p style="height:300px">Text.</p><script>
setTimeout(()=>{{const d=document.createElement('div');d.style.height='200px';document.getElementById('top').append(d)}},1500);
addEventListener('load',()=>setTimeout(()=>{{const e=performance.now()+150;while(performance.now()<e);}},300))</script>"""


def measured(url: str) -> Rendering:
    async def work(pool: BrowserPool) -> Rendering:
        return await pool.measure(Rendering("2026-11-23T00:00:00Z", "", PHONE), VisitOrder(url, screenshots=False))

    found: Rendering = in_pool(work)
    return found


def values_of(rendering: Rendering) -> LabValues:
    found = artifacts("", rendering=rendering).get(LabValues)
    assert isinstance(found, LabValues)
    return found


def test_three_loads_are_slowed_down_and_their_values_are_those_of_the_page(site: Site) -> None:
    rendering = measured(site.page("/", BANNER))
    values = values_of(rendering)

    assert rendering.throttling == MOBILE
    assert len(rendering.loads) == LOADS_COUNT
    assert len(site.asked("/")) == LOADS_COUNT
    # 200 px of 823, moved over the width of the screen: the same in each load.
    assert len(set(values.cls)) == 1
    assert 0.1 < values.cls[0] < 0.25
    assert all(value >= MOBILE.latency_ms for value in values.fcp_ms)
    assert all(value >= 99 for value in values.tbt_ms)  # a task of 150 ms, minus 50
    assert values.lcp_selector.endswith("h1")
    assert all(load.quiet_ms is not None and load.processor_index > 0 for load in rendering.loads)


def test_a_large_file_takes_the_time_of_a_slow_connection(site: Site) -> None:
    site.page("/app.js", "//" + "x" * 300_000, content_type="text/javascript")
    values = values_of(measured(site.page("/", f"{HEAD}<script src=/app.js></script><h1>Tea</h1>")))

    assert all(value > 300_000 * 8 / MOBILE.download_kbps * 0.9 for value in values.fcp_ms)


def test_a_page_that_paints_nothing_or_cannot_be_loaded_is_unknown(site: Site) -> None:
    site.handler("/gone", _hang_up)
    for url in (site.page("/empty", "<!doctype html><title>empty</title>"), site.url("/gone")):
        found = artifacts("", rendering=measured(url)).get(Vitals)
        assert isinstance(found, Absent)
        assert found.verdict.value == "unknown"


async def _hang_up(_request: Request, wire: Wire) -> None:
    wire.reset()


def test_no_other_page_is_open_while_one_is_measured(site: Site) -> None:
    open_paths: list[str] = []
    together: list[list[str]] = []

    async def slow(request: Request, wire: Wire) -> None:
        open_paths.append(request.path)
        together.append(list(open_paths))
        await asyncio.sleep(0.3)
        await wire.send(answer_bytes(Page(f"{HEAD}<h1>Tea</h1>".encode())))
        open_paths.remove(request.path)

    site.handler("/measured", slow)
    site.handler("/viewed", slow)

    async def work(pool: BrowserPool) -> list[Rendering]:
        seen = Rendering("2026-11-23T00:00:00Z", "", PHONE)
        views = [pool.visit(VisitOrder(site.url("/viewed"))) for _ in range(4)]
        return list(
            await asyncio.gather(
                *views, pool.measure(seen, VisitOrder(site.url("/measured"))), pool.measure(seen, VisitOrder(site.url("/measured")))
            )
        )

    found = in_pool(work, concurrency=2)
    assert [rendering.failure for rendering in found] == [RenderingFailure.NONE] * 6
    assert all(paths == ["/measured"] for paths in together if "/measured" in paths)


@contextlib.contextmanager
def busy_machine() -> Iterator[None]:
    """Keep every processor busy with eight programs."""
    programs = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(8 * (os.cpu_count() or 1))]
    try:
        yield
    finally:
        for program in programs:
            program.kill()
            program.wait()


def test_on_a_busy_machine_there_are_values_and_no_verdict(site: Site) -> None:
    url = site.page("/", BANNER)
    with busy_machine():
        rendering = measured(url)
    found = artifacts("", rendering=rendering).get(Vitals)

    assert values_of(rendering).machine_was_busy
    assert isinstance(found, Absent)
    assert (found.verdict.value, "the machine was busy" in found.reason) == ("unknown", True)
