"""Pages and API of what changed: over all projects and in one, and the same number as on the home page."""

import csv
import io
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from html import unescape

import pytest

from findable.reports.totals import with_totals
from findable.service.accounts.callers import authenticate_key
from findable.service.delivery import digests
from findable.service.reports.report_jobs import AnalysedPage
from tests.accessibility import faults
from tests.browser import LOOKS, Open, needs_chromium, scrolls_sideways
from tests.checks.harness import page as made_up
from tests.service import samples
from tests.web.live import BAD_PAGE, Client, Live, run_live

PATHS = ("/changes", "/changes?since=30", "/projects/a.example/changes")


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    yield from run_live(tmp_path_factory.mktemp("service"))


@pytest.fixture(scope="module")
def email(live: Live) -> str:
    return live.email()


@pytest.fixture(scope="module")
def client(live: Live, email: str) -> Client:
    client = live.client(email=email)
    for host, results in (("a", (made_up(), BAD_PAGE)), ("b", (BAD_PAGE, made_up()))):
        for shown in results:
            live.analyser.pages[f"{host}.example"] = shown
            client.report(f"https://{host}.example/")
    return client


@pytest.fixture(scope="module")
def browser(live: Live, client: Client, email: str) -> Client:
    return live.signed_in(email)


def test_the_api_tells_what_is_new_and_what_is_fixed(client: Client) -> None:
    found = client.get("/changes").json["data"]
    (worse,), (better,) = found["worse"], found["fixed"]
    assert (worse["project"], better["project"]) == ("a.example", "b.example")
    assert "noindex" in worse["new"]
    assert "noindex" in better["fixed"]
    assert set(better["fixed"]) == set(worse["new"]), "the opposite change fixes what was new"
    assert (worse["new_count"], better["fixed_count"]) == (len(worse["new"]), len(better["fixed"]))
    assert (worse["score_before"], worse["score"]) == (better["score"], better["score_before"])
    assert client.get("/projects/b.example/changes").json["data"]["worse"] == []
    assert client.get("/projects/nobody.example/changes").status == 404
    refused = client.get("/changes", since="2020-01-01T00:00:00Z")
    assert (refused.status, list(refused.json["errors"])) == (422, ["since"])


def test_work_done_lists_what_was_fixed_and_accepted_by_whom(live: Live) -> None:
    email = live.email()
    client, browser = live.client(email=email), live.signed_in(email)
    for host, results in (("c", (BAD_PAGE, made_up())), ("d", (BAD_PAGE,))):
        for result in results:
            live.analyser.pages[f"{host}.example"] = result
            report = client.report(f"https://{host}.example/")
    reason = {"reason": "=A draft <b>", "until": "2099-12-31"}
    assert client.put(f"/reports/{report['id']}/accepted/noindex", reason).status == 200
    (accepted,) = client.get("/projects/d.example/changes").json["data"]["work"]
    assert (accepted["kind"], accepted["check"], accepted["reason"], accepted["until"]) == ("accepted", "noindex", *reason.values())
    assert accepted["by"]
    fixed = client.get("/projects/c.example/changes").json["data"]["work"]
    noindex = next(one for one in fixed if one["check"] == "noindex")
    assert (noindex["kind"], noindex["url"], noindex["by"], noindex["first_seen"]) == ("fixed", "https://c.example/", "", None)
    assert client.get("/changes").json["data"]["work"] == []
    public_id = client.get("/reports", project="c.example").json["data"][0]["public_id"]
    assert noindex["path"] == f"/r/{public_id}?run=1"
    assert browser.get(noindex["path"]).status == 200
    shown = browser.get("/projects/c.example/changes?since=30").text
    assert f'Fixed, verified on <a href="/r/{public_id}?run=1">' in shown
    assert "=A draft &lt;b&gt;" in browser.get("/projects/d.example/changes").text
    file = browser.get("/projects/d.example/changes/work.csv?since=7")
    lines = list(csv.reader(io.StringIO(file.body.decode("utf-8-sig"))))
    assert lines[0] == ["kind", "finding", "check", "url", "pages_count", "first_seen", "at", "path", "by", "reason", "until"]
    assert (lines[1][0], lines[1][9]) == ("accepted", "'=A draft <b>")
    assert browser.get("/projects/d.example/changes/work.csv?since=2").status == 404
    today = datetime.now(UTC).date()
    assert "Fixed, verified on" in browser.get(f"/projects/c.example/changes?since={today - timedelta(days=7)}").text
    assert browser.get(f"/projects/c.example/changes?since={today - timedelta(days=60)}").status == 404


def test_the_home_page_and_the_page_of_changes_say_the_same_number(browser: Client) -> None:
    for path in ("/", "/changes", "/changes?since=7"):
        assert '<span class="where">1 site<' in browser.get(path).text, path
    assert browser.get("/projects/a.example/changes").text.count('<span class="fall">') == 1
    assert browser.get("/changes?since=2").status == 404


@needs_chromium
@LOOKS
def test_pages_of_changes_break_no_rule_and_fit(live: Live, browser: Client, window: Open, width: int, dark: bool) -> None:
    origin = f"http://127.0.0.1:{live.port}"
    page = window(width=width, dark=dark, cookies=browser.cookies, origin=origin)
    for path in PATHS:
        page.goto(origin + path)
        assert faults(page) == [], path
        assert not scrolls_sideways(page), path


def test_a_page_that_was_away_for_a_time_is_not_worse_when_it_returns(live: Live) -> None:
    email = live.email()
    client, browser = live.client(email=email), live.signed_in(email)
    usual = with_totals(samples.report(93, {**samples.VERDICTS, "http-status": "passed"}))
    away = with_totals(samples.report(0, {**dict.fromkeys(samples.VERDICTS, "inapplicable"), "http-status": "failed"}))
    for shown in (usual, away, away, usual):
        live.analyser.results["away.example"] = AnalysedPage(b"{}", shown)
        client.report("https://away.example/")
    found = client.get("/changes").json["data"]
    assert (found["worse"], [one["url"] for one in found["away"]]) == ([], ["https://away.example/"])
    for path in ("/", "/changes", "/projects/away.example/changes"):
        text = unescape(re.sub(r"<[^>]+>", "", browser.get(path).text))
        assert re.search(r"away from .* to ", text), path
    feed = client.post("/feeds", {}).json["data"]["url"]
    entry = live.client().guest().get("/feeds/" + feed.rpartition("/")[2]).text
    assert "https://away.example/: away from " in entry
    service = live.service
    caller = authenticate_key(service, client.key)
    samples.subscribed(service, caller)
    with service.store.read() as session:
        (person,) = session.people.of_account(caller.account_id)
        digest = digests.digest_of(session, caller, 0, 2**33)
    assert not digest.is_empty
    letter = repr(digests._digest_email(service, person, digest))
    assert "https://away.example/: away from " in letter
    assert "score" not in letter


def test_a_lower_score_has_both_values_in_the_list_and_the_digest(live: Live, client: Client, browser: Client) -> None:
    (worse,) = client.get("/projects/a.example/changes").json["data"]["worse"]
    before, score = worse["score_before"], worse["score"]
    text = re.sub(r"<[^>]+>", " ", browser.get("/projects/a.example/changes").text)
    assert re.search(rf"\b{before}\s+{score}\b", text)
    service = live.service
    caller = authenticate_key(service, client.key)
    samples.subscribed(service, caller)
    with service.store.read() as session:
        (person,) = session.people.of_account(caller.account_id)
        digest = digests.digest_of(session, caller, 0, 2**33)
    assert f"https://a.example/: score {before} → {score}" in repr(digests._digest_email(service, person, digest))
