"""Accidents of a site that changes its responses, and their recovery: each row of docs/explanation/verdict.md, for a page and for a site.

The service runs as it does for people: it fetches the pages and crawls the site over HTTP, and API and pages are read over HTTP.
"""

import html
import json
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from msgspec import Struct

from findable.service import housekeeping
from tests.conftest import new_database
from tests.simulated_clock import SimulatedClock, simulated_clock
from tests.sites.server import Site
from tests.tiers import sampled
from tests.web.live import Live, run_live
from tests.worked_crawls import work_crawl

JSON = {"Content-Type": "application/json"}
NOON = 1_795_435_200
HOUR_S, DAY_S = 3600, 86_400
PAGES = ("/", "/tea", "/cups")
WORDS = "Each tin carries the name of the garden where the leaves grew, and we ship it in a day."
ALLOW = "User-agent: *\nAllow: /\n"
CHALLENGE = (
    '<!doctype html><html><title>Just a moment...</title><script src="/cdn-cgi/challenge-platform/h/b/orchestrate/jsch/v1"></script>'
)


class Accident(Struct, frozen=True):
    """What happens to a site, and what the product says about it."""

    name: str
    code: str
    cause: str
    said: str
    """Part of the sentence about the site."""
    said_of_page: str
    head: str = ""
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    body: str = ""
    robots_txt: str = ALLOW
    robots_status: int = 200
    is_down: bool = False


ACCIDENTS = (
    Accident(
        "noindex",
        "deindexed",
        "noindex",
        "Google cannot index any page of this site: all pages are noindex.",
        "Google cannot index this page: it is noindex.",
        head='<meta name="robots" content="noindex">',
    ),
    Accident(
        "robots.txt with 503",
        "unreachable",
        "robots_status",
        "robots.txt returns 503: Google stops crawling the site.",
        "robots.txt returns 503: Google stops crawling the site.",
        robots_status=503,
    ),
    Accident("503", "unreachable", "server_error", "its start page returns 503", "The page cannot be reached: it returns 503.", status=503),
    Accident(
        "403", "blocked_for_us", "denied", "Visitors and Google may see the site.", "Visitors and Google may see the page.", status=403
    ),
    Accident(
        "robots.txt",
        "deindexed",
        "robots",
        "robots.txt disallows it (line 2: Disallow: /)",
        "Google may not read this page: robots.txt disallows it.",
        robots_txt="User-agent: *\nDisallow: /\n",
    ),
    Accident(
        "canonical elsewhere",
        "deindexed",
        "canonical",
        "all pages declare pages of http://127.0.0.9 as canonical.",
        "it declares another page as canonical.",
        head='<link rel="canonical" href="http://127.0.0.9/">',
    ),
    Accident("404", "deindexed", "status", "its start page returns 404", "it returns 404", status=404),
    Accident("no server", "unreachable", "no_response", "The site cannot be reached.", "The page cannot be reached.", is_down=True),
    Accident(
        "challenge",
        "blocked_for_us",
        "challenge",
        "Visitors and Google may see the site.",
        "Visitors and Google may see the page.",
        status=403,
        headers=(("cf-mitigated", "challenge"),),
        body=CHALLENGE,
    ),
    Accident(
        "429", "blocked_for_us", "denied", "Visitors and Google may see the site.", "Visitors and Google may see the page.", status=429
    ),
)
SOUND = Accident("", "indexable", "", "", "")


class Shop:
    """A site of three pages that changes its responses, and the person who watches it."""

    def __init__(self, live: Live, clock: SimulatedClock) -> None:
        self.live, self.clock, self.site = live, clock, Site().start()
        self.port, self.is_up = self.site.port, True
        self.email = live.email()
        self.api, self.browser = live.client(email=self.email), live.signed_in(self.email)
        self.project = f"127.0.0.1:{self.port}"
        self.home = f"/projects/{quote(self.project, safe='')}"
        self.give(SOUND)

    def give(self, accident: Accident) -> None:
        """Let the site respond like this from now on."""
        if accident.is_down:
            self.site.stop()
            self.is_up = False
            return
        if not self.is_up:
            self.site = Site(port=self.port).start()
            self.is_up = True
        self.site.page("/robots.txt", accident.robots_txt, status=accident.robots_status, content_type="text/plain")
        for path in PAGES:
            self.site.page(path, accident.body or self.body(path, accident.head), status=accident.status, headers=accident.headers)

    def body(self, path: str, head: str = "") -> str:
        """A page that is good enough to fall."""
        title = f"Loose leaf tea from small gardens {path}"
        head = f'<title>{title}</title><meta name="viewport" content="width=device-width"><meta name="description" content="{WORDS}">{head}'
        links = "".join(f'<a href="{path}">To the page {path}</a>' for path in PAGES)
        text = "".join(f"<p>{path.title()} {number}: {WORDS}</p>" for number in range(12))
        return f'<!doctype html><html lang="en"><head>{head}</head><body><main><h1>{title}</h1>{links}{text}</main></body></html>'

    def close(self) -> None:
        if self.is_up:
            self.site.stop()

    def crawl(self, **more: Any) -> Any:
        """The crawl of the site, finished."""
        self.clock.at += HOUR_S
        made = self.api.post("/crawls", json.dumps({"url": f"http://{self.project}/", "privacy": 1, **more}), JSON)
        assert made.status == 202, made.body
        work_crawl(self.live.service)
        return self.api.get(f"/crawls/{made.json['data']['id']}").json["data"]

    def check(self, path: str = "/") -> Any:
        """The report of a page, with a new result."""
        self.clock.at += HOUR_S
        url = f"http://{self.project}{path}"
        known = [one for one in self.api.get("/reports", search=url).json["data"] if one["url"] == url]
        if not known:
            made = self.api.post("/reports", {"url": url, "privacy": 1})
            assert made.status in (201, 202), made.body
            return self.report(made.json["data"]["id"])
        reply = self.api.put(f"/reports/{known[0]['id']}", {"results": 1})
        assert reply.status == 200, reply.body
        return self.report(known[0]["id"])

    def report(self, number: int) -> Any:
        return self.api.get(f"/reports/{number}").json["data"]

    def told(self) -> Any:
        """What the API says about the project."""
        return self.api.get(f"/projects/{self.project}").json["data"]

    def words(self, path: str) -> str:
        """The visible text of a page."""
        reply = self.browser.get(path)
        assert reply.status == 200, (path, reply.status)
        text = re.sub(r"<(script|style|svg)\b.*?</\1>", " ", reply.text, flags=re.DOTALL)
        return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", text)).split())


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


EACH = pytest.mark.parametrize("accident", sampled(ACCIDENTS, 4), ids=[one.name for one in ACCIDENTS])


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
    second = shop.check()
    assert second["verdict"]["since"] == first["verdict"]["since"]
    assert_rated(accident, second, before, is_confirmed=True)
    assert (shop.told()["score"], shop.told()["verdict"]["code"]) == (second["score"], accident.code)
    assert_words(shop, link, accident.said_of_page)
    assert_worse(shop, before["score"], is_site=False, is_bad=second["result"] == "bad")
    shop.give(SOUND)
    after = shop.check()
    assert (after["verdict"]["code"], after["score"], after["result"]) == ("indexable", before["score"], before["result"])
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
        for wrong in ("No problem was found.", "Nothing to fix", "Google can index this page.", "Google can index all"):
            assert wrong not in text, (path, wrong)
    assert "0 of 100" not in shop.words(report) or not re.search(r"\+\d", shop.words(report)), "no gain beside a score of 0"


def assert_worse(shop: Shop, before: int, *, is_site: bool, is_bad: bool) -> None:
    """The list of what is worse names the project with both scores while it is bad, and nothing else."""
    found = shop.api.get(f"/projects/{shop.project}/changes").json["data"]
    listed = [(one["object"] == "site", one["score_before"], one["score"]) for one in found["worse"]]
    assert listed == ([(is_site, before, shop.told()["score"])] if is_bad else [])
    worse = shop.words("/").partition("Worse results this week")[2].partition(" Projects ")[0]
    assert (f"{before} {shop.told()['score']} bad" in worse) is is_bad


def assert_over(shop: Shop, accident: Accident, report: str) -> None:
    """Nothing is worse, new or better after the recovery; an outage is told as one."""
    found = shop.api.get(f"/projects/{shop.project}/changes").json["data"]
    assert (found["worse"], found["fixed"]) == ([], [])
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
    assert after["result"] == before["result"]
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
