"""Crawls that open pages in a real Chromium: none, those that scripts build, some of each template, or all."""

import asyncio
import os
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from findable.capture.crawl import CrawlEnd
from findable.compute import compute_here
from findable.crawl.record import PageRecord
from findable.crawl.render_sampling import MIN_SAMPLE_VISITS, RenderSampling
from findable.crawl.rendered import Rendered
from findable.crawl.settings import CrawlSettings, Render
from findable.crawl.state import CrawlState
from findable.fetch.browser.browser_pool import BrowserPool
from findable.fetch.fetcher import Fetcher
from findable.service.crawls.crawl_run import CrawlRun, report_of_crawl
from findable.store.crawl_file import CrawlFile
from tests.browser import needs_chromium
from tests.crawl.page_rows import record_of
from tests.crawl_sites import WORDS as ALL_WORDS
from tests.fetch.browser.visiting import LOOPBACK, installed, left_processes, until
from tests.sites.plugin import make_site, site
from tests.sites.server import Site

__all__ = ["make_site", "site"]
FAST = {"rate": 1000.0, "connections": 4, "confirm_after_s": 0.05}
WORDS = "Number {0}: green tea from hills {0} of many countries, picked by hand, dried slowly and packed by people who drink it. "
HEAD = "<!doctype html><html lang=en><head><title>{1} number {0} of our shop</title><meta name=description content='About {1} {0}, with prices.'></head><body>"
NAVIGATION = "<header class=top><nav class=menu><a href=/>Start</a> <a href=/about-us>About us</a></nav></header>"
SCRIPT = "<script src=/app.js></script>"
APP = """const n = location.pathname.split('/').pop();
document.querySelector('.story').innerHTML = '<h1>Story ' + n + '</h1>' + '<p>A long story, number ' + n + ', that only scripts tell, about cups. </p>'.repeat(20)
+ '<p><a href=/hidden/' + n + '>What only scripts link to</a></p>';"""


def make_shop(site: Site, products: int, stories: int) -> str:
    """Build a site of products, whose HTML is complete, and stories, whose text scripts write, in a template of its own."""
    random = Random(16)
    for number in range(products):
        text = " ".join(random.choice(ALL_WORDS) for _ in range(60))
        body = f"<main class=product><h1>Tea {number}</h1><p>{text}</p></main><footer class=end><a href=/>Start</a></footer>"
        site.page(f"/tea/{number}", HEAD.format(number, "Tea") + NAVIGATION + body)
    for number in range(stories):
        body = (
            f"<article class=teaser><p>{' '.join(random.choice(ALL_WORDS) for _ in range(12))}</p></article><section class=story></section>"
        )
        site.page(f"/story/{number}", HEAD.format(number, "Story") + NAVIGATION.replace("menu", "short") + body + SCRIPT)
        site.page(
            f"/hidden/{number}",
            HEAD.format(number, "Hidden")
            + f"<main><h1>Hidden {number}</h1><p>{' '.join(random.choice(ALL_WORDS) for _ in range(60))}</p></main>",
        )
    site.page("/app.js", APP, content_type="text/javascript")
    links = [f"<li><a href=/tea/{number}>Tea {number}</a></li>" for number in range(products)]
    step = max(1, products // max(1, stories))
    for number in range(stories):
        links.insert(number * (step + 1), f"<li><a href=/story/{number}>Story {number}</a></li>")
    return site.page("/", HEAD.format(1, "Start") + f"<main><h1>All of it</h1><p>{WORDS.format(1) * 5}</p><ul>{''.join(links)}</ul></main>")


def crawled(path: Path, url: str, render: Render, **settings: int) -> tuple[CrawlFile, CrawlState]:
    file = CrawlFile(path)

    async def run() -> CrawlState:
        pool = BrowserPool(installed(), LOOPBACK)
        try:
            async with Fetcher(LOOPBACK) as fetcher:
                wanted = CrawlSettings(url, render=render, **{**FAST, **settings})  # type: ignore[arg-type]  # of different types
                return await CrawlRun(file, fetcher, compute_here, render=pool.render).run(wanted)
        finally:
            await pool.close()

    return file, asyncio.run(run())


@pytest.mark.full
@needs_chromium
@pytest.mark.parametrize(("products", "stories"), [(300, 8), pytest.param(4_900, 100, marks=pytest.mark.endurance)])
def test_a_sample_finds_the_one_template_that_needs_scripts(site: Site, tmp_path: Path, products: int, stories: int) -> None:
    file, state = crawled(tmp_path / "sample.sqlite", make_shop(site, products, stories), Render.SAMPLE)
    rendered, pages = state.rendered, file.counts().pages
    print(f"{rendered.visits} visits of {pages} pages, {rendered.failed} failed")

    assert state.ended_by is CrawlEnd.COMPLETE
    assert rendered.failed == 0
    assert rendered.visits <= max(MIN_SAMPLE_VISITS, pages // 20)
    assert [template.example_url.partition("/story/")[1] for template in rendered.templates if template.needs_scripts] == ["/story/"]
    # Each visited page of that template, and no other page, says so; what scripts link to was crawled.
    report = report_of_crawl(file, state)
    found = [finding for finding in report.findings if finding.id == "raw-vs-rendered"]
    visited = next(template.visits for template in rendered.templates if template.needs_scripts)
    assert sum(finding.pages_count for finding in found) == visited
    assert len(site.asked("/hidden/1")) == 1
    assert visited >= min(stories, 8)
    assert until(lambda: left_processes() == [])


@pytest.mark.full
@needs_chromium
def test_each_choice_renders_its_pages_and_judging_again_needs_no_browser(site: Site, tmp_path: Path) -> None:
    shell = HEAD.format(1, "Shell") + "<div id=root class=story></div>" + SCRIPT
    site.page("/shell/1", shell)
    site.page("/tea/1", HEAD.format(1, "Tea") + f"<main><h1>Tea</h1><p>{WORDS.format(1) * 5}</p></main>")
    site.page("/hidden/1", HEAD.format(1, "Hidden") + f"<main><h1>Hidden</h1><p>{WORDS.format(2) * 5}</p></main>")
    site.page("/app.js", APP, content_type="text/javascript")
    url = site.page(
        "/", HEAD.format(1, "Start") + f"<main><h1>All</h1><p>{WORDS.format(1) * 5}</p><a href=/shell/1>A</a> <a href=/tea/1>B</a></main>"
    )
    visits = {}
    for render in Render:
        file, state = crawled(tmp_path / f"{render.value}.sqlite", url, render)
        visits[render] = state.rendered.visits
        record = record_of(file, site.url("/shell/1"))
        assert record is not None
        assert record.is_shell is (render is Render.NEVER)
        assert (record_of(file, site.url("/hidden/1")) is None) is (render is Render.NEVER)
    assert visits == {Render.NEVER: 0, Render.NEEDED: 1, Render.SAMPLE: 4, Render.ALL: 4}


@pytest.mark.full
@needs_chromium
def test_a_rendered_crawl_that_is_killed_goes_on_and_leaves_no_browser(site: Site, tmp_path: Path) -> None:
    url = make_shop(site, 60, 4)
    command = [
        sys.executable,
        "-m",
        "findable",
        "crawl",
        url,
        "--store",
        str(tmp_path / "k.sqlite"),
        "--rate",
        "40",
        "--confirm-after",
        "0.1",
    ]
    command += ["--render", "sample", "--format", "json"]
    for count in (15, 40):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        site.wait_for_requests(count, 60)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    with closing(CrawlFile(tmp_path / "k.sqlite")) as file:
        state = file.state()
    assert state is not None, done.stderr
    assert state.ended_by is CrawlEnd.COMPLETE, done.stderr
    assert any(template.needs_scripts for template in state.rendered.templates)
    assert until(lambda: left_processes() == [])


# --- the choice, without a browser ------------------------------------------------------------------------------------------


def _page(number: int, *, shapes: tuple[int, ...], is_shell: bool = False) -> PageRecord:
    return PageRecord(f"https://www.example.com/{number}", 200, shapes=shapes, is_shell=is_shell, verdicts=b"\1")


def test_a_sample_stays_within_its_share_of_many_templates() -> None:
    sampling = RenderSampling(Render.SAMPLE, Rendered())
    chosen = 0
    for number in range(5_000):
        page = _page(number, shapes=tuple(range(number % 400 * 10, number % 400 * 10 + 10)), is_shell=number % 2 == 0)
        if sampling.choose(page):
            chosen += 1
            sampling.add_visit(page, page)
    assert chosen == sampling.rendered.visits <= 250
    assert len(sampling.rendered.templates) <= 200


def test_a_large_template_that_needs_scripts_leaves_visits_for_those_found_later() -> None:
    sampling = RenderSampling(Render.SAMPLE, Rendered())
    large = [_page(number, shapes=(1, 2, 3), is_shell=True) for number in range(1_000)]
    late = [_page(number, shapes=(4, 5, 6)) for number in range(1_000, 1_100)]
    for page in (*large, *late):
        if sampling.choose(page):
            sampling.add_visit(page, page)
    assert [template.visits for template in sampling.rendered.templates] == [28, 3]


def test_a_choice_goes_on_from_what_is_stored() -> None:
    first = RenderSampling(Render.SAMPLE, Rendered())
    pages = [_page(number, shapes=(1, 2, 3)) for number in range(10)]
    assert [first.choose(page) for page in pages[:2]] == [True, True]
    second = RenderSampling(Render.SAMPLE, first.rendered)
    assert [second.choose(page) for page in pages[2:6]] == [True, False, False, False]
    second.add_visit(_page(2, shapes=(1, 2, 3), is_shell=True), pages[2])  # a shell is a template of its own
    assert second.rendered.visits == 3
    assert not RenderSampling(Render.NEVER, Rendered()).choose(pages[0])
    assert RenderSampling(Render.NEEDED, Rendered()).choose(_page(1, shapes=(), is_shell=True))
    assert not RenderSampling(Render.NEEDED, Rendered()).choose(pages[0])
