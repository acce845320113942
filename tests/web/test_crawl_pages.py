"""Pages of crawls: the list with its form, the page of a crawl, its pages; also in a real Chromium."""

import re
from collections.abc import Iterator
from urllib.parse import quote

import pytest

from findable.clock import now
from findable.crawl.scope import Segment
from findable.crawl.visits import CrawlCounts, CrawlProgress
from tests.accessibility import faults
from tests.browser import LOOKS, Open, needs_chromium, scrolls_sideways
from tests.crawl_sites import change_shop, make_shop
from tests.sites.server import Site
from tests.web.live import Client, Live, run_live
from tests.web.test_people import SAME
from tests.worked_crawls import work_crawl


class Shop:
    """The crawl of a shop and its owner's browser."""

    def __init__(self, live: Live, site: Site, email: str = "") -> None:
        self.live = live
        self.site = site
        self.email = email or live.email()
        self.browser = live.signed_in(self.email)
        self.origin = f"http://127.0.0.1:{live.port}"
        reply = live.client(email=self.email).post("/crawls", {"url": site.url("/")})
        self.project = reply.json["data"]["project"]
        self.id = work_crawl(live.service, segments=(Segment("Goods", ("/product/*",)),))
        self.crawls = f"/projects/{quote(self.project, safe='')}/crawls"

    def text(self, path: str) -> str:
        reply = self.browser.get(path)
        assert reply.status == 200, reply.text
        return reply.text


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    yield from run_live(tmp_path_factory.mktemp("service"), allow_targets=("127.0.0.1",), rate_limit=100_000)


@pytest.fixture(scope="module")
def shop(live: Live) -> Iterator[Shop]:
    site = Site().start()
    try:
        make_shop(site)
        yield Shop(live, site)
    finally:
        site.stop()


def test_a_crawl_is_started_from_its_project_and_followed(live: Live) -> None:
    email = live.email()
    browser = live.signed_in(email)
    live.client(email=email).post("/projects", {"project": "shop.example"})
    form = browser.get("/projects/shop.example/crawls").text
    assert "1,000 pages: about 3 minutes, 10 MB" in form
    assert 'value="https://shop.example/"' in form
    wrong = browser.post("/projects/shop.example/crawls", {"url": "https://127.0.0.2/", "pages": "500"}, SAME)
    assert wrong.status == 422
    assert 'value="https://127.0.0.2/"' in wrong.text
    made = browser.post(
        "/projects/shop.example/crawls", {"url": "https://shop.example/", "pages": "500", "scope": "host", "privacy": "1"}, SAME
    )
    assert made.status == 303
    path = made.headers["Location"]
    running = browser.get(path).text
    assert 'http-equiv="refresh"' in running
    assert "It is queued." in running
    assert path in browser.get("/projects/shop.example/crawls").text
    assert browser.post(f"{path}/stop", None, SAME).status == 303
    stopped = browser.get(path).text
    assert "The crawl ended: it was stopped." in stopped
    assert 'http-equiv="refresh"' not in stopped
    assert browser.post(f"{path}/resume", None, SAME).status == 303
    assert browser.post(f"{path}/delete", None, SAME).headers["Location"] == "/projects/shop.example/crawls"
    assert browser.get(path).status == 404


def test_a_crawl_shows_its_rating_findings_and_what_it_left_out(shop: Shop) -> None:
    page = shop.text(f"/crawls/{shop.id}")

    assert "Findings by cause" in page
    assert "46 pages" in page
    assert "How to fix" in page
    assert "it looks like an action" in page
    assert "every URL that was found was crawled" in page
    assert shop.browser.post(f"/crawls/{shop.id}/resume", None, SAME).status == 409


def test_pages_are_filtered_and_sorted_by_links(shop: Shop) -> None:
    everything = shop.text(f"/crawls/{shop.id}/pages")
    missing = shop.text(f"/crawls/{shop.id}/pages?status=400..499")
    (link,) = re.findall(r'href="(/crawls/\d+/pages\?finding=meta-description%3A[^"]+)"', shop.text(f"/crawls/{shop.id}"))

    assert "40 pages" in shop.text(f"/crawls/{shop.id}/pages?segment=Goods")
    assert ">Goods</a>" in everything
    assert "/gone" in missing
    assert "1 page<" in missing
    assert "40 pages" in shop.text(link)
    assert 'aria-sort="descending"' in shop.text(f"/crawls/{shop.id}/pages?sort_by=inlinks&sort=desc")
    assert "No page fits." in shop.text(f"/crawls/{shop.id}/pages?search=nowhere")
    following = re.search(r'href="([^"]+cursor=[^"]+)" rel="next"', everything)
    assert following is None or shop.text(following.group(1).replace("&amp;", "&"))
    assert shop.browser.get(f"/crawls/{shop.id}/pages?depth=deep").status == 422
    file = shop.browser.get(f"/crawls/{shop.id}/pages.csv?status=404")
    assert (file.status, len(file.text.splitlines())) == (200, 2)


def test_changes_since_the_crawl_before_are_shown_and_listed(live: Live) -> None:
    site = Site().start()
    try:
        make_shop(site, products=3)
        shop = Shop(live, site)
        change_shop(site)
        second = Shop(live, site, shop.email)
    finally:
        site.stop()
    page = second.text(f"/crawls/{second.id}")
    listed = second.text(f"/crawls/{second.id}/changes?kind=gone")
    everything = second.text(f"/crawls/{second.id}/changes")

    assert f'href="/crawls/{shop.id}"' in page
    assert re.search(r"Findings: [1-9]\d* new, 0 returned, \d+ fixed, [1-9]\d* as before", page)
    assert '<span class="badge">new</span>' in page
    assert f'<b>1</b> <a href="/crawls/{second.id}/changes?kind=gone">gone</a>' in page
    assert "1 change<" in listed
    assert "<bdi>200</bdi></td><td><bdi>404</bdi>" in listed
    assert "canonical elsewhere" in everything
    assert 'aria-current="true">gone</a>' in listed
    assert second.browser.get(f"/crawls/{second.id}/changes?kind=colour").status == 400
    assert second.browser.get(f"/crawls/{shop.id}/changes").status == 404
    assert "Since the crawl of" not in second.text(f"/crawls/{shop.id}")


def test_a_page_becomes_a_full_report(shop: Shop) -> None:
    (path,) = set(re.findall(r'href="(/crawls/\d+/pages/\d+)"', shop.text(f"/crawls/{shop.id}/pages?search=/product/oak-brass-0")))
    page = shop.text(path)

    assert "The page has no meta description" in page
    assert "Linked from" in page
    made = shop.browser.post(f"{path}/report", None, SAME)
    assert (made.status, made.headers["Location"].startswith("/r/")) == (303, True)


@pytest.mark.parametrize("path", ["", "/pages", "/pages/1", "/pages.csv"])
def test_others_do_not_see_a_crawl(shop: Shop, path: str) -> None:
    stranger = shop.live.signed_in(shop.live.email())

    assert stranger.get(f"/crawls/{shop.id}{path}").status == 404
    assert Client(shop.live.port, prefix="").get(f"/crawls/{shop.id}{path}").status == 303
    for wrong in ("0", "x", "99999999999999999999"):
        assert shop.browser.get(f"/crawls/{wrong}{path}").status == 404


@needs_chromium
@LOOKS
def test_the_pages_are_accessible_and_fit(shop: Shop, window: Open, width: int, dark: bool) -> None:
    page = window(width=width, dark=dark, cookies=shop.browser.cookies, origin=shop.origin, language="de" if dark else "en")
    for path in (shop.crawls, f"/crawls/{shop.id}", f"/crawls/{shop.id}/pages", f"/crawls/{shop.id}/pages/10"):
        page.goto(shop.origin + path)
        assert faults(page) == [], path
        assert not scrolls_sideways(page), path


@needs_chromium
def test_a_crawl_is_followed_without_a_reload_and_stopped(shop: Shop, window: Open) -> None:
    path = shop.browser.post(shop.crawls, {"url": shop.site.url("/"), "pages": "500"}, SAME).headers["Location"]
    number, service = int(path.rpartition("/")[2]), shop.live.service
    with service.store.write() as session:
        session.crawls.change(number, int(now().timestamp()), status="running")
    page = window(cookies=shop.browser.cookies, origin=shop.origin)
    page.goto(shop.origin + path)
    page.evaluate("window.kept = true")
    counts = CrawlCounts(waiting=250, done=950, pages=900)
    service.crawl_events.set_progress(
        number, CrawlProgress(counts=counts, of=1200, pages_per_second=4.8, limited_by="politeness", eta_s=52)
    )
    page.get_by_text("950 of 1,200 URLs requested").first.wait_for()
    page.get_by_text("4.8 requests per second · limited by politeness · about 52 seconds left").wait_for()
    assert page.evaluate("window.kept")
    page.get_by_role("button", name="Stop").click()
    page.get_by_text("It is being stopped.").wait_for()
    assert faults(page) == []


def test_segments_are_lines_of_the_settings(live: Live) -> None:
    browser = live.signed_in(live.email())
    browser.post("/projects", {"project": "parts.example"}, SAME)
    path = "/projects/parts.example/settings"
    saved = browser.post(f"{path}/segments", {"segments": "Blog: /blog/* /news/*\n\nShop: /shop/*"}, SAME)
    assert saved.headers["Location"] == f"{path}?done=segments#segments"
    assert "Blog: /blog/* /news/*\nShop: /shop/*" in browser.get(path).text
    wrong = browser.post(f"{path}/segments", {"segments": "Blog"}, SAME)
    assert wrong.status == 422
    assert "a segment needs a pattern" in wrong.text
