"""`findable audit --browser view`: pages as visitors see them."""

import json

from tests.browser import needs_chromium
from tests.cli.conftest import Run
from tests.sites.server import Site

SHELL = """<!doctype html><html lang=en><head><title>Tea and cups in Hamburg</title></head><body><div id=root></div><script src=/app.js></script></body></html>"""
APP = """document.getElementById('root').innerHTML = '<main><h1>Tea and cups</h1>'
+ '<p>We sell green tea and cups from many countries, and ship them.</p>'.repeat(30) + '<a href=/about>About our shop</a></main>';"""


@needs_chromium
def test_a_page_built_by_scripts_is_rated_by_what_the_browser_shows(findable: Run, site: Site) -> None:
    site.page("/", SHELL)
    site.page("/app.js", APP, content_type="text/javascript")
    without = json.loads(findable("audit", "--format", "json", site.url("/")).stdout)
    assert without["error"]["code"] == "needs_browser"
    seen = json.loads(findable("audit", "--browser", "view", "--format", "json", site.url("/")).stdout)
    assert seen["error"] is None
    assert seen["score"] > 0
    found = {name: {result["id"]: result for result in report["results"]} for name, report in (("seen", seen), ("without", without))}
    assert found["seen"]["h1-present"]["verdict"] == "passed"
    assert found["seen"]["raw-vs-rendered"]["verdict"] in {"warned", "failed"}


def test_without_a_browser_the_option_is_refused(findable: Run, site: Site) -> None:
    done = findable("audit", "--browser", "view", site.url("/"), FINDABLE_BROWSER="none")
    assert done.returncode == 2
    assert "--browser: no Chromium is installed" in done.stderr
