"""The verdict on the pages, as people see it: accidents of a real site and their recovery."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from urllib.parse import quote

import pytest

from tests.browser import LOOKS, Open, needs_chromium
from tests.sites.server import Site
from tests.web.live import Live, run_live
from tests.worked_crawls import work_crawl

JSON = {"Content-Type": "application/json"}
SAME = {"Sec-Fetch-Site": "same-origin"}
NOINDEX = '<meta name="robots" content="noindex">'


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    yield from run_live(tmp_path_factory.mktemp("service"), allow_targets=("127.0.0.1",), rate_limit=100_000)


@pytest.fixture
def site() -> Iterator[Site]:
    started = Site().start()
    try:
        yield started
    finally:
        started.stop()


def give(site: Site, head: str = "", robots_status: int = 200, status: int = 200) -> None:
    site.page("/robots.txt", "User-agent: *\nAllow: /\n", status=robots_status, content_type="text/plain")
    links = '<a href="/">Start page</a><a href="/tea">All teas</a><a href="/cups">All cups</a>'
    for path in ("/", "/tea", "/cups"):
        title = f"Loose leaf tea of the shop {path}"
        words = f"Every tin of {path} carries the name of the garden, and we ship it within a day. " * 20
        site.page(
            path, f'<!doctype html><html lang="en"><title>{title}</title>{head}<h1>{title}</h1>{links}<p>{words}</p></html>', status=status
        )


class Visitor:
    """A person with a project for the site."""

    def __init__(self, live: Live, site: Site) -> None:
        self.live, self.site, self.email = live, site, live.email()
        self.api, self.browser = live.client(email=self.email), live.signed_in(self.email)
        self.project = site.url("").removeprefix("http://")

    def crawl(self, **more: object) -> str:
        made = self.api.post("/crawls", json.dumps({"url": self.site.url("/"), "privacy": 1, **more}), JSON).json["data"]
        work_crawl(self.live.service)
        return f"/s/{made['public_id']}"

    def text(self, path: str) -> str:
        found = self.browser.get(path)
        assert found.status == 200, found.text
        return found.text

    @property
    def home(self) -> str:
        return f"/projects/{quote(self.project, safe='')}"


@pytest.fixture
def visitor(live: Live, site: Site) -> Visitor:
    give(site)
    return Visitor(live, site)


def test_a_deindexed_site_is_red_on_every_page_and_green_again_later(visitor: Visitor) -> None:
    visitor.crawl()
    assert "verdict-box" not in visitor.text(visitor.home)
    give(visitor.site, NOINDEX)
    report = visitor.crawl()
    said = "Google cannot index any page of this site: all pages are noindex."
    for path in (report, visitor.home, "/", "/projects"):
        assert said in visitor.text(path), path
    for path in (report, visitor.home):
        text = visitor.text(path)
        assert "Remove noindex from the robots meta element or the X-Robots-Tag header." in text
        assert 'class="glance-score bad"' in text, path
        assert "Google can index all" not in text
    found = visitor.api.get(f"/projects/{visitor.project}").json["data"]
    assert (found["result"], found["score"], found["verdict"]["code"], found["verdict"]["cause"]) == ("bad", 0, "deindexed", "noindex")
    give(visitor.site)
    report = visitor.crawl()
    for path in (report, visitor.home, "/"):
        assert said not in visitor.text(path), path
    assert visitor.api.get(f"/projects/{visitor.project}").json["data"]["verdict"]["code"] == "indexable"


def test_a_robots_txt_with_503_is_named_and_a_crawl_without_pages_is_not_well(visitor: Visitor) -> None:
    give(visitor.site, robots_status=503)
    report = visitor.crawl()
    for path in (report, visitor.home):
        text = visitor.text(path)
        assert "robots.txt returns 503: Google stops crawling the site." in text
        assert "Return robots.txt with status 200, or 404 if there is none." in text
        assert "No problem was found." not in text
        assert "robots.txt disallows the start page" not in text
    crawl = visitor.api.get(f"/crawls?project={visitor.project}").json["data"][0]
    assert (crawl["result"], crawl["verdict"]["code"], crawl["verdict"]["cause"]) == (None, "unreachable", "robots_status")
    give(visitor.site)
    visitor.crawl()
    assert "returns 503" not in visitor.text(visitor.home)


def test_a_narrower_crawl_is_marked_and_leaves_the_project_alone(visitor: Visitor) -> None:
    visitor.crawl()
    before = visitor.api.get(f"/projects/{visitor.project}").json["data"]
    report = visitor.crawl(include=["/tea*"])
    assert "This crawl does not count for the rating of the site: patterns excluded parts of the site." in visitor.text(report)
    after = visitor.api.get(f"/projects/{visitor.project}").json["data"]
    assert (after["score"], after["verdict"]) == (before["score"], before["verdict"])


def test_a_project_that_is_not_meant_for_search_is_not_red_until_google_can_index_it(visitor: Visitor) -> None:
    give(visitor.site, NOINDEX)
    visitor.crawl()
    form = f"{visitor.home}/settings/patterns"
    assert visitor.browser.post(form, {"whole_site": "1", "not_for_search": "/cart*"}, SAME).status == 303
    assert visitor.api.get(f"/projects/{visitor.project}").json["data"]["not_for_search"] == ["/*", "/cart*"]
    page = visitor.text(f"{visitor.home}/settings")
    assert 'name="whole_site" value="1" checked' in page
    text = visitor.text(visitor.home)
    assert "This site is not meant for search, and Google cannot index any page of it." in text
    assert "verdict-box bad" not in text
    assert "glance-score bad" not in text
    give(visitor.site)
    visitor.crawl()
    text = visitor.text(visitor.home)
    assert "This site is not meant for search, but Google can index 3 of 3 pages." in text
    assert "verdict-box bad" in text
    found = visitor.api.get(f"/projects/{visitor.project}").json["data"]
    assert (found["result"], found["verdict"]["code"]) == ("bad", "exposed")


def other_scores(visitor: Visitor, report: str, expected: str) -> dict[str, str]:
    """The places that show another score or rating of the site, with it; a dash for none."""
    share = re.search(r'action="(/p/[^"/]+)/privacy"', visitor.text(f"{visitor.home}/share"))
    assert share is not None
    visitor.browser.post(f"{share[1]}/privacy", {"privacy": "0"}, SAME)
    visitor.browser.post(f"{report}/privacy", {"privacy": "0"}, SAME)
    guest, host = visitor.live.client().guest(), re.escape(visitor.project)
    project = visitor.api.get(f"/projects/{visitor.project}").json["data"]
    crawl = visitor.api.get(f"/crawls?project={visitor.project}").json["data"][0]
    file = guest.get(f"{report}/report.json").json
    markdown = guest.get(f"{report}/report.md").text
    lines = {
        "home": (rf'/projects/{host}">.{{0,300}}?<b class="pill \w*">(.{{0,300}}?)</b>', visitor.text("/").partition('id="list"')[2]),
        "list of projects": (rf'/projects/{host}">.{{0,300}}?<b class="pill \w*">(.{{0,300}}?)</b>', visitor.text("/projects")),
        "list of crawls": (rf'<a href="{report}">.*?</a>(.*?)</li>', visitor.text(f"{visitor.home}/crawls")),
        "markdown": (r"(Rated \w+\*\*, \d+|Not rated)", markdown),
    }
    found = {name: seen[1] if (seen := re.search(pattern, text, re.DOTALL)) else "nothing" for name, (pattern, text) in lines.items()}
    found |= {name: text_of_card(visitor.text(path)) for name, path in (("project", visitor.home), ("report", report))}
    found |= {name: text_of_card(guest.get(path).text) for name, path in (("report for guests", report), ("project for guests", share[1]))}
    found |= {
        "PDF": text_of_pdf(guest.get(f"{report}/report.pdf").body),
        "PDF of the project": text_of_pdf(guest.get(f"{share[1]}/report.pdf").body),
    }
    found |= {name: f"{one['score']} {one['result']}" for name, one in (("API", project), ("API of the crawl", crawl), ("JSON", file))}
    return {name: score for name, text in found.items() if (score := score_in(text)) != expected}


def text_of_card(page: str) -> str:
    return page.partition('class="glance-score')[2].partition("</section>")[0].partition('<ul class="legend">')[0]


def text_of_pdf(document: bytes) -> str:
    text = subprocess.run(["pdftotext", "-layout", "-", "-"], input=document, capture_output=True, check=True).stdout.decode()
    card = re.search(r"^\s*(\d+)\s+of 100\s+(\w+)", text, re.MULTILINE)
    return f"{card[1]} {card[2]}" if card else ""


def score_in(text: str) -> str:
    words = re.sub(r"<[^>]+>", " ", text)
    score = re.search(r"(?:^|[^\d:/.])(\d{1,2}|100)(?:\s+of 100|\s+good|\s+decent|\s+bad|\s+Good|\s+Decent|\s+Bad|$)", words)
    rating = re.search(r"\b(good|decent|bad)\b", words, re.IGNORECASE)
    return f"{score[1]} {rating[1].lower()}" if score and rating else "–"


@pytest.mark.full
@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="pdftotext is missing")
def test_every_place_shows_the_same_score(visitor: Visitor) -> None:
    visitor.crawl()
    report = visitor.crawl()
    found = visitor.api.get(f"/projects/{visitor.project}").json["data"]
    assert other_scores(visitor, report, f"{found['score']} {found['result']}") == {}
    settings = f"{visitor.home}/settings/patterns"
    assert visitor.browser.post(settings, {"whole_site": "1", "not_for_search": ""}, SAME).status == 303
    assert other_scores(visitor, report, "0 bad") == {}, "exposed"
    give(visitor.site, NOINDEX)
    assert other_scores(visitor, visitor.crawl(), "–") == {}, "not meant for search"
    assert visitor.browser.post(settings, {"not_for_search": ""}, SAME).status == 303
    assert other_scores(visitor, visitor.crawl(), "0 bad") == {}, "deindexed"
    give(visitor.site)
    visitor.crawl()
    give(visitor.site, status=403)
    assert other_scores(visitor, visitor.crawl(), "–") == {}, "blocked"
    assert "The findings are those of the crawl of" in visitor.text(visitor.home)


def test_a_project_shows_its_name_and_is_found_by_it(visitor: Visitor) -> None:
    visitor.crawl()
    assert visitor.browser.post(f"{visitor.home}/settings/name", {"display_name": "Teeladen München"}, SAME).status == 303
    give(visitor.site, NOINDEX)
    report = visitor.crawl()
    for path in (
        *(visitor.home, "/", "/projects", f"{visitor.home}/crawls", f"/projects?search={quote('München')}"),
        *(report, "/changes", f"{visitor.home}/changes"),
    ):
        assert "Teeladen München" in visitor.text(path), path
    for path in ("/", "/changes"):
        worse = visitor.text(path).partition('id="worse"')[2].partition("</section>")[0]
        assert "<bdi>Teeladen München</bdi>" in worse, path
    form = {"email": "", "role": "viewer"}
    invited = re.search(r'value="[^"]+(/invitation/[^"]+)"', visitor.browser.post(f"{visitor.home}/people", form, SAME).text)
    assert invited is not None
    assert f"You see the project Teeladen München ({visitor.project}) and no other." in visitor.live.client().guest().get(invited[1]).text
    share = re.search(r'action="(/p/[^"/]+)/privacy"', visitor.text(f"{visitor.home}/share"))
    assert share is not None
    if shutil.which("pdftotext"):
        document = visitor.browser.get(f"{share[1]}/report.pdf").body
        text = subprocess.run(["pdftotext", "-layout", "-", "-"], input=document, capture_output=True, check=True).stdout.decode()
        assert "Teeladen München" in text
        assert "Remove noindex from the robots meta element" in text
    found = visitor.api.get(f"/projects/{visitor.project}").json["data"]
    assert (found["project"], found["display_name"]) == (visitor.project, "Teeladen München")
    refused = visitor.api.put(f"/projects/{visitor.project}", {"display_name": "x" * 81})
    assert (refused.status, list(refused.json["errors"])) == (422, ["display_name"])


def test_a_typing_error_is_asked_back_and_becomes_no_project(visitor: Visitor) -> None:
    refused = visitor.api.post("/reports", {"url": "shop"})
    assert (refused.status, list(refused.json["errors"])) == (422, ["url"])
    refused = visitor.api.post("/reports", {"url": "https://a.example/, https://b.example/"})
    assert (refused.status, list(refused.json["errors"])) == (422, ["url"])
    page = visitor.browser.post("/reports", {"url": "shop"}, SAME)
    assert page.status == 422
    assert "is no complete host name" in page.text
    split = visitor.browser.post("/reports", {"url": "https://a.example/, https://b.example/"}, SAME)
    assert split.status == 303
    assert split.headers["location"].startswith("/batches/")
    named = {one["project"] for one in visitor.api.get("/projects").json["data"]}
    assert named <= {"a.example", "b.example"}


@pytest.mark.full
@needs_chromium
@LOOKS
def test_the_verdict_fits_the_window(visitor: Visitor, window: Open, width: int, dark: bool) -> None:
    visitor.crawl()
    give(visitor.site, NOINDEX)
    report = visitor.crawl()
    origin = f"http://127.0.0.1:{visitor.live.port}"
    page = window(width=width, dark=dark, cookies=visitor.browser.cookies, origin=origin)
    for path in (report, visitor.home, "/projects", f"{visitor.home}/settings"):
        page.goto(origin + path)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
    page.goto(origin + visitor.home)
    box = page.locator(".verdict-box.bad").bounding_box()
    assert box is not None
    assert box["y"] < 664
