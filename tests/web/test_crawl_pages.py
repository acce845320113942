"""Pages of crawls: the list with its form, the page of a crawl, its pages; also in a real Chromium."""

import csv
import io
import json
import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from html import unescape
from typing import Any
from urllib.parse import quote, unquote

import pytest

from findable.clock import now
from findable.crawl.progress import CrawlProgress, CrawlStage, FirstFinding, LatestPage
from findable.crawl.settings import Segment
from findable.crawl.visits import CrawlCounts
from findable.export.client_words import ClientWords
from findable.export.pdf_sheet import Sheet
from findable.export.project_pdf_content import project_template_data
from findable.export.site_pdf_content import site_template_data
from findable.export.site_subject import site_subject
from findable.reports import site_picture
from findable.reports.project_report import ProjectReport, TrendPoint
from findable.reports.scoring import DECENT_FROM, GOOD_FROM
from findable.service.crawls import crawl_acceptances
from findable.service.crawls.crawl_reports import decode_report
from findable.service.projects.change_overview import lost_views
from findable.service.values.presentation import PROJECT_SECTIONS, SITE_SECTIONS
from findable.store.setback_statements import ChangeScope
from findable.store.stored_comparisons import main_comparison
from findable.vocabulary import Verdict
from findable.web.pages.project.worse_lines import lost_lines
from findable.web.pages.site.site_findings import first_fixes
from findable.wording import ENGLISH
from tests.accessibility import faults
from tests.browser import DESKTOP_PX, HEIGHTS_PX, LOOKS, Open, needs_chromium, scrolls_sideways
from tests.crawl_sites import change_shop, make_repeating, make_shop
from tests.sites.server import Site
from tests.web.live import Client, Live, run_live
from tests.web.test_people import SAME
from tests.worked_crawls import judge_crawl_again, work_crawl

JSON = {"Content-Type": "application/json"}
TWICE_PX = 640
"""Width of a window of 1280 px in which pages are shown at twice their size."""


class Shop:
    """The crawl of a shop and its owner's browser."""

    def __init__(self, live: Live, site: Site, email: str = "") -> None:
        self.live = live
        self.site = site
        self.email = email or live.email()
        self.browser = live.signed_in(self.email)
        self.origin = f"http://127.0.0.1:{live.port}"
        reply = live.client(email=self.email).post("/crawls", {"url": site.url("/"), "privacy": 1})
        self.project = reply.json["data"]["project"]
        self.page = f"/s/{reply.json['data']['public_id']}"
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
def shops(live: Live) -> Iterator[tuple[Shop, ...]]:
    """Crawls of a shop, and of one before and after a bad day, for two accounts; the second one has crawled it again later.

    All are made before a browser has an event loop in this thread.
    """
    large, small, repeating = Site().start(), Site().start(), Site().start()
    try:
        make_shop(large)
        make_shop(small, products=3)
        make_repeating(repeating)
        shop, before, first = Shop(live, large), Shop(live, small), Shop(live, small)
        change_shop(small)
        yield (
            shop,
            before,
            Shop(live, small, before.email),
            first,
            Shop(live, small, first.email),
            Shop(live, small, first.email),
            Shop(live, repeating),
        )
    finally:
        for site in (large, small, repeating):
            site.stop()


@pytest.fixture(scope="module")
def shop(shops: tuple[Shop, ...]) -> Shop:
    return shops[0]


@pytest.fixture(scope="module")
def changed(shops: tuple[Shop, ...]) -> tuple[Shop, Shop]:
    """Crawls before and after."""
    return shops[1], shops[2]


def test_a_crawl_is_started_from_its_project_and_followed(live: Live) -> None:
    email = live.email()
    browser = live.signed_in(email)
    live.client(email=email).post("/projects", {"project": "shop.example"})
    form = browser.get("/projects/shop.example/crawls").text
    assert "1,000 pages: about 3 minutes, 10 MB" in form
    assert 'value="shop.example"' in form  # both schemes are tried
    wrong = browser.post("/projects/shop.example/crawls", {"url": "https://127.0.0.2/", "pages": "500"}, SAME)
    assert wrong.status == 422
    assert 'value="https://127.0.0.2/"' in wrong.text
    made = browser.post(
        "/projects/shop.example/crawls",
        {"url": "https://shop.example/", "pages": "500", "scope": "host", "privacy": "1", "external": "1"},
        SAME,
    )
    assert made.status == 303
    path = made.headers["Location"]
    running = browser.get(path).text
    assert 'http-equiv="refresh"' in running
    assert "The crawl is queued." in running
    assert "<dt>Links to other sites</dt><dd><bdi>each requested once, not followed</bdi></dd>" in running
    assert path in browser.get("/projects/shop.example/crawls").text
    assert browser.post(f"{path}/stop", None, SAME).status == 303
    stopped = browser.get(path).text
    assert "The crawl ended: it was stopped." in stopped
    assert 'http-equiv="refresh"' not in stopped
    assert browser.post(f"{path}/resume", None, SAME).status == 303
    assert browser.post(f"{path}/delete", None, SAME).headers["Location"] == "/projects/shop.example/crawls"
    assert browser.get(path).status == 404


def test_a_crawl_shows_its_rating_findings_and_what_it_left_out(shop: Shop) -> None:
    page = shop.text(f"{shop.page}")

    assert '<h2 id="findings">Findings</h2>' in page
    assert "46 pages" in page
    assert "How to fix" in page
    assert "it looks like an action" in page
    assert "<dt>Links to other sites</dt><dd><bdi>not requested</bdi></dd>" in page
    (listed,) = set(re.findall(r'href="(/s/[^"]+/export[?]table=refused)"', page))
    assert {row["reason"] for row in csv.DictReader(io.StringIO(shop.text(listed).removeprefix("\ufeff")))} == {"action", "robots", "scope"}
    assert "every URL that was found was crawled" in page
    assert shop.browser.post(f"{shop.page}/resume", None, SAME).status == 409


def test_the_picture_of_a_site_has_the_numbers_of_its_report(shop: Shop) -> None:
    page = shop.text(shop.page)
    (legend,) = re.findall(r'<ul class="legend">(.*?)</ul>', page)
    counts = {name: int(count.replace(",", "")) for count, name in re.findall(r"<b>([0-9,]+)</b> ([^<]+)", legend)}
    (table,) = re.findall(r'<table class="areas">(.*?)</table>', page, re.DOTALL)
    (indexable,) = re.findall(r"<b>([0-9,]+)</b> <a [^>]*>indexable</a>", page)
    rows = re.findall(r'<th scope="row" data-depth="0">.*?</tr>', table)

    assert counts["indexable"] == int(indexable)
    assert sum(int(re.findall(r"<td>([0-9,]+)</td>", row)[0]) for row in rows) == sum(counts.values())
    assert shop.browser.get(unescape(re.findall(r'<a href="([^"]+[?]folder=[^"]+)" aria-label="', page)[0])).status == 200


def _legend(page: str) -> dict[str, int]:
    (legend,) = re.findall(r'<ul class="legend">(.*?)</ul>', page)
    return {unescape(name): int(count.replace(",", "")) for count, name in re.findall(r"<b>([0-9,]+)</b> ([^<]+)", legend)}


@pytest.mark.parametrize(
    ("colour", "filters"),
    [
        ("depth", {"at most 2 clicks": "depth=..2", "3 clicks": "depth=3"}),
        ("text", {"fewer than 200 words": "indexable=1&words=..199", "200 to 599 words": "indexable=1&words=200..599"}),
    ],
)
def test_a_coloured_picture_has_the_numbers_of_the_lists(shop: Shop, colour: str, filters: dict[str, str]) -> None:
    page = shop.text(f"{shop.page}?picture={colour}")
    counts = _legend(page)

    assert f'picture={colour}#picture" aria-current="true"' in page
    assert counts.keys() & filters.keys()
    for words, query in filters.items():
        listed = shop.text(f"{shop.page}/pages?type=text/html&{query}")
        assert f"{counts.get(words, 0)} URL" in re.findall(r'id="total">([^<]+)', listed)[0], words


def test_a_finding_is_shown_in_the_picture_of_its_site(shop: Shop) -> None:
    hrefs = re.findall(r'href="([^"]+/pages[?]finding=[^"]+)"', shop.text(shop.page))
    listed = next(text for href in hrefs if "Show in the picture" in (text := shop.browser.get(unescape(href)).text))
    total = int(re.findall(r'id="total">([0-9,]+) URL', listed)[0].replace(",", ""))
    (picture,) = re.findall(r'href="([^"]+)">Show in the picture', listed)

    assert _legend(shop.browser.get(unescape(picture).partition("#")[0]).text)["pages with this finding"] == total
    assert "pages with this finding" not in shop.text(f"{shop.page}?picture=finding-nothing")


def test_the_picture_of_a_site_grows_while_it_is_crawled(shop: Shop) -> None:
    service = shop.live.service
    with service.store.write() as session:
        row = session.crawls.by_public_id(shop.page.rpartition("/")[2])
        assert row is not None
        session.crawls.change(row.id, int(now().timestamp()), status="running")
    service.crawl_events.set_progress(row.id, CrawlProgress(CrawlCounts(waiting=5, done=95, pages=90), CrawlStage.URLS, 95, 100))
    try:
        assert '<svg class="tree-map wide"' in shop.text(shop.page)
    finally:
        with service.store.write() as session:
            session.crawls.change(row.id, int(now().timestamp()), status="done")
        service.crawl_events.reset_progress(row.id)


@pytest.fixture(scope="module")
def repeating(shops: tuple[Shop, ...]) -> Shop:
    """A site with two groups of equal titles."""
    return shops[-1]


def test_faults_are_counted_alike_in_page_api_pdf_terminal_and_project(repeating: Shop) -> None:
    shop = repeating
    with shop.live.service.store.read() as session:
        site = decode_report(session.crawls.report(shop.id) or b"")
    client = shop.live.client(email=shop.email)
    listed = client.get(f"/crawls/{shop.id}/findings?per_page=100").json["data"]
    by_verdict = {
        verdict: client.get(f"/crawls/{shop.id}/findings?per_page=100&verdict={verdict}").json["data"] for verdict in ("failed", "warned")
    }
    counts = client.get(f"/crawls/{shop.id}").json["data"]["findings"]
    several = [one for one in listed if len(one["groups"]) > 1]
    told = site.counts_words(ENGLISH)
    page, project = (words(shop.text(path)) for path in (shop.page, f"/projects/{shop.project}"))
    table = shop.text(shop.page).partition('<h2 id="findings">')[2]

    assert len({item.key for item in site.open}) > len(listed) == len({one["id"] for one in listed})
    assert counts == {verdict: len(found) for verdict, found in by_verdict.items()}
    problems = ENGLISH.plural("%(count)s problem", "%(count)s problems", counts["failed"])
    assert told == f"{problems} and {counts['warned']} warnings"
    assert sum(counts.values()) == len(listed)
    assert f"{told}." in page
    assert told in project
    assert f"{told}." in site_template_data(site, Sheet())["verdict"]["lines"]
    assert [site_subject(site).failed_count, site_subject(site).warned_count] == [counts["failed"], counts["warned"]]
    assert [one["summary"] for one in several if one["id"] == "site-title-duplicate"] == ["5 pages in 2 groups: Pages share the same title"]
    headings = [words(one) for one in re.findall(r"<h3>(.*?)</h3>", table, re.DOTALL)]
    for one in several:
        assert headings.count(f"{one['summary']}.") == 1, one["summary"]


def test_the_csv_of_a_site_has_a_row_for_each_group(repeating: Shop) -> None:
    listed = repeating.live.client(email=repeating.email).get(f"/crawls/{repeating.id}/findings?per_page=100").json["data"]
    groups = {group["key"]: group["pages_count"] for one in listed for group in one["groups"]}
    rows = list(csv.DictReader(io.StringIO(repeating.text(f"{repeating.page}/report.csv").removeprefix("\ufeff"))))

    assert {row["key"]: int(row["pages_count"]) for row in rows} == groups


def test_an_accepted_group_costs_nothing_and_hides_no_new_one(live: Live, make_site: Callable[[], Site]) -> None:
    make_repeating(site := make_site())
    shop = Shop(live, site)
    api = shop.live.client(email=shop.email)

    def fault(crawl: int) -> dict[str, Any]:
        listed = api.get(f"/crawls/{crawl}/findings?per_page=100").json["data"]
        return next(one for one in listed if one["id"] == "site-title-duplicate")

    before = fault(shop.id)
    first, second = before["groups"]
    score = api.get(f"/crawls/{shop.id}").json["data"]["score"]
    assert shop.browser.post(f"{shop.page}/accepted", {"key": first["key"], "reason": "One shop, two towns."}, SAME).status == 303
    accepted = fault(shop.id)
    make_repeating(shop.site, ("Stools", "Stools"))
    later = fault(Shop(shop.live, shop.site, shop.email).id)

    assert api.get(f"/crawls/{shop.id}").json["data"]["score"] > score
    assert [group["key"] for group in accepted["groups"]] == [first["key"], second["key"]]
    assert [bool(group["accepted"]) for group in accepted["groups"]] == [True, False]
    assert (accepted["key"], accepted["pages_count"]) == (second["key"], second["pages_count"])
    assert {group["summary"]: bool(group["accepted"]) for group in later["groups"]} == {
        first["summary"]: True,
        second["summary"]: False,
        "2 pages have the title “Stools”": False,
    }
    assert later["pages_count"] == second["pages_count"] + 2


def words(html: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())


def test_the_score_of_a_site_is_explained_by_its_costs(shop: Shop) -> None:
    page = shop.text(shop.page)
    legend = page.partition('<ul class="legend">')[2].partition("</ul>")[0]
    now = int(re.findall(r"\d+(?= now)", words(legend))[0])

    assert "site-links-broken" not in words(page.partition('<section aria-labelledby="findings">')[0])
    costs = page.partition('aria-labelledby="score-parts" tabindex="0">')[2].partition("</table>")[0]
    names, values = re.findall(r'<th scope="row"><bdi>([^<]+)', costs), re.findall(r"<span>([^<]+)</span>", costs)
    assert (names[0], names[-1]) == ("Without problems and warnings", "Score")
    assert 100 + sum(int(value.replace("−", "-")) for value in values[1:-1]) == int(values[-1]) == now
    assert "of the URLs found were requested" not in page, "all of them were"


def test_the_table_of_a_site_shows_a_number_for_each_finding_that_costs_points(changed: tuple[Shop, Shop]) -> None:
    page = changed[1].text(changed[1].page)
    measures = re.findall(r'class="measure">([^<]*)<', page)

    numbers = [float(measure) for measure in measures if measure]
    assert any(0 < number < 1 for number in numbers)
    small = [number for number in numbers if 0 < number < 1]
    assert small == sorted(small, reverse=True), "the gains agree with the order"


def first_screen(html: str) -> str:
    return html.partition('<div class="glance')[2].partition("<section aria-labelledby")[0]


def test_a_project_and_its_shared_page_agree_with_the_report_of_the_site(changed: tuple[Shop, Shop]) -> None:
    after = changed[1]
    site = first_screen(after.text(after.page))
    listed, now = re.findall(r"<strong>(Google can index [^<]+)</strong>", site)[0], re.findall(r'class="number">(\d+)', site)[0]
    fixes = re.findall(r'<p class="fix-fact"><a href="(#[^"]+)">', site)
    gains = re.findall(r'<b class="gain">[^<]+', site)
    (fell,) = re.findall(r"\d+ points? (?:worse|better) since [^<]+|The same score as in the crawl of [^<]+", site)
    home = after.crawls.removesuffix("/crawls")
    shared = shared_with_a_guest(after, after.text(f"{home}/share"))
    for page, at in ((first_screen(after.text(home)), f"{unquote(home)}/findings"), (first_screen(shared), "")):
        assert f"<strong>{listed}</strong>" in page
        assert f'class="number">{now}<' in page
        assert fell in page
        assert re.findall(r'<p class="fix-fact"><a href="([^"]+)">', page) == [f"{at}{href}" for href in fixes]
        assert re.findall(r'<b class="gain">[^<]+', page) == gains
        assert re.search(r'<a href="(/[^"]+/|#)changes">\d+ new ', page)
    places = set(re.findall(r' id="([^"]+)"', shared))
    assert {href.removeprefix("#") for href in (*fixes, "#changes", "#findings", "#trend")} <= {quote(unescape(place)) for place in places}
    assert not re.findall(r'href="/(?:s|r|projects)/', shared)
    assert ("In plain words" in shared, "List the pages" in shared) == (True, False)


def test_home_and_what_changed_agree_with_the_report_of_the_site(changed: tuple[Shop, Shop]) -> None:
    _, after = changed
    project = first_screen(after.text(after.crawls.removesuffix("/crawls")))
    (listed,) = re.findall(r"<strong>(Google can index [^<]+)</strong>", project)
    now = re.findall(r'class="number">(\d+)', project)[0]
    findings = after.text(f"{after.crawls.removesuffix('/crawls')}/findings")
    for path in ("/", "/changes"):
        row = after.text(path).partition('<ul class="worse of-sites">')[2].partition("</section>")[0]
        assert f'<p class="google">{listed}</p>' in row, path
        (anchor,) = re.findall(r'<b>New, fix first</b>[^:]*: <a href="[^"#]+#([^"]+)">', row)
        assert f'id="{unquote(anchor)}"' in unescape(findings), path
        assert re.search(rf'class="pill \w+">{now} ', row), path
        assert f'<a href="{after.page}/changes">' in row, path


def test_new_problems_of_a_site_link_to_the_comparison_with_these_numbers(shops: tuple[Shop, ...]) -> None:
    _, second, third = shops[3:6]
    for path in ("/", "/changes"):
        row = third.text(path).partition('<ul class="worse of-sites">')[2].partition("</section>")[0]
        href, numbers = re.findall(r'<a href="(/s/[^"]+/changes[^"]*)">([^<]+)', row)[0]
        assert href == f"{second.page}/changes", path
        listed = third.text(href)
        assert numbers in words(listed.partition('<p id="summary">')[2].partition("</p>")[0]), path
        assert numbers in words(third.text(second.page)), path
        for kind, count in (("new", r"(\d+) new (?:problem|warning)"), ("fixed", r"(\d+) (?:problem|warning)s? fixed")):
            section = listed.partition(f'<h2 id="{kind}">')[2].partition("</section>")[0]
            assert section.count('class="with-sign"') == sum(map(int, re.findall(count, numbers))), kind


def test_new_problems_of_several_crawls_link_to_the_comparison_with_the_base(live: Live) -> None:
    site = Site().start()
    try:
        make_shop(site, products=3)
        first = Shop(live, site)
        change_shop(site)
        Shop(live, site, first.email)
        site.page("/new", "<h1>Error</h1>", status=500)
        third = Shop(live, site, first.email)
    finally:
        site.stop()
    row = third.text("/").partition('<ul class="worse of-sites">')[2].partition("</section>")[0]
    assert f'<a href="{third.page}/changes?since={first.id}">What changed</a>' in row
    listed = third.text(f"{third.page}/changes?since={first.id}")
    assert re.search(rf'<option value="{first.id}" data-at="[^"]+" selected>', listed)
    assert "No page changed." not in listed


def test_what_changed_on_a_site_report_leads_to_one_comparison(shops: tuple[Shop, ...]) -> None:
    first, second, third = shops[3:6]
    with closing(sqlite3.connect(third.live.service.settings.data_dir / "findable.db")) as connection, connection:
        connection.execute("UPDATE crawl SET score = score + 1 WHERE id = ?", (first.id,))
    try:
        page = third.text(third.page)
    finally:
        with closing(sqlite3.connect(third.live.service.settings.data_dir / "findable.db")) as connection, connection:
            connection.execute("UPDATE crawl SET score = score - 1 WHERE id = ?", (first.id,))
    assert re.findall(r'<a href="(/s/[^"#]+)">What changed</a>', page) == [f"{second.page}/changes"]
    assert f'href="{third.page}/changes">Changes since the previous crawl</a>' in page


def test_changes_are_counted_alike_in_the_list_and_on_the_project(changed: tuple[Shop, Shop]) -> None:
    _, after = changed
    listed = after.text(f"{after.page}/changes")
    new, fixed = (words(listed.partition(f'<h2 id="{kind}">')[2].partition("</h2>")[0]) for kind in ("new", "fixed"))
    problems = int("0" + "".join(re.findall(r"(\d+) problem", new)))
    assert problems == listed.partition('<h2 id="new">')[2].partition("</section>")[0].count('class="sign failed"') + listed.partition(
        '<h2 id="new">'
    )[2].partition("</section>")[0].count('class="sign minor"')
    project = after.crawls.removesuffix("/crawls")
    first = words(first_screen(after.text(project)))
    assert (f"{problems} new problem" if problems else "") in first
    assert f"{fixed.removeprefix('Fixed findings ').partition(' ')[0]} " in first
    legend = words(listed.partition('<ul class="sign-key')[2].partition("</ul>")[0])
    assert "Warning" in legend
    for text in (listed, after.text(after.page)):
        marks = re.findall(r'<svg class="sign (\w+)"[^>]*>.*?</svg></?[^>]*>(?:<[^>]*>)*The start page', text, re.DOTALL)
        assert set(marks) <= {"failed"}


def test_changes_are_summed_by_folder_with_old_and_new_value(changed: tuple[Shop, Shop]) -> None:
    listed = changed[1].text(f"{changed[1].page}/changes")
    groups = [words(one) for one in re.findall(r"<li><a href=[^>]+><b>.*?</li>", listed, re.DOTALL)]

    assert "4 /* different number of links" in groups
    assert "no longer indexable" not in " ".join(groups), "single pages are in the list only"
    assert '<bdi>indexable</bdi></td><td data-head="Now"><bdi>' in listed
    kind = changed[1].text(f"{changed[1].page}/changes?kind=inlinks")
    assert not re.findall(r"<li><a href=[^>]+><b>", kind)


def test_the_site_report_of_a_project_stays_that_of_its_score(live: Live) -> None:
    site = Site().start()
    try:
        make_shop(site, products=3)
        shop = Shop(live, site)
        api = live.client(email=shop.email)
        listed = api.post("/crawls", json.dumps({"list": [site.url("/gone"), site.url("/missing")], "privacy": 1}), JSON).json["data"]
        work_crawl(live.service)
        home = f"/projects/{quote(shop.project, safe='')}"
        assert f'action="{shop.page}/again"' in shop.text(home)
        assert 'class="last-crawl"' not in shop.text(home)
        assert "list of 2 URLs · no URL returned a page" in words(shop.text(shop.crawls))
        report = words(shop.text(f"/s/{listed['public_id']}"))
        assert f"2 URLs of {site.url('')}".replace("http://", "") in report
        assert "every URL of the list was crawled" in report
        assert "No score: none of the 2 URLs returned a page. 2 URLs return 404." in report
        assert "URLs in sitemaps" not in report
        partial = api.post("/crawls", {"url": site.url("/"), "pages": 1, "privacy": 1}).json["data"]
        work_crawl(live.service)
        after = words(shop.text(home))
        assert "does not count in the score: " + site.url("/") in after
        assert f'action="{shop.page}/again"' in shop.text(home)
        assert f'<a href="/s/{partial["public_id"]}">' in shop.text(home)
    finally:
        site.stop()


@pytest.mark.full
def test_the_report_of_a_rolling_crawl_says_which_requests_it_is_made_of(live: Live) -> None:
    site = Site().start()
    try:
        make_shop(site, products=3)
        shop = Shop(live, site)
        sent = {"url": site.url("/"), "pages": "1000", "rolling": "4", "privacy": "1", "language": "en"}
        made = shop.browser.post(shop.crawls, sent, SAME)
        assert made.status == 303
        work_crawl(live.service)
        page = made.headers["Location"]
        assert re.search(
            r"\d+ URLs are known: 4 requested in this crawl; \d+ carried over from earlier crawls, the oldest of", words(shop.text(page))
        )
        api = live.client(email=shop.email)
        crawl = api.get("/crawls").json["data"][0]
        assert (crawl["settings"]["rolling"], crawl["counts"]["requested"], crawl["counts"]["carried"] > 4) == (4, 4, True)
        rows = api.get(f"/crawls/{crawl['id']}/pages", sort_by="requested_at", sort="desc").json["data"]
        assert [row["requested_at"] for row in rows] == sorted((row["requested_at"] for row in rows), reverse=True)
        assert "Last requested" in shop.text(f"{page}/pages?columns=requested_at")
    finally:
        site.stop()


def test_the_page_of_a_crawl_says_how_many_checks_its_score_is_of(shop: Shop) -> None:
    page = words(shop.text(f"{shop.page}/pages/1"))
    assert re.search(r"\d+ (good|decent|bad) by the \d+ checks of a crawl; a report of the page runs more checks", page)


def test_the_pdf_of_a_project_has_the_first_fixes_of_its_site(changed: tuple[Shop, Shop]) -> None:
    with changed[1].live.service.store.read() as session:
        stored = session.crawls.report(changed[1].id)
    assert stored is not None
    trend = tuple(TrendPoint(datetime(2026, 11, day, tzinfo=UTC), 1, 2, 3, 60) for day in (1, 2))
    site = decode_report(stored)
    report = ProjectReport("shop.example", (), (), trend=trend, score=site.score, result=site.result)
    sheet = Sheet(client=ClientWords(sections=PROJECT_SECTIONS))
    alone, whole = project_template_data(report, sheet, site), site_template_data(site, Sheet())
    assert [(len(table["columns"]), len(table["shares"])) for table in alone["tables"]] == [(5, 5)], "no table without rows"
    assert (alone["fixes"], alone["cards"]) == (whole["fixes"], whole["cards"])
    assert alone["verdict"]["lines"][0] == whole["verdict"]["lines"][0] == site.listing_sentence()
    assert any(f"{site.counts_words(ENGLISH)}." in line for line in alone["verdict"]["lines"])


def test_the_pdf_of_a_project_has_its_findings_before_and_now(changed: tuple[Shop, Shop]) -> None:
    with changed[1].live.service.store.read() as session:
        before, site = (decode_report(session.crawls.report(shop.id) or b"") for shop in changed)
    shop = changed[1]
    with closing(shop.live.service.crawl_home.open(shop.id)) as store, store.reading() as connection:
        compared = main_comparison(connection)
    assert compared is not None
    report = ProjectReport("shop.example", (), (), score=site.score, result=site.result)
    shown, hidden = (Sheet(client=ClientWords(sections=sections)) for sections in (PROJECT_SECTIONS, ("structure",)))
    titles = [
        [one["title"] for one in project_template_data(report, sheet, site, compared.comparison, before)["charts"]]
        for sheet in (shown, hidden)
    ]
    assert ["Findings before and now" in one for one in titles] == [True, False]
    assert "Findings before and now" in shop.text(f"{shop.page}/changes")


def test_the_pdf_of_a_site_shows_findings_with_a_note_in_full(changed: tuple[Shop, Shop]) -> None:
    with changed[1].live.service.store.read() as session:
        stored = session.crawls.report(changed[1].id)
    assert stored is not None
    site = decode_report(stored)
    noted = Sheet(client=ClientWords(notes={site.open[-1].id: "We do this on Monday."}))
    plain, sheet = site_template_data(site, Sheet()), site_template_data(site, noted)
    assert len(plain["brief"]) == len(sheet["brief"]) + 1
    assert "Monday" in str(sheet["cards"][-1]["note"])
    first = list(first_fixes(site, None, ENGLISH))
    assert [(one["mark"]["kind"], one["about"][0]) for one in sheet["fixes"]] == [(one.card.mark, one.gain) for one in first]


def test_the_pdf_of_a_site_has_its_picture_unless_the_structure_is_hidden(shop: Shop) -> None:
    with shop.live.service.store.read() as session:
        stored = session.crawls.report(shop.id)
    assert stored is not None
    site = decode_report(stored)
    picture = site_template_data(site, Sheet(client=ClientWords(sections=SITE_SECTIONS)))["picture"]
    assert "46 indexable" in [line["text"] for line in picture["legend"]]
    assert all(0 <= tile["x"] <= tile["x"] + tile["width"] <= 100.1 for tile in picture["tiles"])
    assert site_template_data(site, Sheet(client=ClientWords(sections=("pages",))))["picture"] is None
    assert all(card["text"] and "" not in card["about"] for card in site_template_data(site, Sheet())["cards"])


def shared_with_a_guest(shop: Shop, project: str) -> str:
    """Return the page of the project for a guest, with all details."""
    (shared,) = set(re.findall(r'value="http://[^/"]+(/p/[\w-]+)"', project))
    assert shop.browser.post(f"{shared}/privacy", {"privacy": "0"}, SAME).status == 303
    try:
        return Client(shop.live.port, prefix="").get(f"{shared}?view=full").text
    finally:
        shop.browser.post(f"{shared}/privacy", {"privacy": "1"}, SAME)


def test_pages_are_filtered_and_sorted_by_links(shop: Shop) -> None:
    everything = shop.text(f"{shop.page}/pages")
    missing = shop.text(f"{shop.page}/pages?status=400..499")
    (link,) = re.findall(r'href="(/s/[\w-]+/pages\?finding=meta-description%3A[^"]+)"', shop.text(f"{shop.page}"))

    assert "40 URLs" in shop.text(f"{shop.page}/pages?segment=Goods")
    assert ">Goods</a>" in everything
    assert "/gone" in missing
    assert "1 URL<" in missing
    assert "40 URLs" in shop.text(link)
    assert 'aria-sort="descending"' in shop.text(f"{shop.page}/pages?sort_by=inlinks&sort=desc")
    assert "No page matches." in shop.text(f"{shop.page}/pages?search=nowhere")
    following = re.search(r'href="([^"]+cursor=[^"]+)" rel="next"', everything)
    assert following is None or shop.text(following.group(1).replace("&amp;", "&"))
    assert shop.browser.get(f"{shop.page}/pages?depth=deep").status == 422
    file = shop.browser.get(f"{shop.page}/export?status=404")
    assert (file.status, len(file.text.splitlines())) == (200, 2)
    for format_, first in (("xlsx", b"PK"), ("parquet", b"PK"), ("csv", b"PK")):
        (href,) = re.findall(rf'href="([^"]+/tables[?]format={format_})"', shop.text(shop.page))
        assert shop.browser.get(href).body.startswith(first)


def test_changes_since_the_crawl_before_are_shown_and_listed(changed: tuple[Shop, Shop]) -> None:
    shop, second = changed
    page = second.text(second.page)
    listed = second.text(f"{second.page}/changes?kind=gone")
    everything = second.text(f"{second.page}/changes")

    assert f'href="{shop.page}"' in listed
    assert re.search(r"Findings: [1-9]\d* new, 0 returned, \d+ fixed, [1-9]\d* as before", page)
    assert '<span class="marked">new</span>' in page
    assert "<b>1</b> gone" in page
    assert "1 change<" in listed
    assert '<bdi>200</bdi></td><td data-head="Now"><bdi>404</bdi>' in listed
    assert "canonical elsewhere" in everything
    assert 'aria-current="true">gone 1</a>' in listed
    assert '<h2 id="states">Before and now</h2>' in everything
    for crawl, name in ((shop, "Before"), (second, "Now")):
        depths = second.browser.get(f"{crawl.page}/report.json").json["structure"]["depths"]
        count = sum(sum(one["states"].values()) for one in depths)
        assert f'<th scope="row">{name}</th><td>{count}</td>' in everything
    assert second.browser.get(f"{second.page}/changes?kind=colour").status == 400
    first = second.text(f"{shop.page}/changes")
    assert "cannot be compared with an earlier one: there is no earlier result." in first
    assert 'id="since"' not in first
    assert '<h2 id="changes">' not in second.text(shop.page)
    named = re.findall(r"<a href=[^>]+>(\d+)(?: of \d+)? pages?(?: in [^:]+)?: no longer indexable since ", page)
    assert sum(map(int, named)) == sum(int(count) for count in re.findall(r"<b>(\d+)</b> (?:gone|no longer indexable)", page)) > 0
    assert "no longer indexable" not in second.text(shop.page)
    guest = Client(second.live.port, prefix="")
    for page, privacy, status in ((second.page, "0", 404), (shop.page, "0", 200)):
        second.browser.post(f"{page}/privacy", {"privacy": privacy}, SAME)
        assert guest.get(f"{second.page}/changes").status == status


def test_home_names_the_pages_that_a_site_lost(changed: tuple[Shop, Shop]) -> None:
    assert re.search(r"<li><b>(?:Also new|New):</b> 1 of \d+ pages: no longer indexable since ", changed[1].text("/"))


def test_a_site_that_lost_pages_but_no_points_has_a_row_on_the_home_page(changed: tuple[Shop, Shop]) -> None:
    shop = changed[1]
    with shop.live.service.store.read() as session:
        account = session.crawls.by_public_id(shop.page.rpartition("/")[2])
        assert account is not None
        (newest, *_) = lost_views(session, ChangeScope(account.account_id), 0, only_newest=True)
    (line,) = lost_lines((newest,), ENGLISH, UTC, {})
    assert newest.path.startswith("/s/")
    assert (line.indexable_sentence, line.changes) == (f"{sum(newest.counts.values())} pages are no longer indexable", newest.path)


def test_a_crawl_is_compared_with_an_older_one_by_choice(shops: tuple[Shop, ...]) -> None:
    first, second, third = shops[3:6]
    latest = third.text(f"{third.page}/changes")
    assert "No page changed." in latest
    assert re.search(rf'<option value="{second.id}" data-at="[^"]+[+]00:00" selected>', latest)

    chosen = third.text(f"{third.page}/changes?since={first.id}")
    assert re.search(rf'<option value="{first.id}" data-at="[^"]+[+]00:00" selected>', chosen)
    assert "canonical elsewhere" in chosen
    gone = third.text(f"{third.page}/changes?since={first.id}&kind=gone")
    assert f"since={first.id}&amp;kind=gone" in chosen
    assert "1 change<" in gone
    assert third.text(f"{third.page}/changes?since=999999") == latest
    for one in (second, third):
        one.browser.post(f"{one.page}/privacy", {"privacy": "0"}, SAME)
    shared = Client(third.live.port, prefix="").get(f"{third.page}/changes?since={first.id}").text
    assert "No page changed." in shared
    assert "Compare with" not in shared


def test_the_tab_changes_compares_the_newest_crawl_with_a_chosen_one(shops: tuple[Shop, ...]) -> None:
    first, second, third = shops[3:6]
    tab = f"{unquote(third.crawls.removesuffix('/crawls'))}/changes"
    latest = third.text(quote(tab))

    assert "No page changed." in latest
    assert re.search(rf'<option value="{second.id}" data-at="[^"]+" selected>', latest)
    assert "The same score as in the crawl of" in latest
    with closing(sqlite3.connect(third.live.service.settings.data_dir / "findable.db")) as connection, connection:
        connection.execute("UPDATE crawl SET finished_at = finished_at - 40 * 86400 WHERE id = ?", (first.id,))
    shortcuts = third.text(quote(tab)).partition('<nav class="sorts" aria-label="Compare')[2].partition("</nav>")[0]
    links = dict(re.findall(r'<a href="([^"]+)"[^>]*>([^:]+): ', shortcuts))
    assert links == {tab: "Previous crawl", f"{tab}?since={first.id}": "A month ago"}
    assert shortcuts.count(f'href="{tab}?since={first.id}"') == 2, "the last crawl a week ago is that of a month ago"
    chosen = third.text(quote(tab) + f"?since={first.id}")
    assert f'href="{tab}?since={first.id}&amp;kind=gone#pages"' in chosen
    assert re.search(r"points? worse since [^<]+", chosen)
    project = third.text(third.crawls.removesuffix("/crawls"))
    assert f'href="{tab}"' in project
    assert re.search(r"The same score as in the crawl of [^<]+, \d\d:\d\d UTC", project), "two crawls of one day have times"


def test_a_crawl_that_cannot_be_compared_says_why_and_shows_the_last_one(live: Live) -> None:
    site = Site().start()
    try:
        make_shop(site, products=3)
        first = Shop(live, site)
        Shop(live, site, first.email)
        site.page("/robots.txt", "User-agent: *\nDisallow: /", content_type="text/plain")
        blocked = Shop(live, site, first.email)
    finally:
        site.stop()
    for path in (f"{blocked.page}/changes", f"{blocked.crawls.removesuffix('/crawls')}/changes"):
        page = words(blocked.text(path))
        assert re.search(r"cannot be compared with an earlier one: robots.txt disallows", page), path
        assert re.search(r"The last crawl that can be compared is that of [^.]+ UTC[.]", page), path
        assert f'href="{first.page}"' in blocked.text(path), path
    for href in set(re.findall(r'href="(/s/[^"#]+)"', blocked.text("/"))):
        assert blocked.browser.get(unescape(href)).status == 200, href


def test_a_page_becomes_one_full_report(shop: Shop) -> None:
    (path,) = set(re.findall(r'href="(/s/[\w-]+/pages/\d+)"', shop.text(f"{shop.page}/pages?search=/product/oak-brass-0")))
    page = shop.text(path)

    assert "The page has no meta description" in page
    assert "Linked from" in page
    assert "Links around this page" in page
    made = shop.browser.post(f"{path}/report", None, SAME)
    assert (made.status, made.headers["Location"].startswith("/r/")) == (303, True)
    assert f'<a href="{made.headers["Location"]}">Report of this page</a>' in shop.text(path)
    assert shop.browser.post(f"{path}/report", None, SAME).headers["Location"] == made.headers["Location"], "it is run again"


@pytest.mark.parametrize("path", ["", "/pages", "/pages/1", "/export", "/tables", "/report.csv", "/client", "/changes"])
def test_others_do_not_see_a_crawl(shop: Shop, path: str) -> None:
    stranger = shop.live.signed_in(shop.live.email())

    assert stranger.get(f"{shop.page}{path}").status == 404
    assert Client(shop.live.port, prefix="").get(f"{shop.page}{path}").status == 404
    assert shop.browser.get(f"/s/nobody{path}").status == 404


@needs_chromium
@LOOKS
def test_changes_are_accessible_and_fit(changed: tuple[Shop, Shop], window: Open, width: int, dark: bool) -> None:
    _, shop = changed
    page = window(width=width, dark=dark, cookies=shop.browser.cookies, origin=shop.origin, language="de" if dark else "en")
    for path in (shop.page, f"{shop.page}/changes", f"{shop.page}/changes?kind=canonical"):
        page.goto(shop.origin + path)
        assert faults(page) == [], path
        assert not scrolls_sideways(page), path


@needs_chromium
@LOOKS
def test_the_pages_are_accessible_and_fit(shop: Shop, window: Open, width: int, dark: bool) -> None:
    page = window(width=width, dark=dark, cookies=shop.browser.cookies, origin=shop.origin, language="de" if dark else "en")
    for path in (shop.crawls, shop.page, f"{shop.page}/pages?columns=h1,canonical,words", f"{shop.page}/pages/10", f"{shop.page}/client"):
        page.goto(shop.origin + path)
        assert faults(page) == [], path
        assert not scrolls_sideways(page), path
    if width == DESKTOP_PX:
        page.goto(shop.origin + shop.page)
        picture = page.locator(".tree-map.wide").bounding_box()
        assert picture
        assert picture["y"] + picture["height"] <= HEIGHTS_PX[width], "the picture is on the first screen"


@needs_chromium
@pytest.mark.full
def test_every_screen_is_accessible_and_fits_at_twice_the_size(changed: tuple[Shop, Shop], window: Open) -> None:
    _, shop = changed
    project = shop.crawls.removesuffix("/crawls")
    link = re.findall(r"/p/[\w-]{22}", shop.text(f"{project}/share"))[0]
    fix = re.findall(r'id="send-[^"]+" readonly value="[^"]+(/fix/[^"]+)"', shop.text(shop.page))[0]
    for path in (shop.page, link):
        assert shop.browser.post(f"{path}/privacy", {"privacy": "0"}, SAME).status == 303
    own = (
        *(project + path for path in ("", "/findings", "/findings?view=plain", "/pages", "/structure", "/changes", "/watching", "/share")),
        *(project + path for path in ("/reports", "/people", "/recipients", "/settings?view=full", "/questions", "/bots", "/data")),
        *("/", "/projects", "/import", "/changes", "/alerts", "/findings", "/nothing", "/reports"),
        *(shop.page + path for path in ("", "?view=plain", "/client", "/link?view=full", "/changes", "/questions")),
    )
    page = window(width=TWICE_PX, cookies=shop.browser.cookies, origin=shop.origin, language="de")
    guest = window(width=TWICE_PX, language="de")
    for browser, paths in ((page, own), (guest, (shop.page, link, f"{link}/summary", fix, "/sign-in", "/forgot", "/nothing"))):
        for path in paths:
            browser.goto(shop.origin + path)
            assert faults(browser) == [], path
            assert not scrolls_sideways(browser), path
    guest.goto(shop.origin + link)
    assert guest.locator(".view-switch [aria-current]").inner_text() == "In einfachen Worten", "clients read plain words"
    for path in (shop.page, link):
        shop.browser.post(f"{path}/privacy", {"privacy": "1"}, SAME)


@needs_chromium
def test_a_crawl_is_followed_without_a_reload_and_stopped(shop: Shop, window: Open) -> None:
    path = shop.browser.post(shop.crawls, {"url": shop.site.url("/"), "pages": "500"}, SAME).headers["Location"]
    service = shop.live.service
    with service.store.read() as session:
        row = session.crawls.by_public_id(path.rpartition("/")[2])
    assert row is not None
    number = row.id
    with service.store.write() as session:
        session.crawls.change(number, int(now().timestamp()), status="running")
    page = window(cookies=shop.browser.cookies, origin=shop.origin)
    page.goto(shop.origin + path)
    page.evaluate("window.kept = true")
    counts = CrawlCounts(waiting=250, done=950, pages=900, statuses={"2xx": 900, "4xx": 50})
    latest, first = LatestPage(shop.site.url("/about"), 200, "About us"), FirstFinding("title-present", Verdict.FAILED, 12)
    now_at = CrawlProgress(
        counts,
        CrawlStage.URLS,
        950,
        1200,
        is_at_least=True,
        pages_per_second=4.8,
        limited_by="politeness",
        eta_s=52,
        latest=(latest,),
        findings=(first,),
    )
    service.crawl_events.set_progress(number, now_at)
    page.get_by_text("950 of at least 1,200 URLs requested").first.wait_for()
    page.get_by_text("4.8 requests per second · limited by politeness · about 52 seconds left").wait_for()
    assert page.get_by_text("50 client errors").is_visible()
    assert page.get_by_text("About us").is_visible()
    assert page.get_by_text("12 pages The page has no title").is_visible()
    assert page.evaluate("window.kept")
    page.get_by_role("button", name="Stop").click()
    page.get_by_text("The crawl is being stopped.").wait_for()
    assert faults(page) == []
    shop.browser.post(f"{path}/delete", None, SAME)


def test_a_redirect_map_is_checked_in_the_browser(live: Live, make_site: Callable[[], Site]) -> None:
    make_shop(site := make_site(), products=3)
    shop = Shop(live, site)
    lines = "old -> new\n\n/old-shop -> /shop\n/about,/imprint\n/gone;/shop"
    sent = {"url": site.url("/"), "pages": "1000", "list": lines, "rate": "5", "privacy": "1"}
    form = shop.crawls.replace("/crawls", "/structure")
    assert 'name="list"' in shop.text(form)
    wrong = shop.browser.post(form, {**sent, "list": "/a /b\n\n/a /b /c"}, SAME)
    assert (wrong.status, "Line 3, “/a /b /c”: a line has a URL, or a URL and its target." in wrong.text) == (422, True)
    for word in ("redirect", "relaunch", "migration"):
        assert "/structure#redirect-map" in shop.text(shop.crawls.replace("/crawls", f"/settings?q={word}")).partition("settings-search")[2]
    made = shop.browser.post(form, sent, SAME)
    assert made.status == 303
    work_crawl(live.service)
    page = shop.text(made.headers["Location"])
    text, _, rest = page.partition('id="redirect-map">')[2].partition("</section>")
    chosen = shop.text(f"{made.headers['Location']}?map=no_redirect").partition('id="redirect-map">')[2].partition("</section>")[0]

    assert words(text).startswith(
        "2 of 3 old URLs do not lead where the map says All 3 leads there directly 1 does not redirect 1 returns an error 1"
    )
    rows = [unescape(words(row)) for row in re.findall(r"<tr>(<th scope=\"row\".*?)</tr>", text, re.DOTALL)]
    assert rows[2].endswith(
        f"Passed leads there directly {site.url('/shop').removeprefix('http://')} {site.url('/shop').removeprefix('http://')} 301 → 200"
    )
    assert (chosen.count('scope="row"'), "does not redirect" in chosen) == (1, True)
    lacked = re.search(r"The map lacks (\d+) pages of the crawl of .*?<ul class=\"urls\">(.*?)</ul>", text, re.DOTALL)
    assert lacked
    urls = re.findall(r'href="([^"]+)"', lacked[2])
    assert (len(urls), any("/product/" in url for url in urls)) == (int(lacked[1]), True)
    assert not {site.url("/shop"), site.url("/about")} & set(urls), "a target and an old URL of the map"
    assert "Score and findings of the requested pages" in rest
    for unjudged in ("no link to another page", "not reachable by links", "Google can index"):
        assert unjudged not in page
    table = shop.text(f"{made.headers['Location']}/export?table=redirect-map")
    assert [row["result"] for row in csv.DictReader(io.StringIO(table.removeprefix("\ufeff")))] == ["reached", "no_redirect", "broken"]


def test_every_setting_of_a_crawl_is_in_its_form_and_errors_stand_at_their_fields(shop: Shop) -> None:
    assert '<details class="more"><summary>More' in shop.text(shop.crawls)
    sent = {
        "url": shop.site.url("/"),
        "include": "/product/*\n/about",
        "depth": "three",
        "rate": "90000",
        "as": "nonsense/x",
        "pages": "500",
    }
    wrong = shop.browser.post(shop.crawls, sent, SAME)

    assert wrong.status == 422
    assert '<details class="more" open>' in wrong.text
    assert "/product/*\n/about</textarea>" in wrong.text
    assert 'value="90000"' in wrong.text
    assert re.findall(r'id="(\w+)-wrong"', wrong.text) == ["depth"]
    wrong = shop.browser.post(shop.crawls, sent | {"depth": "3"}, SAME)
    assert re.findall(r'id="(\w+)-wrong"', wrong.text) == ["rate", "as"]
    made = shop.browser.post(shop.crawls, {**sent, "depth": "3", "rate": "2", "as": "", "exclude": "/cart/*", "robots": "googlebot"}, SAME)
    settings = shop.text(made.headers["Location"]).partition("Settings of this crawl")[2]
    for expected in ("at most 2 requests per second", "/product/*, /about", "/cart/*", "with the rules for Googlebot", "Maximum clicks"):
        assert expected in settings, expected
    shop.browser.post(f"{made.headers['Location']}/delete", None, SAME)


def test_a_site_is_audited_from_the_home_page(live: Live) -> None:
    browser = live.signed_in(live.email())
    assert "Audit the whole site" in browser.get("/").text
    made = browser.post("/crawls", {"url": "https://shop.example/", "privacy": "1"}, SAME)
    assert (made.status, made.headers["Location"].startswith("/s/")) == (303, True)
    assert "The crawl is queued." in browser.get(made.headers["Location"]).text
    wrong = browser.post("/crawls", {"url": "ftp://shop.example/", "privacy": "0"}, SAME)
    assert wrong.status == 422
    assert "ftp://shop.example/" in wrong.text
    browser.post(f"{made.headers['Location']}/delete", None, SAME)


def test_extractors_are_lines_of_the_settings_and_columns_of_pages(live: Live) -> None:
    site = Site().start()
    try:
        make_shop(site, products=3)
        shop = Shop(live, site)
    finally:
        site.stop()
    path = f"/projects/{quote(shop.project, safe='')}/settings"
    wrong = shop.browser.post(f"{path}/extractors", {"extractors": "Price: .price:has(b)"}, SAME)
    assert wrong.status == 422
    assert "Price: :has(b) is not supported here." in wrong.text
    saved = shop.browser.post(f"{path}/extractors", {"extractors": "Heading: h1\nSold out: contains: sold out"}, SAME)
    assert saved.headers["Location"].endswith("/settings?done=extractors#extractors")
    assert "Heading: h1\nSold out: contains: sold out" in shop.text(path)
    assert "Rescore" in shop.text(shop.page)
    assert shop.browser.post(f"{shop.page}/judge", None, SAME).status == 303
    running = shop.text(shop.page)
    assert "The crawl is being rescored from its stored responses." in running
    assert "Fix first" in running
    judge_crawl_again(live.service)

    listed = shop.text(f"{shop.page}/pages?has=Heading&value=about")
    assert "without Sold out" in listed
    assert '<td data-head="Heading">About us</td><td data-head="Sold out">0</td>' in listed
    assert "Heading</th>" not in shop.text(f"{shop.page}/pages?columns=words,extracted.1")
    (number,) = set(re.findall(rf'href="{shop.page}/pages/(\d+)', listed))
    assert "<dt>Heading</dt><dd><bdi>About us</bdi></dd>" in shop.text(f"{shop.page}/pages/{number}")


def test_charts_count_each_url_and_each_score_once(shop: Shop) -> None:
    structure = shop.browser.get(f"{shop.page}/report.json").json["structure"]
    by_depth = Counter[str]()
    for one in structure["depths"]:
        by_depth.update(one["states"])
    by_area = Counter[str]()
    for area in structure["areas"]:
        by_area.update(area["states"])
    assert by_depth == by_area
    assert [one["depth"] for one in structure["depths"]][:2] == [0, 1]
    shown = shop.text(shop.page)
    zones = re.findall(r"(?:Bad|Decent|Good), (\d+–\d+)</th><td>(\d+)</td>", shown)
    assert [scores for scores, _ in zones] == [f"0–{DECENT_FROM - 1}", f"{DECENT_FROM}–{GOOD_FROM - 1}", f"{GOOD_FROM}–100"]
    assert sum(int(count) for _, count in zones) == sum(structure["scores"]) > 0
    assert f'aria-label="Scores of the pages: Bad, {zones[0][0]}: {zones[0][1]}' in shown
    assert len(re.findall(r'data-rating=""', shown)) == 2 * sum(count == "0" for _, count in zones)


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


@pytest.fixture(scope="module")
def shared(live: Live) -> Iterator[Shop]:
    site = Site().start()
    try:
        make_shop(site, products=3)
        yield Shop(live, site)
    finally:
        site.stop()


def test_a_site_is_shared_with_a_password_that_a_new_one_ends(shared: Shop) -> None:
    shop = shared
    owner, guest = shop.browser, Client(shop.live.port, prefix="")
    other = Client(shop.live.port, prefix="")
    assert owner.post(f"{shop.page}/privacy", {"privacy": "2"}, SAME).status == 422
    assert owner.post(f"{shop.page}/privacy", {"privacy": "2", "password": "first of all"}, SAME).status == 303
    assert "This report has a password" in guest.get(shop.page).text
    for path in ("/pages", "/pages/1", "/report.csv", "/report.pdf", "/export", "/tables", "/changes"):
        assert guest.get(f"{shop.page}{path}").headers["Location"] == shop.page
    assert guest.post(shop.page, {"password": "wrong"}, SAME).status == 403
    reply = guest.post(shop.page, {"password": "first of all"}, SAME)
    assert reply.status == 303
    name, _, value = reply.headers["Set-Cookie"].partition(";")[0].partition("=")
    guest.cookies = {name: value}
    shown = guest.get(shop.page)
    assert '<h2 id="findings">Findings</h2>' in shown.text
    assert "Manage this report" not in shown.text
    assert "Accept this finding" not in shown.text
    assert (shown.headers["Cache-Control"], shown.headers["Referrer-Policy"]) == ("private, no-store", "no-referrer")
    assert guest.get(f"{shop.page}/pages/1").status == 200
    assert guest.get(f"{shop.page}/report.pdf").body.startswith(b"%PDF")
    assert guest.post(f"{shop.page}/delete", None, SAME).status == 404
    owner.post(f"{shop.page}/privacy", {"privacy": "2", "password": "second of all"}, SAME)
    assert "This report has a password" in guest.get(shop.page).text
    assert other.get(shop.page).status == 200
    owner.post(f"{shop.page}/privacy", {"privacy": "1"}, SAME)
    assert {client.get(shop.page).status for client in (guest, other)} == {404}


def test_guests_read_the_note_and_not_what_is_hidden(shared: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site_picture, "MIN_URLS", 2)
    shop = shared
    owner, guest = shop.browser, Client(shop.live.port, prefix="")
    owner.post(f"{shop.page}/privacy", {"privacy": "0"}, SAME)
    fields = {"summary": "Forty products need a description.", "prepared_by": "Anna", "note.meta-description": "We write these."}
    assert owner.post(f"{shop.page}/client", {**fields, "sections": "structure"}, SAME).status == 303
    shown = guest.get(f"{shop.page}?view=full").text

    assert "Forty products need a description." in shown
    assert "We write these." in shown
    told = ("Forty products need a description", "Prepared by: Anna", "We write these", "Google can index")
    text = guest.get(f"{shop.page}/report.md").text
    assert [words for words in told if words not in text] == []
    assert "Clicks from the start page" in shown
    assert "The site as a picture" in shown
    assert "?folder=" not in shown
    assert "List all pages" not in shown
    assert "Sitemaps and robots.txt" not in shown
    assert [guest.get(f"{shop.page}{path}").status for path in ("/pages", "/pages/1", "/export", "/tables", "/report.csv")] == [404] * 4 + [
        200
    ]
    assert guest.get(f"{shop.page}/report.json").json["structure"]["depths"]
    assert '"sitemap": null' in guest.get(f"{shop.page}/report.json").text
    assert owner.get(f"{shop.page}/pages").status == 200
    owner.post(f"{shop.page}/client", {"summary": "", "sections": "pages"}, SAME)
    hidden = guest.get(f"{shop.page}?view=full").text
    assert [words for words in ("The site as a picture", "Scores of the pages") if words in hidden] == []
    structure = guest.get(f"{shop.page}/report.json").json["structure"]
    assert [name for name in ("depths", "scores", "areas") if structure[name]] == []
    everything = ["structure", "duplicates", "sitemaps", "pages", "changes"]
    owner.post(f"{shop.page}/client", {"summary": "", "sections": "\n".join(everything)}, SAME)
    ended = owner.post(f"{shop.page}/link", {"until": "2026-01-01"}, SAME)
    assert ended.status == 422
    moved = owner.post(f"{shop.page}/link/new", None, SAME).headers["Location"].partition("#")[0]
    assert (guest.get(shop.page).status, guest.get(moved).status) == (404, 200)
    shop.page = moved
    owner.post(f"{shop.page}/privacy", {"privacy": "1"}, SAME)


def test_an_accepted_finding_is_listed_apart_in_later_crawls_too(shared: Shop) -> None:
    shop = shared
    (key,) = set(re.findall(r'name="key" value="(meta-description:[^"]+)"', shop.text(shop.page)))
    empty = shop.browser.post(f"{shop.page}/accepted", {"key": key, "reason": ""}, SAME)
    assert empty.status == 422
    assert "Enter a reason." in empty.text
    assert shop.browser.post(f"{shop.page}/accepted", {"key": key, "reason": "They come in spring."}, SAME).status == 303
    page = shop.text(shop.page)
    assert "They come in spring." in page
    assert key not in shop.browser.get(f"{shop.page}/report.csv").text
    again = Shop(shop.live, shop.site, shop.email)
    assert "They come in spring." in again.text(again.page)
    assert shop.browser.post(f"{shop.page}/accepted", {"key": key, "withdraw": "1"}, SAME).status == 303
    assert "They come in spring." not in shop.text(shop.page)


def test_an_accepted_finding_leaves_the_score_everywhere(shared: Shop) -> None:
    shop = shared
    api = shop.live.client(email=shop.email)

    def crawl(number: int) -> dict[str, Any]:
        return dict(api.get(f"/crawls/{number}").json["data"])

    def findings(number: int) -> dict[str, dict[str, Any]]:
        return {item["key"]: item for item in api.get(f"/crawls/{number}/findings?per_page=100").json["data"]}

    before, listed = crawl(shop.id), findings(shop.id)
    key, gain = next((key, item["gain"]) for key, item in listed.items() if item["id"] == "site-links-broken")
    assert gain > 0
    assert listed[key]["accepted"] is None
    shop.browser.post(f"{shop.page}/accepted", {"key": key, "reason": "The page comes back."}, SAME)
    after, marked = crawl(shop.id), findings(shop.id)
    later = Shop(shop.live, shop.site, shop.email)

    assert after["score"] == before["score"] + gain
    assert after["findings"]["failed"] == before["findings"]["failed"] - 1
    assert marked.keys() == listed.keys()
    assert marked[key]["accepted"]["reason"] == "The page comes back."
    assert [other for other, item in marked.items() if item["accepted"]] == [key]
    assert f">{after['score']} " in shop.text(shop.crawls)
    assert api.get(f"/crawls/{later.id}").json["data"]["score"] == after["score"]
    assert {**crawl(later.id)["previous"], "crawl": 0} == {"crawl": 0, "result": after["result"], "score": after["score"], "change": 0}
    assert f'"score":{after["score"]}' in shop.browser.get(f"{shop.page}/report.json").text.replace(": ", ":")

    with shop.live.service.store.write() as session:
        project_id = session.crawls.by_id(shop.id).project_id  # type: ignore[union-attr]  # made above
        (one,) = session.acceptances.of_crawls(project_id)
        session.acceptances.remove([one.id])
        values = {**one._asdict(), "project_id": project_id, "of_crawls": 1, "until": "2026-01-01", "report_id": None}
        session.acceptances.add({name: value for name, value in values.items() if name != "id"})
    while crawl_acceptances.end_acceptances(shop.live.service):
        pass
    assert (crawl(shop.id)["score"], crawl(later.id)["score"]) == (before["score"], before["score"])
    assert key in shop.browser.get(f"{shop.page}/report.csv").text


def test_the_form_of_a_crawl_names_the_url_of_the_last_one(shop: Shop) -> None:
    assert f'name="url" value="{shop.site.url("/")}"' in re.sub(r' (?!name=|value=)[\w-]+="[^"]*"', "", shop.text(shop.crawls))


def test_redirects_are_listed_with_their_targets(shop: Shop) -> None:
    listed = shop.text(f"{shop.page}/pages?status=300..399")
    (file,) = re.findall(r'href="([^"]+/export[^"]*)"', listed)
    rows = list(csv.DictReader(io.StringIO(shop.browser.get(file.replace("&amp;", "&")).text.lstrip("\ufeff"))))

    assert re.search(r'<td data-head="Redirects to">[^<]+/shop</td>', listed)
    assert "Words</a>" not in listed
    assert [(row["url"].endswith("/old-shop"), row["end_url"].endswith("/shop"), row["end_status"]) for row in rows] == [
        (True, True, "200")
    ]
    assert "Words</a>" in shop.text(f"{shop.page}/pages?status=300..404")


def test_columns_and_filters_are_links(shop: Shop) -> None:
    plain = shop.text(f"{shop.page}/pages")
    chosen = shop.text(f"{shop.page}/pages?columns=h1,canonical&status=200")

    assert "Main heading</th>" in chosen
    assert "First byte</a>" not in chosen
    assert "columns=h1%2Ccanonical" in chosen
    assert "Inlinks</a>" in plain
    assert "Remove the filters" in chosen
    assert shop.browser.get(f"{shop.page}/pages?column.words=1").text.count('<th scope="col"') == 2


def test_filters_and_columns_of_pages_are_saved_for_the_account(shop: Shop) -> None:
    query = "status=400..499&columns=status,inlinks"
    form = shop.text(f"{shop.page}/pages?{query}")
    sent = dict(re.findall(r'<input type="hidden" name="(list|at|query)" value="([^"]*)">', form))
    assert sent["query"] == "status=400..499&amp;columns=status%2Cinlinks"
    sent["query"] = sent["query"].replace("&amp;", "&")
    made = shop.browser.post("/views", {**sent, "name": "Missing"}, SAME)
    assert made.status == 303
    opened = shop.text(made.headers["Location"].partition("#")[0])
    assert 'aria-current="true">Missing</a>' in opened
    assert "/gone" in opened
    assert "1 URL<" in opened
    assert ">Missing</a>" in shop.text(f"{shop.page}/pages")
    others = shop.live.client(email=shop.live.email())
    assert others.get("/views").json["data"] == []
