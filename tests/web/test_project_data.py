"""Numbers by URL that were uploaded for a project: by interface and page, and what the pages of a crawl show of them."""

import csv
import io
import re
from collections.abc import Iterator
from typing import Any

import pytest

from findable.web.pages.project import project_csv
from tests.accessibility import faults
from tests.browser import PHONE_PX, Open, needs_chromium, scrolls_sideways
from tests.checks.harness import page
from tests.crawl_sites import make_shop
from tests.sites.server import Site
from tests.web.live import Live, run_live
from tests.worked_crawls import work_crawl
from tests.worker.processes import until

SAME = {"Sec-Fetch-Site": "same-origin"}


class Shop:
    """A crawled shop, its owner, and numbers of four of its URLs; one is not known to the crawl."""

    def __init__(self, live: Live, site: Site) -> None:
        self.live, self.site = live, site
        email = live.email()
        self.client, self.browser = live.client(email=email), live.signed_in(email)
        make_shop(site, products=3)
        made = self.client.post("/crawls", {"url": site.url("/"), "privacy": 0})
        assert made.status == 202
        self.crawl = made.json["data"]
        work_crawl(live.service)
        self.project = self.crawl["project"]
        reply = self.upload(self.csv())
        assert reply.status == 201, reply.text
        self.uploaded = reply.json["data"]

    def csv(self) -> str:
        rows = {"/": "54,321", "/about": 7, "/imprint": 30, "/old-campaign": 55}
        return "Top pages,Clicks,Position,Query\n" + "".join(
            f'{self.site.url(path)},"{clicks}",3.5,bread\n' for path, clicks in rows.items()
        )

    def upload(self, csv: str, **more: Any) -> Any:
        return self.client.post(f"/projects/{self.project}/url-data", {"csv": csv, **more})

    def pages(self, **query: Any) -> Any:
        return self.client.get(f"/crawls/{self.crawl['id']}/pages", None, per_page=50, **query)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    site = Site().start()
    try:
        for live in run_live(tmp_path_factory.mktemp("service"), allow_targets=("127.0.0.1",), rate_limit=100_000):
            yield Shop(live, site)
    finally:
        site.stop()


def test_an_upload_is_recognised_and_listed(shop: Shop) -> None:
    known = {name: shop.uploaded[name] for name in ("source", "columns", "rows", "skipped", "ignored", "date")}
    assert known == {
        "source": "search-console", "columns": ["clicks", "position"], "rows": 4, "skipped": 0, "ignored": ["Query"], "date": None
    }  # fmt: skip
    listed = shop.client.get(f"/projects/{shop.project}/url-data").json["data"]
    assert "search-console" in [one["source"] for one in listed]


def test_what_is_wrong_names_its_line_and_changes_nothing(shop: Shop) -> None:
    before = shop.client.get(f"/projects/{shop.project}/url-data").json["data"]
    for table, more, field, part in (
        ("url,clicks\n/,1\n/about,many\n", {}, "csv", "Line 3"),
        ("url,clicks\nhttps://elsewhere.example/,1\n", {}, "csv", "No row has a URL of this project."),
        ("url,clicks\n/,1\n", {"date": "tomorrow"}, "date", "date"),
        ("url,clicks\n/,1\n", {"source": "Ann's list"}, "source", "hyphens"),
        ("", {}, "csv", "required"),
    ):
        reply = shop.upload(table, **more)
        assert reply.status == 422, table
        assert part in reply.json["errors"][field][0], reply.text
    assert shop.client.get(f"/projects/{shop.project}/url-data").json["data"] == before


def test_numbers_are_columns_filters_and_an_order_of_pages(shop: Shop) -> None:
    rows = {row["url"]: row["data"].get("clicks") for row in shop.pages().json["data"]}
    assert (rows[shop.site.url("/")], rows[shop.site.url("/about")], None in rows.values()) == (54321, 7, True)
    busy = shop.pages(data="clicks:10..", sort_by="data", sort="desc").json
    assert [row["data"]["clicks"] for row in busy["data"]] == [54321, 30]
    assert busy["meta"]["total"] == 2
    assert [row["data"].get("clicks") for row in shop.pages(data="clicks", sort_by="data").json["data"]][:3] == [7, 30, 54321]
    assert shop.pages(data="visits:1..").status == shop.pages(sort_by="data").status == shop.pages(data="clicks:many").status == 422
    table = shop.client.get(f"/crawls/{shop.crawl['id']}/export", None, data="clicks:10..").text.splitlines()
    assert '"clicks","position"' in table[0]
    assert sum(",54321.0,3.5" in line for line in table) == 1
    assert len(table) == 3


def test_a_second_upload_within_a_second_is_shown(shop: Shop) -> None:
    for clicks in (1, 2, 3):
        assert shop.upload(f"url,clicks\n/about,{clicks}\n", source="quick").status == 201
        assert [row["data"]["clicks"] for row in shop.pages(data="clicks:1..3").json["data"]] == [clicks]
    assert shop.client.delete(f"/projects/{shop.project}/url-data/quick").status == 200


def test_numbers_are_columns_a_filter_and_an_order_of_the_pages_of_a_project(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    assert shop.upload("url,visits\n/,30\n/about,7\n", source="visits").status == 201
    made = shop.client.post("/batches", {"urls": "\n".join(shop.site.url(path) for path in ("/", "/about", "/shop")), "privacy": 1})
    assert made.status in (201, 202), made.text
    path = f"/projects/{shop.project}"
    until(lambda: shop.client.get("/reports", None, project=shop.project, status="done").json["meta"]["total"] == 3)

    def rows(**query: Any) -> list[tuple[str, str]]:
        reply = shop.browser.get(f"{path}/reports.csv", None, **query)
        assert reply.status == 200, reply.text
        found = csv.DictReader(io.StringIO(reply.body.decode("utf-8-sig"), newline=""))
        return [(row["url"].removeprefix(shop.site.url("/")), row["visits"]) for row in found]

    assert sorted(rows()) == [("", "30.0"), ("about", "7.0"), ("shop", "")]
    assert rows(data="visits", sort_by="data", sort="desc") == [("", "30.0"), ("about", "7.0"), ("shop", "")]
    assert rows(data="visits", sort_by="data", sort="asc") == [("about", "7.0"), ("", "30.0"), ("shop", "")]
    assert rows(data="visits:8..") == [("", "30.0")]
    assert rows(data="visits:..7", sort_by="url", sort="asc") == [("about", "7.0")]
    by_api = shop.client.get("/reports", None, project=shop.project, data="visits", sort_by="data", per_page=10).json
    assert [row["url"] for row in by_api["data"]][:2] == [shop.site.url("/"), shop.site.url("/about")]
    assert by_api["meta"]["total"] == 3
    for query in ({"data": "hits"}, {"sort_by": "data"}, {"data": "visits:many"}):
        assert shop.client.get("/reports", None, project=shop.project, **query).status == 422
    assert shop.client.get("/reports", None, data="visits").status == 422
    shown = shop.browser.get(f"{path}/reports", data="visits", sort_by="data", sort="desc").text
    assert 'aria-sort="descending"' in shown
    assert '<td data-head="visits">30</td>' in shown
    assert "data=visits&amp;sort_by=data&amp;sort=asc" in shown
    assert shop.browser.get(f"{path}/reports", data="hits:1..").status == 422
    saved = shop.browser.post(
        "/views", {"list": "reports", "at": shop.project, "name": "Visited", "query": "data=visits:1..&sort_by=data"}, SAME
    )
    assert saved.status == 303
    assert "data=visits%3A1.." in saved.headers["Location"] or "data=visits:1.." in saved.headers["Location"]
    for number in range(9):
        assert shop.client.post("/reports", {"url": shop.site.url(f"/p{number}"), "privacy": 1}).status == 201
    by_visits: dict[str, Any] = {"project": shop.project, "data": "visits", "sort_by": "data", "sort": "desc", "per_page": 10}
    first = shop.client.get("/reports", None, **by_visits).json
    second = shop.client.get(first["links"]["next_cursor"].partition("/api/v1")[2]).json
    back = shop.client.get(second["links"]["prev_cursor"].partition("/api/v1")[2]).json
    assert [row["id"] for row in back["data"]] == [row["id"] for row in first["data"]]
    assert len({row["id"] for row in (*first["data"], *second["data"])}) == first["meta"]["total"] == 12
    monkeypatch.setattr(project_csv, "CSV_AT_ONCE", 10)
    assert len(rows(data="visits", sort_by="data")) == 12
    assert shop.client.delete(f"/projects/{shop.project}/url-data/visits").status == 200
    assert 'data-head="visits"' not in shop.browser.get(path).text


def test_guests_of_a_shared_report_see_no_numbers(shop: Shop) -> None:
    path = f"/s/{shop.crawl['public_id']}"
    guest = shop.client.guest()
    for at in (path, f"{path}/pages", f"{path}/export?table=pages"):
        own, shared = shop.browser.get(at), guest.get(at)
        assert (own.status, shared.status) == (200, 200)
        assert "54,321" in own.text or "54321.0" in own.text, at
        assert "54,3" not in shared.text, at
        assert "54321" not in shared.text, at
    assert guest.get(f"{path}/pages?data=clicks:10..").status == 422
    assert "on pages with 54,3" in shop.browser.get(path).text


def test_urls_that_the_crawl_does_not_know_are_told_and_crawled_as_a_list(shop: Shop) -> None:
    shown = shop.browser.get(f"/projects/{shop.project}/data").text
    assert "1 URL is not in the last crawl" in shown
    assert "old-campaign" in shown
    reply = shop.browser.post(f"/projects/{shop.project}/data/crawl", {}, SAME)
    assert reply.status == 303
    work_crawl(shop.live.service)
    made = shop.client.get("/crawls", None, project=shop.project).json["data"][0]
    found = shop.client.get(f"/crawls/{made['id']}/pages").json["data"]
    assert [row["url"] for row in found] == [shop.site.url("/old-campaign")]


@needs_chromium
def test_somebody_uploads_a_file_and_filters_by_it(shop: Shop, window: Open, tmp_path_factory: pytest.TempPathFactory) -> None:
    file = tmp_path_factory.mktemp("upload") / "Seiten.csv"
    file.write_text("Page path;Sessions\n/about;410\n", "utf-16")
    origin = f"http://127.0.0.1:{shop.live.port}"
    page = window(width=PHONE_PX, dark=True, cookies=shop.browser.cookies, origin=origin)
    page.goto(f"{origin}/projects/{shop.project}/data")
    page.get_by_label("File").set_input_files(file)
    page.get_by_role("button", name="Upload").click()
    page.get_by_role("status").get_by_text("The numbers are stored.").wait_for()
    assert not faults(page)
    assert not scrolls_sideways(page)
    page.goto(f"{origin}/s/{shop.crawl['public_id']}/pages?data=sessions:100..")
    assert page.locator("table.crawled-pages tbody tr").count() == 1
    assert "410" in page.locator("table.crawled-pages").inner_text()
    assert not scrolls_sideways(page)


def test_uploaded_urls_that_nothing_leads_to_are_crawled_with_the_site(shop: Shop) -> None:
    crawls = f"/projects/{shop.project}/crawls"
    assert 'name="uploaded"' in shop.browser.get(crawls).text
    sent = {"url": shop.site.url("/"), "pages": "100", "scope": "origin", "privacy": "1", "uploaded": "1"}
    assert shop.upload("path,clicks\n/forgotten,3\nhttps://elsewhere.example/x,1\n", source="more").status == 201
    made = shop.browser.post(crawls, sent, SAME)
    assert made.status == 303
    work_crawl(shop.live.service)
    crawl = shop.client.get("/crawls", None, project=shop.project).json["data"][0]
    assert crawl["settings"]["uploaded"] == 1
    rows = {row["url"]: row["found_by"] for row in shop.client.get(f"/crawls/{crawl['id']}/pages", None, per_page=100).json["data"]}
    assert {url for url, ways in rows.items() if ways == ["upload"]} == {shop.site.url("/old-campaign"), shop.site.url("/forgotten")}
    assert "requested even without links to them" in shop.browser.get(made.headers["Location"]).text
    plain = shop.client.post("/crawls", {"url": shop.site.url("/"), "privacy": 1}).json["data"]
    assert plain["settings"]["uploaded"] == 0
    for one in (plain, crawl):  # other tests have crawls that do not know what was uploaded
        assert shop.client.delete(f"/crawls/{one['id']}").status == 200
    assert shop.client.delete(f"/projects/{shop.project}/url-data/more").status == 200


def in_order(html: str) -> list[str]:
    """Checks of the findings table, as listed."""
    return re.findall(r'<li [^>]*id="([\w-]+)"[^>]*data-', html)


def test_findings_of_equal_harm_are_ordered_by_clicks_and_the_score_stays(shop: Shop) -> None:
    live = shop.live
    live.analyser.pages["cake.example"] = page(body='<main><h1>Cakes</h1><a href="/one">One</a><iframe src="/frame"></iframe></main>')
    live.analyser.pages["www.cake.example"] = page(body='<h1>Cakes</h1><a href="/one">One</a>')
    email = live.email()
    client, browser = live.client(email=email), live.signed_in(email)
    for url in ("https://cake.example/one", "https://www.cake.example/two"):
        assert client.post("/reports", {"url": url}, None, wait=60).status == 201
    shown, project = browser.get("/projects/cake.example/findings").text, client.get("/projects/cake.example").json
    before = in_order(shown)
    assert before.index("iframe-title") == before.index("main-landmark") + 1
    assert "on pages with" not in shown
    assert client.post("/projects/cake.example/url-data", {"csv": "url,clicks\nhttps://cake.example/one,1200\n"}).status == 201
    shown = browser.get("/projects/cake.example/findings").text
    after = in_order(shown)
    assert after.index("iframe-title") < after.index("main-landmark")
    assert after[:2] == before[:2]
    assert "on pages with 1,200 clicks" in shown
    assert client.get("/projects/cake.example").json == project
    share = re.search(r'href="(/p/[\w-]+)"', browser.get("/projects/cake.example/share").text)
    assert share
    assert client.post("/reports", {"url": "https://cake.example/one", "privacy": 0}, None, wait=60).status == 201
    assert browser.post(f"{share.group(1)}/privacy", {"privacy": "0"}, SAME).status == 303
    assert "on pages with" not in client.guest().get(share.group(1)).text


@pytest.mark.full
@needs_chromium
def test_a_viewer_of_one_project_sees_it_only_and_no_form(shop: Shop, window: Open) -> None:
    live = shop.live
    email = live.email()
    client, owner = live.client(email=email), live.signed_in(email)
    for host in ("mine.example", "secret.example"):
        assert client.post("/reports", {"url": f"https://{host}/"}, None, wait=60).status == 201
    assert client.post("/schedules", {"project": "mine.example"}).status == 201
    made = owner.post("/projects/mine.example/people", {"email": "", "role": "viewer"}, SAME)
    token = made.text.partition("/invitation/")[2].partition('"')[0]
    origin = f"http://127.0.0.1:{live.port}"
    page = window(width=PHONE_PX, origin=origin)
    page.goto(f"{origin}/invitation/{token}")
    page.fill("#name", "Vera")
    page.fill("#email", "vera@example.com")
    page.fill("#password", "correct horse battery")
    page.get_by_role("button", name="Join").click()
    page.wait_for_url(f"{origin}/")
    page.goto(f"{origin}/projects")
    assert "mine.example" in page.locator("main").inner_text()
    assert "secret.example" not in page.content()
    assert page.goto(f"{origin}/projects/secret.example").status == 404  # type: ignore[union-attr]  # a response came
    for path in ("", "/watching", "/crawls", "/data"):
        shown = page.goto(f"{origin}/projects/mine.example{path}")
        assert shown is not None
        assert shown.status == 200, path
        forms = page.locator("main form[method=post]")
        assert [form.get_attribute("action") for form in forms.all()] == ["/projects/mine.example/data/compare"] * (path == "/data"), path
        assert not scrolls_sideways(page), path
        assert not faults(page), path
    page.goto(f"{origin}/projects/mine.example/reports")
    page.get_by_label("Part of the URL").press("Enter")
    page.locator(".reports a").first.click()
    page.wait_for_url(f"{origin}/r/*")
    assert page.locator("main form[method=post]").count() == 0


@pytest.mark.full
@needs_chromium
def test_filters_of_pages_are_set_and_saved_by_keyboard(shop: Shop, window: Open) -> None:
    origin = f"http://127.0.0.1:{shop.live.port}"
    page = window(cookies=shop.browser.cookies, origin=origin)
    page.goto(f"{origin}/s/{shop.crawl['public_id']}/pages")
    page.get_by_text("More filters").focus()
    page.keyboard.press("Enter")
    page.locator("#f-status").focus()
    page.keyboard.type("400..499")
    page.keyboard.press("Enter")
    page.wait_for_url("**/pages?*status=400..499*")
    page.get_by_text("Save these filters").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("Broken pages")
    page.keyboard.press("Enter")
    chip = page.get_by_role("navigation", name="Saved views").get_by_role("link", name="Broken pages")
    chip.wait_for()
    assert chip.get_attribute("aria-current") == "true"
    assert not faults(page)
    page.goto(f"{origin}/s/{shop.crawl['public_id']}/pages")
    chip.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/pages?*status=400..499*")
    assert page.locator("table.crawled-pages tbody tr").count() == 1


def test_a_table_of_another_crawler_is_compared_on_the_page(shop: Shop) -> None:
    table = f"Address,Status Code,Indexability,Title 1\n{shop.site.url('/')},200,Indexable,<b>Old</b>\n"
    path = f"/projects/{shop.project}/data"
    shown = shop.browser.post(f"{path}/compare", {"table": table}, SAME)
    wrong = shop.browser.post(f"{path}/compare", {"table": "a,b\n1,2\n"}, SAME)

    assert shown.status == 200, shown.text
    assert "&lt;b&gt;Old&lt;/b&gt;" in shown.text
    assert "Screaming Frog · 1 URL" in shown.text
    assert "different title" in shown.text
    assert (wrong.status, "neither the columns" in wrong.text) == (422, True)
