"""Requests of verified bots as columns and filters of pages, and as the order of findings of equal harm."""

import base64
import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest

from findable.artifacts.tables.bot_ranges import Verification
from findable.capture.hit_statuses import HitStatus
from findable.clock import now
from findable.crawl.hit_document import HitGroup, encode_groups
from findable.errors import require_found
from findable.service.crawls import site_hits
from findable.service.crawls.crawl_views import crawl_view
from findable.service.crawls.uploaded_metrics import by_weight, weights_of
from tests.checks.harness import page
from tests.conftest import new_database
from tests.crawl_sites import html, make_shop
from tests.sites.server import Site
from tests.web.live import Client, Live, run_live
from tests.web.test_project_data import in_order
from tests.worked_crawls import work_crawl

V, F, U = Verification.VERIFIED, Verification.FAKE, Verification.UNVERIFIED


@pytest.fixture(scope="module", params=["sqlite", pytest.param("postgresql", marks=pytest.mark.full)])
def live(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    folder = tmp_path_factory.mktemp("service")
    with (
        new_database(request, folder) as url,
        contextmanager(run_live)(folder, database_url=url, secret_key="k" * 40, allow_targets=("127.0.0.1",)) as running,
    ):
        yield running


def send(client: Client, project: str, rows: list[tuple[str, str, Verification, int]], *, days_ago: int = 1, head: str = "a") -> None:
    """Imports a log with (URL, bot, verification, requests) on one day."""
    at = now() - timedelta(days=days_ago)
    groups = [HitGroup(at.date(), bot, verification, [(url, HitStatus.OK, count)]) for url, bot, verification, count in rows]
    sent: dict[str, Any] = {
        "source": head,
        "format": "combined",
        "head_hash": head * 32,
        "head_bytes": 9,
        "offset": 9,
        "tail_hash": "c" * 32,
    }
    seconds = int(at.timestamp())
    sent |= {"first_at": seconds, "last_at": seconds, "lines": 99, "days": at.date().isoformat()}
    reply = client.post(f"/projects/{project}/log-imports", {**sent, "hits": base64.b64encode(encode_groups(groups)).decode()})
    assert reply.status == 201, reply.text


def test_hits_are_columns_filters_and_an_order_of_pages_and_guests_see_none(live: Live) -> None:
    site = Site().start()
    try:
        make_shop(site, products=3)
        email = live.email()
        client, browser = live.client(email=email), live.signed_in(email)
        crawl = client.post("/crawls", {"url": site.url("/"), "privacy": 0}).json["data"]
        work_crawl(live.service)
        path = f"/crawls/{crawl['id']}/pages"
        assert all(not row["data"] for row in client.get(path).json["data"])
        send(
            client,
            crawl["project"],
            [
                ("/", "Googlebot", V, 54),
                ("/", "GPTBot", V, 7),
                ("/about", "OAI-SearchBot", V, 3),
                ("/about", "Googlebot", F, 900),
                ("/imprint", "SemrushBot", U, 800),
                ("/not-in-the-crawl", "Googlebot", V, 77),
            ],
        )
        rows = {row["url"].removeprefix(site.url("")): row["data"] for row in client.get(path, None, per_page=50).json["data"]}
        day = (now() - timedelta(days=1)).date().isoformat()
        days = {"bot_first": day, "bot_last": day}
        assert rows["/"] == {"bot_hits": 54.0, "google_hits": 54.0, "ai_hits": 7.0, **days}
        assert rows["/about"] == {"bot_hits": 3.0, "google_hits": 0.0, "ai_hits": 3.0, **days}
        assert rows["/imprint"] == {"bot_hits": 0.0, "google_hits": 0.0, "ai_hits": 0.0}
        busy = client.get(path, None, data="bot_hits:1..", sort_by="data", sort="desc").json["data"]
        assert [row["data"]["bot_hits"] for row in busy] == [54, 3]
        never = client.get(path, None, data="google_hits:0", sort_by="data", per_page=50).json["data"]
        assert {row["url"].removeprefix(site.url("")) for row in never} == rows.keys() - {"/"}
        assert len(client.get(path, None, data=f"bot_last:{day}..").json["data"]) == 2
        assert not client.get(path, None, data=f"bot_last:..{now().date() - timedelta(days=2)}").json["data"]
        assert client.get(path, None, data="bot_last:2026-02-31..").status == 422
        shared = f"/s/{crawl['public_id']}/pages"
        shown = browser.get(shared).text
        assert "Last search bot request" in shown
        assert "Never requested by Googlebot" in shown
        assert "Search bot requests" not in client.guest().get(shared).text
        assert client.post(f"/projects/{crawl['project']}/url-data", {"csv": "url,clicks\n/about,5\n"}).status == 201
        both = {row["url"]: row["data"] for row in client.get(path, None, per_page=50).json["data"]}[site.url("/about")]
        assert both == {"clicks": 5.0, **rows["/about"]}
        assert "not-in-the-crawl" not in browser.get(f"/projects/{crawl['project']}/data").text
        for known in client.get(f"/projects/{crawl['project']}/log-imports").json["data"]:
            assert client.delete(f"/projects/{crawl['project']}/log-imports/{known['id']}").status == 200
        assert all("bot_hits" not in row["data"] for row in client.get(path).json["data"])
    finally:
        site.stop()


def test_a_page_lists_the_urls_by_which_bots_also_requested_it_and_guests_see_none(live: Live) -> None:
    site = Site().start()
    try:
        make_shop(site, products=2)
        site.page("/shop?sort=price", html("All products", "<p>Sorted</p>", head=f'<link rel="canonical" href="{site.url("/shop")}">'))
        site.page("/imprint", html("Imprint", '<p><a href="/shop?sort=price">Sorted</a></p>'))
        email = live.email()
        client, browser = live.client(email=email), live.signed_in(email)
        crawl = client.post("/crawls", {"url": site.url("/"), "privacy": 0}).json["data"]
        work_crawl(live.service)
        requested = [("/shop", 9), ("/shop/", 6), ("/shop?sort=price", 4), ("/about", 3)]
        send(client, crawl["project"], [(url, "Googlebot", V, hits) for url, hits in requested])
        pages = client.get(f"/crawls/{crawl['id']}/pages", None, per_page=50).json["data"]
        number = {row["url"].removeprefix(site.url("")): row["n"] for row in pages}
        shop = client.get(f"/crawls/{crawl['id']}/pages/{number['/shop']}").json["data"]
        assert (shop["data"]["bot_hits"], [(one["url"], one["hits_count"]) for one in shop["requested_as"]]) == (
            9,
            [(site.url("/shop/"), 6), (site.url("/shop?sort=price"), 4)],
        )
        assert client.get(f"/crawls/{crawl['id']}/pages/{number['/about']}").json["data"]["requested_as"] == []
        shown = f"/s/{crawl['public_id']}/pages/{number['/shop']}"
        assert "Also requested as" in browser.get(shown).text
        assert "equested" not in client.guest().get(shown).text
    finally:
        site.stop()


def test_requests_are_a_table_by_bot_in_files_and_questions_and_no_guest_gets_it(live: Live) -> None:
    site = Site().start()
    try:
        make_shop(site, products=2)
        email = live.email()
        client, browser = live.client(email=email), live.signed_in(email)
        crawl = client.post("/crawls", {"url": site.url("/"), "privacy": 0}).json["data"]
        work_crawl(live.service)
        for head, days_ago in (("a", 3), ("b", 1)):
            send(client, crawl["project"], [("/", "Googlebot", V, 5), ("/", "GPTBot", F, 2)], days_ago=days_ago, head=head)
        send(client, crawl["project"], [("/elsewhere", "Googlebot", V, 4)], days_ago=1, head="d")
        first, last = ((now() - timedelta(days=ago)).date().isoformat() for ago in (3, 1))
        export = f"/crawls/{crawl['id']}/export"
        table = client.get(export, None, table="bot-hits", format="ndjson").text
        rows = [json.loads(line) for line in table.splitlines()]
        assert [(row["bot"], row["verification"], row["hits"], row["ok"], row["first_day"], row["last_day"]) for row in rows] == [
            ("GPTBot", "fake", 4, 4, first, last),
            ("Googlebot", "verified", 10, 10, first, last),
            ("Googlebot", "verified", 4, 4, last, last),
        ]
        assert [row["n"] for row in rows] == [1, 1, None]
        pages = client.get(export, None, table="pages", format="csv").text
        assert f',"{first}","{last}"' in pages
        guest = client.guest().get(f"/s/{crawl['public_id']}/export", None, table="bot-hits", format="csv")
        assert "Googlebot" not in guest.text
        unknown = {"question": "requested-but-unknown"}
        for more in (0, 6):
            if more:
                send(client, crawl["project"], [("/elsewhere", "Googlebot", V, more)], days_ago=1, head="e")
            answer = client.post(f"/crawls/{crawl['id']}/query", unknown).json["data"]
            assert answer["rows"] == [[site.url("/elsewhere"), 4 + more, 4 + more, last]]
        assert browser.get(f"/s/{crawl['public_id']}/pages?indexable=1&data=google_hits:0").text.count("aria-current") >= 1
    finally:
        site.stop()


def test_chains_of_redirects_weigh_the_requests_of_all_their_redirecting_urls(live: Live) -> None:
    site = Site().start()
    try:
        make_shop(site, products=2)
        for name in ("a", "b"):
            site.redirect(f"/{name}", f"/{name}2", 301)
            site.redirect(f"/{name}2", "/about", 301)
        site.page("/imprint", html("Imprint", '<p><a href="/a">A</a> <a href="/b">B</a></p>'))
        client = live.client()
        crawl = client.post("/crawls", {"url": site.url("/"), "privacy": 1}).json["data"]
        work_crawl(live.service)
        with live.service.store.read() as session:
            view = crawl_view(require_found(session.crawls.by_id(crawl["id"])), live.service.crawl_events)

        def chains() -> list[tuple[str, float]]:
            report = require_found(site_hits.report(live.service, view))
            found = [one for one in report.open if one.id == "site-redirect-chains"]
            weights = weights_of(live.service, view, found)
            ordered = by_weight(found, weights, lambda one: one.key, lambda one: one.verdict)
            return [(one.cause.key.removeprefix(site.url("")), weights.totals[one.key] if weights else 0) for one in ordered]

        assert sorted(chains()) == [("/a", 0), ("/b", 0)]
        send(
            client,
            crawl["project"],
            [("/a", "Googlebot", V, 50), ("/b", "Googlebot", V, 20), ("/b2", "Bingbot", V, 60), ("/about", "Googlebot", V, 900)],
        )
        assert chains() == [("/b", 80), ("/a", 50)]
    finally:
        site.stop()


def test_logs_of_another_time_say_nothing_about_a_crawl(live: Live) -> None:
    site = Site().start()
    try:
        make_shop(site, products=2)
        client = live.client()
        crawl = client.post("/crawls", {"url": site.url("/"), "privacy": 1}).json["data"]
        work_crawl(live.service)
        send(client, crawl["project"], [("/", "Googlebot", V, 54)], days_ago=60)
        assert all(not row["data"] for row in client.get(f"/crawls/{crawl['id']}/pages").json["data"])
    finally:
        site.stop()


def test_findings_of_equal_harm_are_ordered_by_requests_and_the_score_stays(live: Live) -> None:
    live.analyser.pages["pie.example"] = page(body='<main><h1>Pies</h1><a href="/one">One</a><iframe src="/frame"></iframe></main>')
    live.analyser.pages["www.pie.example"] = page(body='<h1>Pies</h1><a href="/one">One</a>')
    email = live.email()
    client, browser = live.client(email=email), live.signed_in(email)
    for url in ("https://pie.example/one", "https://www.pie.example/two"):
        assert client.post("/reports", {"url": url}, None, wait=60).status == 201
    before, project = in_order(browser.get("/projects/pie.example/findings").text), client.get("/projects/pie.example").json
    assert before.index("iframe-title") == before.index("main-landmark") + 1
    send(client, "pie.example", [("https://pie.example/one", "Googlebot", V, 312)])
    shown = browser.get("/projects/pie.example/findings").text
    after = in_order(shown)
    assert after.index("iframe-title") < after.index("main-landmark")
    assert "on pages with 312 requests of search bots in 30 days" in shown
    assert client.get("/projects/pie.example").json == project
