"""`findable crawl --render` with options of the visits, as a user runs it."""

import json
from pathlib import Path

import pytest

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
