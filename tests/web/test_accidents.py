"""Accidents of a site that changes its responses, and their recovery: each row of docs/explanation/verdict.md, for a page and for a site.

The service runs as it does for people: it fetches the pages and crawls the site over HTTP, and API and pages are read over HTTP.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import select

from findable.service import housekeeping
from findable.service.accounts.callers import authenticate_key
from findable.service.crawls import crawl_run
from findable.service.delivery.digests import _digest_email, digest_of
from findable.store.schema.message_tables import event
from tests.conftest import new_database
from tests.service import samples
from tests.service.test_outbox import subscribe
from tests.simulated_clock import SimulatedClock, simulated_clock
from tests.web.accidents import ACCIDENTS, DAY_S, HOUR_S, JSON, NOON, PAGES, SOUND, Accident, Shop
from tests.web.live import Live, run_live


@pytest.fixture(scope="module")
def clock() -> Iterator[SimulatedClock]:
    with simulated_clock(NOON) as told:
        yield told


@pytest.fixture(scope="module", params=["sqlite", pytest.param("postgresql", marks=pytest.mark.full)])
def live(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, clock: SimulatedClock) -> Iterator[Live]:
    del clock  # set before the service reads it
    folder = tmp_path_factory.mktemp("service")
    with new_database(request, folder) as url:
        yield from run_live(folder, real=True, database_url=url, allow_targets=("127.0.0.1",), rate_limit=100_000)


@pytest.fixture
def shop(live: Live, clock: SimulatedClock) -> Iterator[Shop]:
    made = Shop(live, clock)
    yield made
    made.close()


ONE_OF_EACH = ("noindex", "503")
"""Deindexed, unreachable: the others are told in the same way."""
EACH = pytest.mark.parametrize(
    "accident",
    [pytest.param(one, id=one.name, marks=[] if one.name in ONE_OF_EACH else pytest.mark.full) for one in ACCIDENTS],
)


@EACH
def test_an_accident_of_a_site_is_told_everywhere_and_over_when_it_recovers(shop: Shop, accident: Accident) -> None:
    before = shop.crawl()
    assert (before["verdict"]["code"], shop.told()["score"]) == ("indexable", before["score"])
    shop.give(accident)
    first = shop.crawl()
    told = shop.told()
    assert (told["verdict"]["code"], told["verdict"]["cause"]) == (accident.code, accident.cause)
    assert_rated(accident, told, before, is_confirmed=False)
    assert_words(shop, f"/s/{first['public_id']}", accident.said)
    assert ("No current rating" in shop.words(shop.home)) is (accident.code == "unreachable")
    second = shop.crawl()
    told = shop.told()
    assert told["verdict"]["since"] == first["verdict"]["since"]
    assert_rated(accident, told, before, is_confirmed=True)
    assert_words(shop, f"/s/{second['public_id']}", accident.said)
    assert_worse(shop, before["score"], is_site=True, is_bad=told["result"] == "bad")
    shop.give(SOUND)
    after = shop.crawl()
    assert (after["verdict"]["code"], after["score"], shop.told()["score"]) == ("indexable", before["score"], before["score"])
    assert_over(shop, accident, f"/s/{after['public_id']}")


@EACH
def test_an_accident_of_a_page_is_told_everywhere_and_over_when_it_recovers(shop: Shop, accident: Accident) -> None:
    before = shop.check()
    assert before["verdict"]["code"] == "indexable"
    shop.give(accident)
    if accident.cause == "canonical":  # one that is no copy
        shop.site.page("/", shop.body("/", '<link rel="canonical" href="/cups">'))
        shop.site.page("/cups", f"<title>Cups</title><p>{' '.join(f'cup{number}' for number in range(60))}</p>")
    first = shop.check()
    link = f"/r/{before['public_id']}"
    assert first["verdict"]["code"] == accident.code
    assert first["verdict"]["cause"] in (accident.cause, None)
    assert_rated(accident, first, before, is_confirmed=False)
    assert_words(shop, link, accident.said_of_page)
    assert ("No current rating" in shop.words(link)) is (accident.code == "unreachable")
    second = shop.check()
    assert second["verdict"]["since"] == first["verdict"]["since"]
    assert_rated(accident, second, before, is_confirmed=True)
    assert (shop.told()["score"], shop.told()["verdict"]["code"]) == (second["score"], accident.code)
    assert_badge(shop, second)
    assert_words(shop, link, accident.said_of_page)
    assert_worse(shop, before["score"], is_site=False, is_bad=second["result"] == "bad")
    shop.give(SOUND)
    after = shop.check()
    assert (after["verdict"]["code"], after["score"], after["result"]) == ("indexable", before["score"], before["result"])
    assert_badge(shop, after)
    for run in range(1, 4):
        compared = shop.browser.get(f"{link}/compare?from={run}&to=4")
        assert compared.status in (200, 422), "a run without a result cannot be compared"
    assert_over(shop, accident, link)


def assert_rated(accident: Accident, told: Any, before: Any, *, is_confirmed: bool) -> None:
    """Compare the rating during an accident with the table of docs/explanation/verdict.md."""
    if accident.code == "blocked_for_us":
        assert (told["result"], told["score"]) == (None, None)
    elif accident.code == "unreachable" and not is_confirmed:
        assert (told["result"], told["score"]) == (before["result"], before["score"])
    else:
        assert told["result"] == "bad"
        assert told["score"] < before["score"]


def assert_words(shop: Shop, report: str, said: str) -> None:
    """The report, the page of the project and the lists say what happened, and nothing that contradicts it."""
    for path in (report, shop.home, "/", "/projects"):
        text = shop.words(path)
        assert said in text, path
        for wrong in (
            "0 problems and 0 warnings",
            "No problem was found.",
            "Nothing to fix",
            "Google can index this page.",
            "Google can index all",
        ):
            assert wrong not in text, (path, wrong)
    assert "0 of 100" not in shop.words(report) or not re.search(r"\+\d", shop.words(report)), "no gain beside a score of 0"


def assert_worse(shop: Shop, before: int, *, is_site: bool, is_bad: bool) -> None:
    """The list of what is worse names the project with both scores while it is bad, and nothing else."""
    found = shop.api.get(f"/projects/{shop.project}/changes").json["data"]
    listed = [(one["object"] == "site", one["score_before"], one["score"]) for one in found["worse"]]
    assert listed == ([(is_site, before, shop.told()["score"])] if is_bad else [])
    told = f"http://{shop.project}/: score {before} → {shop.told()['score']}"
    assert (told in letter(shop)) is is_bad
    worse = shop.words("/").partition("Worse results this week")[2].partition(" Projects ")[0]
    assert (f"{before} {shop.told()['score']} bad" in worse) is is_bad


def letter(shop: Shop) -> str:
    """The summary that the person would get by email now."""
    service, caller = shop.live.service, authenticate_key(shop.live.service, shop.api.key)
    samples.subscribed(service, caller)
    with service.store.read() as session:
        digest = digest_of(session, caller, shop.clock.at - 7 * DAY_S, shop.clock.at)
        (person,) = session.people.of_account(caller.account_id)
    return repr(_digest_email(service, person, digest))


def assert_badge(shop: Shop, report: Any) -> None:
    """The badge of a public report tells the rating that the report has now."""
    assert shop.api.put(f"/reports/{report['id']}", {"privacy": 0}).status == 200
    badge = shop.live.client().guest().get(f"/r/{report['public_id']}/badge.svg").text
    rating = f"{report['result']} {report['score']}" if report["result"] else "not rated"
    assert f">{rating}<" in badge, badge
    assert shop.api.put(f"/reports/{report['id']}", {"privacy": 1}).status == 200


def assert_over(shop: Shop, accident: Accident, report: str) -> None:
    """Nothing is worse, new or better after the recovery; an outage is told as one."""
    found = shop.api.get(f"/projects/{shop.project}/changes").json["data"]
    assert (found["worse"], found["fixed"]) == ([], [])
    assert "score" not in letter(shop)
    assert ("away from" in letter(shop)) is bool(found["away"])
    is_outage = accident.code == "unreachable" or (accident.name == "404" and report.startswith("/r/"))
    assert [one["html"].endswith(report) for one in found["away"]] == ([True] if is_outage else [])
    for path in (report, shop.home, "/", f"{shop.home}/changes"):
        text = shop.words(path)
        assert accident.said not in text, path
        assert accident.said_of_page not in text, path
    assert ("away from" in shop.words("/")) is is_outage


def test_a_copy_that_declares_the_original_is_no_accident(shop: Shop) -> None:
    before = shop.check("/tea")
    shop.site.page("/sale", shop.body("/tea", '<link rel="canonical" href="/tea">'))
    shop.site.page("/tea", shop.body("/tea", '<link rel="canonical" href="/tea">'))
    copy = shop.check("/sale")
    assert (copy["verdict"]["code"], copy["verdict"]["cause"]) == ("indexable", "canonical")
    assert copy["score"] >= before["score"] - 5
    said = "This page is a variant or a copy: Google indexes the URL that it declares as canonical."
    assert said in shop.words(f"/r/{copy['public_id']}")
    shop.site.page("/sale", shop.body("/tea", '<link rel="canonical" href="/gone">'))
    assert shop.check("/sale")["verdict"]["code"] == "deindexed"


def test_a_staging_copy_that_declares_the_public_site_is_no_accident(shop: Shop) -> None:
    before = shop.check()
    shop.give(Accident("", "", "", "", "", head='<link rel="canonical" href="https://shop.example/">'))
    after = shop.check()
    assert (after["verdict"]["code"], after["verdict"]["cause"]) == ("indexable", "canonical")
    assert after["score"] >= before["score"]
    assert shop.crawl()["verdict"]["code"] == "unknown"


def test_an_outage_that_nobody_looks_at_again_is_bad_everywhere_after_a_day(shop: Shop) -> None:
    site, page = shop.crawl(), shop.check("/tea")
    shop.give(Accident("", "", "", "", "", status=503))
    shop.crawl()
    shop.check("/tea")
    assert shop.told()["score"] == site["score"]
    shop.clock.at += DAY_S
    housekeeping.note_outages(shop.live.service)
    assert (shop.told()["score"], shop.report(page["id"])["score"]) == (0, 0)
    worse = shop.api.get(f"/projects/{shop.project}/changes").json["data"]["worse"]
    assert {(one["object"], one["score"]) for one in worse} == {("site", 0), ("page", 0)}
    assert not housekeeping.note_outages(shop.live.service)


def test_noindex_is_no_fault_of_a_site_that_is_not_meant_for_search(shop: Shop) -> None:
    subscribe(shop.live.service, shop.api.get("/account").json["data"]["id"], "crawl.done")
    shop.crawl()
    reply = shop.api.put(f"/projects/{shop.project}", {"not_for_search": "/*"})
    assert reply.status == 200, reply.body
    assert (shop.told()["verdict"]["code"], shop.told()["result"]) == ("exposed", "bad")
    shop.give(ACCIDENTS[0])
    hidden = shop.crawl()
    page = shop.check()
    assert (hidden["verdict"]["code"], hidden["result"]) == ("not_for_search", None)
    assert (page["verdict"]["code"], page["result"]) == ("not_for_search", "good")
    for path in (f"/s/{hidden['public_id']}", f"/s/{hidden['public_id']}/changes", f"/r/{page['public_id']}", shop.home, "/", "/findings"):
        text = shop.words(path)
        for wrong in ("The start page is noindex", "lead to noindex pages", "0 of 100", "Remove noindex"):
            assert wrong not in text, (path, wrong)
    listed = shop.api.get(f"/crawls/{hidden['id']}/findings").json["data"]
    assert {one["id"] for one in listed}.isdisjoint({"site-start-page", "site-noindex-linked"})
    assert_counted(shop, hidden["id"], listed)
    changed = shop.api.get(f"/projects/{shop.project}/changes").json["data"]
    assert (changed["worse"], changed["fixed"], changed["lost_pages"]) == ([], [], [])
    shop.give(SOUND)
    exposed = shop.crawl()
    assert (exposed["verdict"]["code"], exposed["result"], exposed["score"]) == ("exposed", "bad", 0)
    for path in (f"/s/{exposed['public_id']}", shop.home, "/", "/projects"):
        assert "This site is not meant for search, but Google can index 3 of 3 pages." in shop.words(path), path
    assert "but None in" not in shop.words(shop.home)


def assert_counted(shop: Shop, crawl: int, listed: Any) -> None:
    """The list of crawls, the crawl and its event count the findings of its report, and all of them if the site is meant for search."""
    counts = {verdict: len({one["id"] for one in listed if one["verdict"] == verdict}) for verdict in ("failed", "warned")}
    (row,) = (one for one in shop.api.get("/crawls", project=shop.project).json["data"] if one["id"] == crawl)
    assert (row["findings"], shop.api.get(f"/crawls/{crawl}").json["data"]["findings"]) == (counts, counts)
    with shop.live.service.store.read() as session:
        told = [json.loads(one)["data"] for one in session.outbox._connection.execute(select(event.c.data)).scalars()]
    assert [one["findings"] for one in told if one["id"] == crawl] == [counts]
    assert shop.api.put(f"/projects/{shop.project}", {"not_for_search": ""}).status == 200
    assert shop.api.get(f"/crawls/{crawl}").json["data"]["findings"]["failed"] > counts["failed"]
    assert shop.api.put(f"/projects/{shop.project}", {"not_for_search": "/*"}).status == 200


def test_a_site_that_became_indexable_by_accident_is_worse_before_its_pages(shop: Shop) -> None:
    noindex, said = ACCIDENTS[0], "This site is not meant for search, but Google can index 3 of 3 pages."
    shop.give(noindex)
    shop.crawl()
    assert shop.api.put(f"/projects/{shop.project}", {"not_for_search": "/*"}).status == 200
    before = shop.check()
    shop.crawl()
    assert worse_of(shop) == []
    shop.give(SOUND)
    shop.site.page("/", shop.body("/").replace("<title>", "<title>Tea | ").replace('<html lang="en">', "<html>"))
    assert shop.check()["score"] < before["score"]
    for _ in range(2):
        shop.crawl()
        shop.clock.at += DAY_S
        assert [(one["object"], one["score"]) for one in worse_of(shop) if one["object"] == "site"] == [("site", 0)]
        assert f"http://{shop.project}/: not meant for search, but Google can index it" in letter(shop)
        shown = shop.words("/").partition("Worse results this week")[2].partition(" Projects ")[0]
        assert f"{shop.project} 0 bad {said}" in shown
    shop.give(noindex)
    shop.crawl()
    assert [one for one in worse_of(shop) if one["object"] == "site"] == []
    assert "not meant for search, but" not in letter(shop)


def test_the_small_drop_of_a_page_does_not_hide_that_its_site_is_exposed(shop: Shop) -> None:
    shop.crawl()
    assert shop.api.put(f"/projects/{shop.project}", {"not_for_search": "/*"}).status == 200
    before = shop.check("/tea")
    shop.site.page("/tea", shop.body("/tea").replace('<html lang="en">', "<html>"))
    after = shop.check("/tea")
    assert (after["score"] < before["score"], after["result"]) == (True, "good")
    for path in ("/", "/changes"):
        shown = re.sub(r" Projects .*", "", re.split("Worse results this week|Got worse", shop.words(path))[1])
        assert f"{shop.project} 0 bad This site is not meant for search, but Google can index 3 of 3 pages." in shown
        assert f"{before['score']} {after['score']} good" not in shown


def worse_of(shop: Shop) -> Any:
    return shop.api.get(f"/projects/{shop.project}/changes").json["data"]["worse"]


def test_a_site_that_rejects_us_after_an_outage_is_no_longer_away(shop: Shop) -> None:
    shop.crawl()
    shop.check("/tea")
    for accident in (ACCIDENTS[2], ACCIDENTS[2], ACCIDENTS[3]):
        shop.give(accident)
        shop.crawl()
        shop.check("/tea")
    changed = shop.api.get(f"/projects/{shop.project}/changes").json["data"]
    assert changed["worse"] == []
    assert len(changed["away"]) == 2
    assert (shop.told()["result"], shop.told()["verdict"]["code"]) == (None, "blocked_for_us")


def test_a_report_that_stood_open_for_hours_is_run_again_with_one_click(shop: Shop) -> None:
    made = shop.check()
    assert shop.words(f"/r/{made['public_id']}")
    shop.clock.at += 8 * HOUR_S
    reply = shop.browser.post(f"/r/{made['public_id']}/again", {}, {"Origin": f"http://127.0.0.1:{shop.live.port}"})
    assert reply.status == 303, reply.text


def test_a_crawl_under_a_new_ruleset_is_worse_in_no_feed_and_no_mail(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    feed = shop.api.post("/feeds", {}).json["data"]["url"].rpartition("/")[2]
    with monkeypatch.context() as older:
        older.setattr(crawl_run, "RULESET", "2020-01")
        watching = {"project": shop.project, "what": "crawl", "every": "month", "settings": {"url": shop.crawl()["url"]}}
        assert shop.api.post("/schedules", json.dumps(watching), JSON).status == 201
        before = shop.crawl()
    for path in PAGES:
        shop.site.page(path, shop.body(path).replace("<title>", "<b>").replace("</title>", "</b>"))
    after = shop.crawl()
    assert after["score"] < before["score"]
    changes = shop.api.get(f"/crawls/{after['id']}/changes").json["data"]
    assert (changes["comparable"], changes["reason"], changes["findings"]["new"]) == (False, "other_ruleset", [])

    def told() -> tuple[bool, bool, bool, list[str]]:
        text = shop.live.client().guest().get(f"/feeds/{feed}").text
        alerts = [one["rule"] for one in shop.api.get("/alerts").json["data"]]
        return bool(worse_of(shop)), "#worse-" in text, f"http://{shop.project}/: score" in letter(shop), alerts

    assert told() == (False, False, False, [])
    assert shop.project not in shop.words("/").partition("Worse results this week")[2].partition(" Projects ")[0]
    for path in PAGES:
        shop.site.page(path, "<p>Nothing is left.</p>")
    shop.crawl()
    assert told() == (True, True, True, ["crawl-finding"]), "a fall under the same ruleset is told"
