"""Page with the requests of bots of a project, its section for guests, and their part of the site report."""

import base64
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime, timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from findable.artifacts.tables.bot_ranges import Verification
from findable.capture.hit_statuses import HitStatus
from findable.capture.site_hits import LogCoverage
from findable.clock import now
from findable.crawl.hit_document import HitGroup, encode_groups
from findable.service.projects.bot_hits import BotHits
from findable.service.projects.bot_overview import BotOverview
from findable.web.pages.project.bot_sections import bot_sections
from findable.wording import ENGLISH
from tests.checks.harness import page
from tests.checks.site.test_hits import CALM
from tests.conftest import new_database
from tests.crawl_sites import make_shop
from tests.sites.server import Site
from tests.web.live import Client, Live, run_live
from tests.web.test_mcp import display_name, text_of
from tests.worked_crawls import work_crawl

V, F, U = Verification.VERIFIED, Verification.FAKE, Verification.UNVERIFIED
OK, MOVED, MISSING, BROKEN = HitStatus.OK, HitStatus.REDIRECT, HitStatus.MISSING, HitStatus.SERVER_ERROR
Rows = list[tuple[str, HitStatus, str, Verification, int]]
DAYS = 30
SAME = {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture(scope="module", params=["sqlite", pytest.param("postgresql", marks=pytest.mark.full)])
def live(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    folder = tmp_path_factory.mktemp("service")
    with (
        new_database(request, folder) as url,
        contextmanager(run_live)(folder, database_url=url, secret_key="k" * 40, allow_targets=("127.0.0.1",)) as running,
    ):
        yield running


def send(client: Client, project: str, rows: Rows, until: datetime | None = None) -> None:
    """Imports a log of 30 days in which each (URL, status, bot, verification, requests) is on each day."""
    days = [(until or now()) - timedelta(days=past) for past in range(DAYS, 0, -1)]
    groups = [
        HitGroup(day.date(), bot, verification, [(url, status, count)]) for day in days for url, status, bot, verification, count in rows
    ]
    sent: dict[str, Any] = {"source": "web1", "format": "combined", "head_hash": "a" * 32, "head_bytes": 9, "offset": 9, "lines": 9999}
    sent |= {"tail_hash": "c" * 32, "first_at": int(days[0].timestamp()), "last_at": int(days[-1].timestamp())}
    sent |= {"days": "\n".join(day.date().isoformat() for day in days), "hits": base64.b64encode(encode_groups(groups)).decode()}
    assert client.post(f"/projects/{project}/log-imports", sent).status == 201


PLANTED: Rows = [
    ("/", OK, "Googlebot", V, 5),
    ("/shop", OK, "Bingbot", V, 1),
    ("/old-shop", MOVED, "Googlebot", V, 2),
    ("/gone", MISSING, "Googlebot", V, 3),
    ("/forgotten", OK, "Googlebot", V, 1),
    ("/search?q=oak&page=2", OK, "Googlebot", V, 1),
    ("/shop", BROKEN, "Googlebot", V, 1),
    ("/", OK, "Googlebot", F, 40),
    ("/", OK, "SemrushBot", U, 7),
]


def table_in(text: str, table: str) -> list[list[str]]:
    """The rows of a table of the page."""
    part = text[text.index(f'aria-labelledby="{table}"') :]
    rows = re.findall(r"<tr>(<th scope=\"row\">.*?)</tr>", part[: part.index("</table>")], re.DOTALL)
    return [[re.sub(r"<[^>]+>", "", cell).strip() for cell in re.findall(r"<t[hd].*?</t[hd]>", row, re.DOTALL)] for row in rows]


def words_of(document: bytes) -> str:
    """The text of a PDF."""
    return subprocess.run(["pdftotext", "-layout", "-", "-"], input=document, capture_output=True, check=True).stdout.decode()


def test_days_without_a_log_are_grey_and_days_without_a_request_are_zero() -> None:
    first = date(2026, 11, 1)
    missing = (first + timedelta(days=2), first + timedelta(days=3))
    hits = replace(CALM, coverage=LogCoverage(first, first + timedelta(days=5), 4, ("web1",), 9, 0, missing))
    days = tuple(BotHits(day=first + timedelta(days=past), bot="Googlebot", verification=V, hits=8, statuses={}) for past in (0, 5))
    shown = bot_sections(BotOverview(crawl_id=None, crawl_public_id=None, has_picture=False, hits=hits, days=days), ENGLISH)
    assert shown is not None
    assert shown.plot is not None
    assert shown.plot.gaps == ((64.0, 192.0),)
    assert "grey" in shown.plot.note
    assert [dot.value for dot in shown.plot.lines[0].dots] == [8, 0, 0, 8]


def test_new_pages_are_shown_with_their_first_request(live: Live) -> None:
    site = Site().start()
    try:

        def serve(*names: str) -> None:
            links = "".join(f'<a href="/{name}">{name}</a>' for name in names)
            for name in ("", *names):
                site.page(f"/{name}", page(body=f"<p>Page {name}</p>{links}"))

        email = live.email()
        client, browser = live.client(email=email), live.signed_in(email)
        for names in (("a", "b"), ("a", "b", "soon", "late")):
            serve(*names)
            crawl = client.post("/crawls", {"url": site.url("/")}).json["data"]
            work_crawl(live.service)
        rows: Rows = [("/", OK, "Googlebot", V, 1), ("/b/", OK, "Googlebot", V, 1), ("/soon", OK, "Googlebot", V, 2)]
        send(client, crawl["project"], rows, until=now() + timedelta(days=3))

        found = client.get(f"/projects/{crawl['project']}/bots").json["data"]["hits"]
        assert [one["url"] for one in found["never"]["items"]] == [site.url("/a"), site.url("/late")]
        assert [one["url"] for one in found["variants"]["items"]] == [site.url("/b/")]
        assert found["unlinked"]["urls_count"] == 0
        new = found["new_pages"]
        assert (new["pages_count"], new["requested_count"], new["median_days"], new["most_days"]) == (2, 1, 0, None)
        assert [one["url"] for one in new["items"]] == [site.url("/late"), site.url("/soon")]
        text = browser.get(f"/projects/{crawl['project']}/bots").text
        assert "2 new pages, 1 requested by search bots, half within 1 day." in text
        assert "none yet after 2 days" in text
    finally:
        site.stop()


def test_the_page_says_who_requests_what_and_guests_see_it_if_the_owner_wants(live: Live) -> None:
    site = Site().start()
    try:
        make_shop(site, products=30)
        email = live.email()
        client, browser, other = live.client(email=email), live.signed_in(email), live.signed_in(live.email())
        crawl = client.post("/crawls", {"url": site.url("/"), "privacy": 0}).json["data"]
        work_crawl(live.service)
        project, shared = crawl["project"], f"/s/{crawl['public_id']}"
        path = f"/projects/{project}/bots"
        empty = browser.get(path).text
        assert "--key-file KEY_FILE" in empty
        assert "Imported logs" not in empty
        before = client.get(f"/crawls/{crawl['id']}").json["data"]
        assert "picture=hits" not in browser.get(shared).text

        send(client, project, PLANTED)
        shown = browser.get(path)
        text = shown.text
        assert [row[:2] for row in table_in(text, "verified")] == [["Googlebot", "390"], ["Bingbot", "30"]]
        assert [row[:2] for row in table_in(text, "fake")] == [["Googlebot", "1,200"]]
        assert [row[:2] for row in table_in(text, "unverified")] == [["SemrushBot", "210"]]
        met = {row[0]: row[1:] for row in table_in(text, "met")}
        assert met["Redirects"] == ["60", "1"]
        assert met["Not found (404, 410)"] == ["90", "1"]
        assert met["Server errors (5xx)"] == ["30", "1"]
        assert met["Pages that the crawl did not find"] == ["60", "2"]
        assert {row[0] for row in table_in(text, "by-parameter")} == {"?q=", "?page="}
        assert "/forgotten" in text
        assert 'id="list-never"' in text
        assert other.get(path).status == 404
        assert f"{shared}?picture=hits#picture" in text
        assert "Crawl 2 pages that the crawl did not find" in text
        started = browser.post(f"{path}/crawl", None, SAME)
        assert (started.status, started.headers["location"][:3]) == (303, "/s/")
        work_crawl(live.service)
        found = client.get("/crawls", None, project=project).json["data"][0]
        assert client.get(f"/crawls/{found['id']}/pages", None, search="forgotten").json["data"][0]["status"] == 404

        told = client.get(f"/projects/{project}/bots").json["data"]
        assert (told["object"], told["crawl_id"], told["crawl_public_id"]) == ("bot_overview", crawl["id"], crawl["public_id"])
        named = {(one["bot"], one["verification"]): one["hits_count"] for one in told["hits"]["bots"]}
        assert named == {
            ("Googlebot", "verified"): 390,
            ("Bingbot", "verified"): 30,
            ("Googlebot", "fake"): 1200,
            ("SemrushBot", "unverified"): 210,
        }
        assert [told["hits"][name]["hits_count"] for name in ("redirects", "missing", "errors", "unlinked")] == [60, 90, 30, 60]
        assert sum(one["hits"] for one in told["days"]) == 390 + 30 + 1200 + 210
        answer = text_of(display_name(client, "bots", project=project))
        assert "Googlebot\tverified\t390\t" in answer
        assert "unlinked\t60\t2" in answer
        listed = text_of(display_name(client, "bots", project=project, list="missing"))
        assert f"{site.url('/gone')}\t90" in listed
        assert "must be one of" in text_of(display_name(client, "bots", project=project, list="lost"))
        assert "Verified bots" not in words_of(browser.get(f"{shared}/report.pdf").body)

        page = browser.get(f"{shared}?picture=hits").text
        assert {'data-state="daily"', 'data-state="never"'} <= set(re.findall(r'data-state="\w+"', page))
        assert 'data-state="never"' not in browser.get(shared).text
        report = browser.get(f"{shared}/report.json").json
        found = {one["id"]: one for one in report["findings"] if one["id"].startswith("site-hits")}
        assert set(found) == {"site-hits-not-found", "site-hits-server-errors"}
        assert client.get(f"/crawls/{crawl['id']}").json["data"]["score"] == before["score"]
        accepted = {"key": found["site-hits-not-found"]["key"], "reason": "The old shop is gone."}
        assert browser.post(f"{shared}/accepted", accepted, SAME).status == 303
        assert [one["id"] for one in browser.get(f"{shared}/report.json").json["accepted"]] == ["site-hits-not-found"]
        assert "The old shop is gone." in browser.get(shared).text
        assert browser.post(f"{shared}/accepted", {"key": accepted["key"], "withdraw": "1"}, SAME).status == 303

        guest = client.guest()
        assert "site-hits" not in guest.get(f"{shared}/report.json").text
        assert "picture=hits" not in guest.get(shared).text
        at = re.search(r"/p/[\w-]+", browser.get(f"/projects/{project}/share").text)
        assert at is not None
        assert "Verified bots" not in guest.get(at[0]).text
        chosen = {"sections[]": "bots", "summary": ""}
        for address in (shared, at[0]):
            assert browser.post(f"{address}/client", chosen, SAME).status == 303
        assert browser.post(f"{at[0]}/privacy", {"privacy": 0}, SAME).status == 303
        assert table_in(guest.get(at[0]).text, "verified")[0][:2] == ["Googlebot", "390"]
        assert "site-hits-not-found" in guest.get(f"{shared}/report.json").text
        for address in (shared, at[0]):
            words = words_of(guest.get(f"{address}/report.pdf").body)
            assert "Verified bots" in words
            assert re.search(r"Googlebot\s+390", words)
            assert "Where requests of search bots are lost" in words

        assert "Choose a day." in browser.post(f"{path}/forget", {"before": "soon"}, SAME).text
        day = now().date() - timedelta(days=10)
        left = [one["hits"] for one in client.get(f"/projects/{project}/bots").json["data"]["days"] if one["day"] >= day.isoformat()]
        assert browser.post(f"{path}/forget", {"before": day.isoformat()}, SAME).status == 303
        assert [one["hits"] for one in client.get(f"/projects/{project}/bots").json["data"]["days"]] == left
        log = client.get(f"/projects/{project}/log-imports").json["data"][0]["id"]
        assert browser.post(f"{path}/{log}/delete", None, SAME).status == 303
        assert "Imported logs" not in browser.get(path).text
        assert "site-hits" not in browser.get(f"{shared}/report.json").text
    finally:
        site.stop()
