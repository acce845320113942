"""GET /crawls/{id}/pages, /findings, /links and /export, and POST /crawls/{id}/pages/{n}/report."""

import csv
import io
import json
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

from findable.crawl.state import Phase
from findable.crawl.tables import CrawlTable
from findable.service.values.caller import READ
from findable.web.api.crawl_list_models import ExportQuery
from tests.conftest import new_database
from tests.crawl_sites import html, make_shop, text
from tests.sites.plugin import make_site
from tests.sites.server import Site
from tests.web.live import Client, Live, run_live
from tests.worked_crawls import judge_crawl_again, work_crawl

__all__ = ["make_site"]

PRODUCT = "/product/oak-brass-0"


class Shop:
    """The crawl of a shop, its owner and the owner's client."""

    def __init__(self, live: Live, site: Site) -> None:
        self.live = live
        self.site = site
        self.email = live.email()
        self.client = live.client(email=self.email)
        made = self.client.post("/projects", {"project": site.url("/")}).json["data"]
        changed = self.client.put(f"/projects/{made['id']}", {"segments[Products]": "/product/*"})
        assert changed.json["data"]["segments"] == {"Products": ["/product/*"]}
        reply = self.client.post("/crawls", {"url": site.url("/"), "privacy": 1})
        assert reply.status == 202, reply.body
        self.id = work_crawl(live.service)
        assert self.id == reply.json["data"]["id"]

    def get(self, path: str, **query: Any) -> Any:
        reply = self.client.get(f"/crawls/{self.id}{path}", **query)
        assert reply.status == 200, reply.body
        return reply.json

    def wrong(self, path: str, **query: Any) -> Any:
        reply = self.client.get(f"/crawls/{self.id}{path}", **query)
        assert reply.status == 422, reply.body
        return reply.json["errors"]

    def file(self, table: str, **query: Any) -> list[dict[str, str]]:
        reply = self.client.get(f"/crawls/{self.id}/export", table=table, **query)
        assert (reply.status, reply.headers["Content-Type"].partition(";")[0]) == (200, "text/csv"), reply.body
        assert reply.body.startswith("\ufeff".encode())
        return list(csv.DictReader(io.StringIO(reply.body.decode("utf-8-sig"))))

    def number(self, path: str) -> int:
        found = self.get("/pages", search=path, per_page=100)["data"]
        return next(int(row["n"]) for row in found if row["url"] == self.site.url(path))


@pytest.fixture(scope="module", params=["sqlite", pytest.param("postgresql", marks=pytest.mark.full)])
def live(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """Both kinds: a crawl is a file on one, a schema on the other."""
    folder = tmp_path_factory.mktemp("service")
    with new_database(request, folder) as url:
        yield from run_live(folder, database_url=url, secret_key="k" * 40, allow_targets=("127.0.0.1",), rate_limit=100_000)


@pytest.fixture(scope="module")
def shop(live: Live) -> Iterator[Shop]:
    site = Site().start()
    try:
        make_shop(site)
        yield Shop(live, site)
    finally:
        site.stop()


def test_pages_are_filtered_sorted_and_followed_by_cursor(shop: Shop) -> None:
    first = shop.get("/pages", indexable=1, sort_by="inlinks", sort="desc", per_page=25)
    rows = first["data"]
    following = shop.client.get(first["links"]["next_cursor"].partition("/api/v1")[2]).json
    back = shop.client.get(following["links"]["prev_cursor"].partition("/api/v1")[2]).json

    assert [row["inlinks"] for row in rows] == sorted((row["inlinks"] for row in rows), reverse=True)
    assert {row["n"] for row in rows}.isdisjoint(row["n"] for row in following["data"])
    assert back["data"] == rows
    assert first["meta"]["total"] == len(rows) + len(following["data"])
    (gone,) = shop.get("/pages", status="400..499")["data"]
    assert (gone["url"], gone["status"], gone["indexable"], gone["reason"]) == (shop.site.url("/gone"), 404, False, "status")
    products = shop.get("/pages", check="meta-description", verdict="warned", segment="Products", fields="n,url,segment")
    assert products["meta"]["total"] == 40
    assert products["data"][0].keys() == {"n", "url", "segment"}
    assert shop.get("/pages", depth="99..")["data"] == []


@pytest.mark.parametrize("order", ["asc", "desc"])
def test_pages_in_the_order_of_their_urls_are_followed_by_cursor(shop: Shop, order: str) -> None:
    found, link = [], f"/crawls/{shop.id}/pages?sort_by=url&sort={order}&per_page=25"
    while link:
        reply = shop.client.get(link).json
        found += [row["url"] for row in reply["data"]]
        link = (reply["links"]["next_cursor"] or "").partition("/api/v1")[2]

    assert found == sorted((row["url"] for row in shop.get("/pages", per_page=100)["data"]), reverse=order == "desc")


def test_pages_of_a_running_crawl_are_filtered_and_sorted_by_what_is_known(shop: Shop) -> None:
    with closing(shop.live.service.crawl_home.open(shop.id, writable=True)) as store:
        settled = store.state()
        assert settled is not None
        store.save_state(replace(settled, phase=Phase.DISCOVER))
        try:
            products = shop.get("/pages", segment="Products", indexable=1, sort_by="score", sort="desc", per_page=100)
            warned = shop.get("/pages", check="meta-description", verdict="warned")["meta"]["total"]
            wrong = shop.wrong("/pages", inlinks="..1", template=1, sort_by="link_score")
        finally:
            store.save_state(settled)

    assert products["meta"]["total"] == len(products["data"]) == warned == 40
    assert [row["score"] for row in products["data"]] == sorted((row["score"] for row in products["data"]), reverse=True)
    assert wrong == {key: ["This is available after the crawl."] for key in ("inlinks", "template", "sort_by")}


def test_a_crawl_is_asked_in_sql(shop: Shop) -> None:
    path = f"/crawls/{shop.id}/query"
    sql = "SELECT count(*) AS pages, :word AS word FROM pages WHERE segment = 'Products' AND inlinks > :least"
    found = shop.client.post(path, {"sql": sql, "params[least]": "0", "params[word]": "x"})
    named = shop.client.post(path, {"question": "statuses"})

    assert (found.status, found.json["data"]) == (
        200,
        {"object": "answer", "columns": ["pages", "word"], "rows": [[40, "x"]], "is_cut": False},
    ), found.body
    assert sum(row[1] for row in named.json["data"]["rows"]) == shop.get("/pages")["meta"]["total"]
    for body, words in (
        ({"sql": "SELECT * FROM crawl_state"}, "no such table"),
        ({"sql": "SELECT colour FROM pages"}, "no such column: colour"),
        ({"sql": "DELETE FROM pages"}, "documented tables only"),
        ({"sql": "SELECT 1", "question": "statuses"}, "either the sql field or the question field"),
        ({}, "either the sql field or the question field"),
    ):
        reply = shop.client.post(path, body)
        assert (reply.status, words in reply.json["errors"]["sql"][0]) == (422, True), reply.body
    assert shop.client.post(path, {"question": "nothing"}).json["errors"].keys() == {"question"}
    assert shop.live.client(email=shop.live.email()).post(path, {"question": "statuses"}).status == 404


def test_a_wrong_filter_is_named(shop: Shop) -> None:
    assert shop.wrong("/pages", depth="deep", inlinks="1..x", verdict="bad", indexable="2").keys() == {
        "depth",
        "inlinks",
        "verdict",
        "indexable",
    }
    assert shop.wrong("/pages", words="many") == {"words": ["The words field must be a number, or a range like 5..20, ..50 or 20.."]}
    assert shop.wrong("/pages", cursor="nonsense").keys() == {"cursor"}
    assert shop.wrong("/pages", page=100_000, per_page=100).keys() == {"page"}
    assert "warnings" in shop.get("/pages", colour="red")["meta"]


def test_a_page_has_its_findings(shop: Shop) -> None:
    number = shop.number(PRODUCT)
    page = shop.get(f"/pages/{number}")["data"]

    assert page["n"] == number
    assert sorted(finding["id"] for finding in page["findings"]) == sorted(page["verdicts"]["failed"] + page["verdicts"]["warned"])
    assert all(finding["docs"].startswith(shop.live.service.settings.base_url) for finding in page["findings"])
    assert {finding["verify"] for finding in page["findings"]} == {f"POST /crawls/{shop.id}/pages/{page['n']}/report"}
    assert all(code["after"] for finding in page["findings"] for code in finding.get("fix", ()) if code["place"] == "head")
    assert any("fix" in finding for finding in page["findings"])
    links = shop.get("/links", **{"from": number, "per_page": 100})["data"]
    assert page["outlink_places"] == Counter(link["landmark"] for link in links)
    incoming = shop.get("/links", to=number, per_page=100)["data"]
    assert page["inlink_places"] == Counter(where for where, _ in {(link["landmark"], link["source"]) for link in incoming})
    assert shop.client.get(f"/crawls/{shop.id}/pages/999999").status == 404


def test_findings_come_with_their_pages(shop: Shop) -> None:
    listed = shop.get("/findings", per_page=100)
    findings = {finding["id"]: finding for finding in listed["data"]}
    broken = findings["site-links-broken"]
    assert {finding["verify"] for finding in listed["data"]} == {"POST /crawls"}
    pages = shop.get(f"/findings/{quote(broken['key'], safe='')}", per_page=100)

    assert listed["meta"]["total"] == len(listed["data"])
    assert pages["meta"]["total"] == broken["pages_count"] == 46
    assert "warnings" not in pages["meta"]
    of_products = shop.get("/findings", segment="Products", per_page=100)["data"]
    assert "site-orphans" in findings
    assert "site-orphans" not in {finding["id"] for finding in of_products}
    walked, link = [], f"/crawls/{shop.id}/findings"
    while link:
        reply = shop.client.get(link).json
        walked += reply["data"]
        link = (reply["links"]["next_cursor"] or "").partition("/api/v1")[2]
    assert walked == listed["data"]
    assert shop.client.get(f"/crawls/{shop.id}/findings/none").status == 404


def test_notes_are_findings_that_are_listed_on_request(live: Live, make_site: Callable[..., Site]) -> None:
    site, client = make_site(), live.client()
    site.page("/robots.txt", "User-agent: *\nDisallow: /cart\n", content_type="text/plain")
    site.page("/", html("Start", '<p><a href="/cart">The cart</a> <a href="/a">A page</a></p>', description="The start."))
    site.page("/a", html("Page", f"<p>{text('a')}</p>"))
    crawl = client.post("/crawls", {"url": site.url("/")}).json["data"]["id"]
    assert work_crawl(live.service) == crawl

    def listed(**query: Any) -> Any:
        return client.get(f"/crawls/{crawl}/findings", per_page=100, **query).json["data"]

    (note,) = listed(verdict="info")
    pages = client.get(f"/crawls/{crawl}/findings/{quote(note['key'], safe='')}").json

    assert (note["id"], note["verdict"]) == ("site-robots-linked", "info")
    assert [row["url"] for row in pages["data"]] == [site.url("/")]
    assert listed(verdict="warned") == [item for item in listed() if item["verdict"] == "warned"] != []
    assert note["key"] not in {item["key"] for item in listed()}
    assert client.get(f"/crawls/{crawl}/findings", verdict="passed").json["errors"].keys() == {"verdict"}


def test_a_page_row_tells_what_the_site_answers_for_all_pages(shop: Shop) -> None:
    page = shop.get(f"/pages/{shop.number('/sitemap-only')}")["data"]

    assert page["covered_by"]["orphan-page"] == ["site-orphans"]
    assert set(page["covered_by"]) <= {*page["verdicts"]["failed"], *page["verdicts"]["warned"]}


def test_links_are_read_both_ways(shop: Shop) -> None:
    gone = shop.site.url("/gone")
    to = shop.get("/links", to=gone, per_page=25)
    rest = shop.client.get(to["links"]["next"].partition("/api/v1")[2]).json
    of_page = shop.get("/links", **{"from": shop.number(PRODUCT), "per_page": 100})["data"]

    sources = [row["source"] for row in (*to["data"], *rest["data"])]
    assert (len(sources), len(set(sources)), rest["links"]["next"]) == (46, 46, None)
    assert {row["target_status"] for row in to["data"]} == {404}
    assert gone in {row["target_url"] for row in of_page}
    assert {row["source_url"] for row in of_page} == {shop.site.url(PRODUCT)}
    assert shop.wrong("/links").keys() == {"to"}
    assert shop.wrong("/links", to="1", **{"from": "2"}).keys() == {"to"}
    assert shop.client.get(f"/crawls/{shop.id}/links", to="https://elsewhere.example/").status == 404


def test_tables_are_exported_with_the_filter_of_the_list(shop: Shop) -> None:
    assert len(shop.file("pages", folder="/product/")) == 40
    assert {row["url"] for row in shop.file("pages", status="404")} == {shop.site.url("/gone")}
    assert len(shop.file("broken-links")) == 46
    (redirect,) = shop.file("redirects")
    assert (redirect["url"], redirect["end_url"], redirect["end_status"]) == (shop.site.url("/old-shop"), shop.site.url("/shop"), "200")
    assert {row["url"] for row in shop.file("orphans")} == {shop.site.url("/sitemap-only")}
    assert len(shop.file("sitemaps")) == 3
    assert {row["check_id"] for row in shop.file("findings")} == {row["id"] for row in shop.get("/findings", per_page=100)["data"]}
    assert {row["source_url"] for row in shop.file("links", search=PRODUCT, depth="2")} <= {
        row["url"] for row in shop.file("pages", search=PRODUCT)
    }
    for table in ("canonicals", "hreflang", "external", "duplicates"):
        shop.file(table)
    assert shop.wrong("/export", table="orphans", depth="1").keys() == {"table"}
    assert shop.wrong("/export", table="shoes").keys() == {"table"}


def test_ndjson_has_the_rows_of_the_list_and_a_sitemap_the_indexable_pages(shop: Shop) -> None:
    lines = shop.client.get(f"/crawls/{shop.id}/export", format="ndjson", status="404")
    (line,) = map(json.loads, lines.text.splitlines())
    (row,) = shop.get("/pages", status="404")["data"]
    assert {name: value or None for name, value in row.items() if name in line} == {
        name: line[name] or None for name in row if name in line
    }
    assert (line["crawl"], line["crawled_at"][:2], line["failed"]) == (str(shop.id), "20", row["verdicts"]["failed"])
    sitemap = shop.client.get(f"/crawls/{shop.id}/export", table="sitemap-xml", folder="/product/")
    tree = ET.fromstring(sitemap.body)
    assert sitemap.headers["Content-Type"].startswith("application/xml")
    assert len(tree) == 40
    assert ExportQuery().table.value == "pages"


def test_all_tables_are_one_file(shop: Shop) -> None:
    book = shop.client.get(f"/crawls/{shop.id}/tables")
    archive = shop.client.get(f"/crawls/{shop.id}/tables", format="csv")
    parquet = shop.client.get(f"/crawls/{shop.id}/export", table="links", format="parquet")
    with zipfile.ZipFile(io.BytesIO(archive.body)) as files:
        names = set(files.namelist())
        about = list(csv.DictReader(io.StringIO(files.read("about.csv").decode("utf-8-sig"))))
        pages = files.read("pages.csv").decode("utf-8-sig").count("\n") - 1
    calamine = pytest.importorskip("python_calamine", reason="python-calamine is a test dependency")
    sheets = calamine.CalamineWorkbook.from_filelike(io.BytesIO(book.body)).sheet_names

    assert book.headers["Content-Disposition"] == f'attachment; filename="crawl-{shop.id}-tables.xlsx"'
    assert archive.headers["Content-Disposition"] == f'attachment; filename="crawl-{shop.id}-tables.csv.zip"'
    assert archive.headers["Content-Type"] == "application/zip"
    assert names == {f"{table.value}.csv" for table in CrawlTable if table is not CrawlTable.SITEMAP_XML} | {"about.csv"}
    assert {f"{sheet}.csv" for sheet in sheets} == names
    assert {row["name"]: row["rows"] for row in about}["pages"] == str(pages)
    assert (parquet.body[:4], parquet.body[-4:]) == (b"PAR1", b"PAR1")
    assert shop.wrong("/tables", format="pdf").keys() == {"format"}


def test_a_page_becomes_a_full_report(shop: Shop) -> None:
    reply = shop.client.post(f"/crawls/{shop.id}/pages/{shop.number(PRODUCT)}/report", headers={"Idempotency-Key": "once"})
    again = shop.client.post(f"/crawls/{shop.id}/pages/{shop.number(PRODUCT)}/report", headers={"Idempotency-Key": "once"})

    assert reply.status == 201, reply.body
    assert (reply.json["data"]["url"], reply.json["data"]["privacy"]) == (shop.site.url(PRODUCT), 1)
    assert again.json == reply.json
    assert again.headers["Idempotent-Replayed"] == "true"


@pytest.mark.parametrize("path", ["/pages", "/pages/1", "/findings", "/findings/x", "/links?to=1", "/export", "/tables", "/pages/1/report"])
def test_others_do_not_learn_that_the_crawl_exists(shop: Shop, path: str) -> None:
    method = "POST" if path.endswith("report") else "GET"
    stranger, missing = shop.live.client(), shop.client
    replies = [stranger.request(method, f"/crawls/{shop.id}{path}"), missing.request(method, f"/crawls/999{path}")]

    assert [reply.status for reply in replies] == [404, 404]
    assert Client(shop.live.port).request(method, f"/crawls/{shop.id}{path}").status == 401
    if method == "POST":
        assert shop.live.client(scopes=frozenset({READ}), email=shop.email).post(f"/crawls/{shop.id}{path}").status == 403


def test_segments_are_parts_of_the_project_by_name(shop: Shop) -> None:
    client = shop.live.client()
    client.post("/projects", {"project": "parts.example"})

    def sent(segments: object) -> Any:
        return client.put("/projects/parts.example", json.dumps({"segments": segments}), {"Content-Type": "application/json"}).json

    assert sent({" Blog ": "/blog/*  /news/* /blog/*"})["data"]["segments"] == {"Blog": ["/blog/*", "/news/*"]}
    for wrong in ({"": "/a"}, {"Blog": ""}, {"Blog": "blog"}, {"x" * 81: "/a"}, {str(n): "/a" for n in range(51)}):
        assert sent(wrong)["errors"].keys() == {"segments"}, wrong
    assert client.get("/projects/parts.example").json["data"]["segments"] == {"Blog": ["/blog/*", "/news/*"]}
    assert sent({})["data"]["segments"] == {}


def test_extractors_are_rules_of_the_project_by_name(shop: Shop) -> None:
    client = shop.live.client()
    client.post("/projects", {"project": "columns.example"})

    def sent(extractors: object) -> Any:
        return client.put("/projects/columns.example", json.dumps({"extractors": extractors}), {"Content-Type": "application/json"}).json

    rules = {"Heading": "h1", "Tags": "all: .tag", "Author": "meta[name=author]@content"}
    assert sent({" Heading ": " h1 ", "Tags": rules["Tags"], "Author": rules["Author"]})["data"]["extractors"] == rules
    for wrong in ({"": "h1"}, {"a=b": "h1"}, {"It": ""}, {"It": "a:has(b)"}, {"It": "p["}, {str(n): "h1" for n in range(21)}):
        assert sent(wrong)["errors"].keys() == {"extractors"}, wrong
    form = client.put("/projects/columns.example", {"extractors[Images]": "count: img"})
    assert form.json["data"]["extractors"] == {"Images": "count: img"}
    assert sent({})["data"]["extractors"] == {}


def test_a_crawl_is_judged_again_with_the_extractors_of_its_project(shop: Shop) -> None:
    client, requests_count = shop.client, len(shop.site.requests)
    before = shop.get("")["data"]
    assert shop.wrong("/pages", has="Heading").keys() == {"has"}
    project = before["project"]
    rules = {"Heading": "h1", "Lamps": "contains: lamp", "Nothing": ".nothing"}
    client.put(f"/projects/{quote(project, safe='')}", {f"extractors[{name}]": rule for name, rule in rules.items()})
    reply = client.post(f"/crawls/{shop.id}/judge")
    assert (reply.status, reply.json["data"]["status"]) == (202, "settling")
    assert reply.json["data"]["score"] == before["score"]
    assert shop.get("/findings")["meta"]["total"] > 3
    assert client.post(f"/crawls/{shop.id}/judge").status == 409
    judge_crawl_again(shop.live.service)

    after = shop.get("")["data"]
    same = ("status", "score", "findings", "counts", "finished_at", "ended_by", "previous")
    assert {name: after[name] for name in same} == {name: before[name] for name in same}
    assert after["settings"]["extractors"] == rules
    assert len(shop.site.requests) == requests_count
    row = shop.get(f"/pages/{shop.number('/about')}")["data"]
    assert row["extracted"]["Heading"] == {"count": 1, "values": ["About us"]}
    pages = shop.get("/pages", status=200)["meta"]["total"]
    with_lamps, without = (shop.get("/pages", **{name: "Lamps"})["meta"]["total"] for name in ("has", "lacks"))
    assert (with_lamps + without, with_lamps > 0) == (pages, True)
    assert shop.get("/pages", has="Heading", value="ABOUT")["meta"]["total"] == 1
    assert shop.get("/pages", lacks="Nothing", segment="Products")["meta"]["total"] == 40
    assert shop.wrong("/pages", has="Price").keys() == {"has"}
    assert shop.wrong("/pages", value="x").keys() == {"value"}
    lines = {line["url"]: line for line in shop.file("pages", has="Heading")}
    assert lines[shop.site.url("/about")]["Heading"] == "About us"
    assert {line["Nothing"] for line in lines.values()} == {""}
