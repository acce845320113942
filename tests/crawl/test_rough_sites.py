"""Crawls of sites that reset connections, ask for patience, or are slow; politeness as the server's log has it."""

import asyncio
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from findable.capture.crawl import CrawlEnd
from tests.crawl.test_crawls import Crawled
from tests.crawl_sites import make_shop
from tests.sites.plugin import make_site, site
from tests.sites.server import Handler, Page, Request, Site, Wire, answer_bytes

__all__ = ["make_site", "site"]

ONCE_BAD = 0.2
"""Share of the pages whose first request ends badly: reset, told to wait, or overloaded."""


def make_rough(site: Site, seed: int) -> Counter[str]:
    """Let some pages fail once, and all be slow by chance; return what happened by kind, filled while the site is used."""
    random = Random(seed)
    told: Counter[str] = Counter()
    visited: Counter[str] = Counter()

    def wrap(path: str, page: Page) -> Handler:
        kind = random.choice(["reset", "429", "503"]) if random.random() < ONCE_BAD and path.startswith("/product/") else ""
        delay_s = random.uniform(0, 0.02)

        async def respond(_request: Request, wire: Wire) -> None:
            visited[path] += 1
            await asyncio.sleep(delay_s)
            if kind and visited[path] == 1:
                told[kind] += 1
                if kind == "reset":
                    wire.reset()
                    return
                headers = [("Retry-After", "0")] if kind == "429" else []
                await wire.send(answer_bytes(Page(b"busy", int(kind), headers)))
            else:
                await wire.send(answer_bytes(page))
            wire.keep = True

        return respond

    site.wrap(wrap)
    return told


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.endurance) for seed in range(1, 20))])
def test_resets_and_refusals_that_pass_change_nothing(make_site: Callable[..., Site], tmp_path: Path, seed: int) -> None:
    rough, calm = make_site(), make_site()
    make_shop(rough)
    make_shop(calm)
    told = make_rough(rough, seed)
    first = Crawled(tmp_path / "rough.sqlite", rough.url("/"))
    second = Crawled(tmp_path / "calm.sqlite", calm.url("/"))

    assert set(told) == {"reset", "429", "503"} or seed
    assert first.state.ended_by is CrawlEnd.COMPLETE
    assert first.digest(rough.base) == second.digest(calm.base)
    assert max(Counter(request.target for request in rough.requests if request.path.startswith("/product/")).values()) <= 2


@pytest.mark.full
def test_retry_after_is_obeyed_by_all_requests(site: Site, tmp_path: Path) -> None:
    make_shop(site, products=12)
    refused_at_s: list[float] = []

    async def wait(request: Request, wire: Wire) -> None:
        if refused_at_s:
            await wire.send(answer_bytes(Page(b"<!doctype html><title>Privacy</title><h1>Privacy</h1>")))
        else:
            refused_at_s.append(request.at_s)
            await wire.send(answer_bytes(Page(b"busy", 429, [("Retry-After", "2")])))
        wire.keep = True

    site.handler("/privacy", wait)
    rows = Crawled(tmp_path / "patient.sqlite", site.url("/"), connections=1).rows()
    later = [request.at_s for request in site.requests if request.at_s > refused_at_s[0]]

    assert rows["privacy"].status == 200
    assert min(later) - refused_at_s[0] >= 1.9


@pytest.mark.parametrize("connections", [1, 2])
def test_no_more_requests_at_once_than_set(site: Site, tmp_path: Path, connections: int) -> None:
    make_shop(site, products=16)
    running: list[str] = []
    most = 0

    def wrap(path: str, page: Page) -> Handler:
        async def respond(_request: Request, wire: Wire) -> None:
            nonlocal most
            if path.startswith("/product/"):
                running.append(path)
                most = max(most, len(running))
                await asyncio.sleep(0.08)
                running.remove(path)
            await wire.send(answer_bytes(page))
            wire.keep = True

        return respond

    site.wrap(wrap)
    Crawled(tmp_path / "polite.sqlite", site.url("/"), connections=connections)

    assert most == connections


def test_a_crawl_delay_is_obeyed(site: Site, tmp_path: Path) -> None:
    make_shop(site, products=3)
    site.change("/robots.txt", "User-agent: *", "User-agent: *\nCrawl-delay: 0.3")
    Crawled(tmp_path / "delay.sqlite", site.url("/"))
    times = sorted(request.at_s for request in site.requests if request.path.startswith("/product/"))

    assert times[-1] - times[0] >= 0.3 * (len(times) - 1) - 0.1
