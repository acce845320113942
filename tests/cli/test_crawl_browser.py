"""`findable crawl --render` with options of the visits, as a user runs it."""

import json
from contextlib import closing
from pathlib import Path

import pytest

from findable.crawl.settings import Render
from findable.store.crawl_file import CrawlFile
from tests.browser import needs_chromium
from tests.cli.conftest import Run
from tests.sites.server import Page, Site

FAST = ("--rate", "50", "--confirm-after", "0.05", "--pages", "5")
LIST = """<!doctype html><html lang=en><head><title>Tea and cups in Hamburg</title></head><body><h1>Tea and cups</h1>
<script src="http://127.0.0.2:%d/analytics.js"></script><script>
setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<a class=late href=/late>Cups that come late</a>'), 1500)</script>"""


@pytest.mark.full
@needs_chromium
def test_a_crawl_waits_for_an_element_and_leaves_hosts_out(findable: Run, site: Site, tmp_path: Path) -> None:
    analytics = Site(host="127.0.0.2").start()
    analytics.fallback(Page(b"1", headers=(("Content-Type", "text/javascript"),)))
    try:
        site.page("/", LIST % analytics.port)
        site.page("/late", "<!doctype html><html lang=en><title>Cups</title><h1>Cups that come late</h1>")
        start = ("crawl", site.url("/"), *FAST, "--render", "all", "--format", "json", "--allow-target", "127.0.0.2")
        found, loaded = [], []
        for number, options in enumerate(((), ("--wait-for", "a.late", "--block-host", "127.0.0.2"))):
            done = findable(*start, "--store", str(tmp_path / f"{number}.sqlite"), *options)
            found.append({page["url"] for page in json.loads(done.stdout)["pages"]})
            loaded.append(analytics.connections_count)
    finally:
        analytics.stop()
    assert found == [{site.url("/")}, {site.url("/"), site.url("/late")}]
    assert loaded[0] == loaded[1] > 0


@pytest.mark.parametrize(("option", "value"), [("--wait-for", "li["), ("--block-host", "no host/at all")])
def test_an_option_of_visits_that_cannot_be_is_refused_by_name(findable: Run, site: Site, option: str, value: str) -> None:
    done = findable("crawl", site.url("/"), option, value)
    assert done.returncode == 2
    assert option in done.stderr
    assert site.requests == []


SHELL = """<!doctype html><html lang=en><head><title>Tea and cups in Hamburg</title></head><body><h1>Tea and cups</h1>
<script>document.body.insertAdjacentHTML('beforeend', '<a href=/late>Cups that scripts link to</a> <a href=/private>Private</a>')</script>"""


@needs_chromium
def test_pages_of_each_template_are_opened_unless_the_command_says_otherwise(findable: Run, site: Site, tmp_path: Path) -> None:
    site.page("/", SHELL)
    site.page("/late", "<!doctype html><html lang=en><title>Cups</title><h1>Cups that scripts link to</h1>")
    site.page("/private", "<!doctype html><html lang=en><title>Private</title><h1>Private</h1>")
    site.page("/robots.txt", "User-agent: Findable\nDisallow: /private\n", content_type="text/plain")
    start = ("crawl", site.url("/"), *FAST)
    sampled = findable(*start, "--store", "sampled.sqlite", FINDABLE_BROWSER="")
    without = findable(*start, "--store", "without.sqlite")
    assert "2 pages opened in a browser" in sampled.stdout
    assert "--render never opens none" in sampled.stderr
    assert "No page was opened in a browser" in without.stdout
    assert not site.asked("/private")
    visits = [request for request in site.asked("/") if "Chrome/" in request.headers["user-agent"]]
    assert visits
    assert all("; Findable/" in request.headers["user-agent"] for request in site.requests)

    again = findable(*start, "--store", "sampled.sqlite")  # the browser has gone: the crawl keeps its choice
    assert again.returncode == sampled.returncode
    with closing(CrawlFile(tmp_path / "sampled.sqlite")) as sampled_file, closing(CrawlFile(tmp_path / "without.sqlite")) as other_file:
        states = [file.state() for file in (sampled_file, other_file)]
    assert [state.settings.render for state in states if state] == [Render.SAMPLE, Render.NEVER]
