"""The verdict of a project, from crawls of a real site that fails and recovers: every row of docs/explanation/verdict.md."""

import random
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from findable.capture.crawl import CrawlEnd
from findable.reports.difference import Difference
from findable.reports.search_verdict import SearchVerdict, VerdictCause, VerdictCode
from findable.service.crawls import crawl_access, crawl_changes, crawl_lists, crawls
from findable.service.crawls.crawl_access import CRAWLS
from findable.service.crawls.crawl_changes import ChangeQuery
from findable.service.crawls.crawl_lists import PageQuery
from findable.service.projects import home, project_links, projects
from findable.service.results import share_links
from findable.service.results.guest_access import Viewer
from findable.service.results.share_links import TermChanges
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.crawl_values import CrawlView, NewCrawl
from findable.service.values.project_values import ProjectChanges, ProjectQuery, ProjectSort, ProjectView
from findable.vocabulary import Privacy, Rating
from tests.service import samples
from tests.simulated_clock import SimulatedClock, simulated_clock
from tests.sites.server import Site
from tests.tiers import sampled
from tests.worked_crawls import work_crawl

NOON = 1_795_435_200
DAY_S = 86_400
PAGES = ("/", "/tea", "/cups", "/about")
WORDS = "The shop in the old town sells loose leaf tea from small gardens, and every tin carries the name of the garden. " * 12


class Shop:
    """A site of four pages whose state a test changes, and its project."""

    def __init__(self, service: Service, caller: Caller, site: Site, clock: SimulatedClock) -> None:
        self.service, self.caller, self.site, self.clock = service, caller, site, clock
        self.is_up = True
        self.give()

    def give(self, status: int = 200, robots_txt: str = "User-agent: *\nAllow: /\n", robots_status: int = 200, head: str = "") -> None:
        self.site.page("/robots.txt", robots_txt, status=robots_status, content_type="text/plain")
        links = "".join(f'<a href="{path}">To the page {path}</a>' for path in PAGES)
        for path in PAGES:
            title = f"Loose leaf tea from small gardens {path}"
            made = f'<!doctype html><html lang="en"><title>{title}</title>{head}<body><h1>{title}</h1>{links}<p>{WORDS}{path}</p></html>'
            self.site.page(path, made, status=status)

    def stop(self) -> None:
        self.is_up = False
        self.site.stop()

    def crawl(self, path: str = "/", **chosen: Any) -> CrawlView:
        self.clock.at += 3600
        new = NewCrawl(**{"url": self.site.url(path), **chosen})
        created = crawls.create(self.service, self.caller, new)
        work_crawl(self.service)
        return crawls.get(self.service, self.caller, created.crawl.id)

    @property
    def project(self) -> ProjectView:
        (found,) = projects.find(self.service, self.caller, ProjectQuery(sort_by=ProjectSort.SCORE, descending=False)).items
        assert found == projects.get(self.service, self.caller, found.name)
        return found

    @property
    def verdict(self) -> SearchVerdict:
        found = self.project.verdict
        assert found is not None
        return found

    def state(self) -> tuple[str, str, Rating | None]:
        return self.verdict.code.value, self.verdict.cause.value, self.project.result


@pytest.fixture
def service(tmp_path: Path, database_url: str) -> Iterator[Service]:
    opened = Service.open(samples.settings(tmp_path, database_url=database_url, allow_targets=("127.0.0.1",)))
    yield opened
    opened.close()


@pytest.fixture
def shop(service: Service, caller: Caller) -> Iterator[Shop]:
    site = Site().start()
    with simulated_clock(NOON) as clock:
        shop = Shop(service, caller, site, clock)
        yield shop
    if shop.is_up:
        site.stop()


def test_a_sound_site_is_rated_and_indexable(shop: Shop) -> None:
    view = shop.crawl()
    assert shop.state()[:2] == ("indexable", "")
    assert (shop.project.score, shop.project.result) == (view.score, view.result)
    assert shop.verdict.sentence() == "Google can index 4 of 4 pages."


@pytest.mark.parametrize(
    ("accident", "cause", "said"),
    [
        ({"head": '<meta name="robots" content="noindex">'}, "noindex", "all pages are noindex"),
        ({"robots_txt": "User-agent: *\nDisallow: /\n"}, "robots", "robots.txt disallows it (line 2: Disallow: /)"),
        pytest.param(
            {"robots_txt": "User-agent: Googlebot\nDisallow: /\n"},
            "robots",
            "robots.txt disallows it (line 2: Disallow: /)",
            marks=pytest.mark.full,
        ),
        pytest.param(
            {"head": '<link rel="canonical" href="http://127.0.0.9/">'},
            "canonical",
            "pages of http://127.0.0.9 as canonical",
            marks=pytest.mark.full,
        ),
        pytest.param({"status": 404}, "status", "its start page returns 404", marks=pytest.mark.full),
    ],
)
def test_a_deindexed_site_is_bad_at_once_and_recovers(shop: Shop, accident: dict[str, Any], cause: str, said: str) -> None:
    before = shop.crawl()
    shop.give(**accident)
    view = shop.crawl()
    assert (view.result, view.score) == (Rating.BAD, 0)
    assert shop.state() == ("deindexed", cause, Rating.BAD)
    assert said in shop.verdict.sentence()
    assert shop.verdict.next_step()
    assert shop.project.score == 0
    first = shop.verdict.since
    shop.crawl()
    assert shop.verdict.since == first
    totals = home.get(shop.service, shop.caller).totals
    assert (totals.bad, totals.good, totals.decent) == (1, 0, 0)
    shop.give()
    shop.crawl()
    assert shop.state() == ("indexable", "", before.result)
    assert shop.project.score == before.score


def test_guests_of_a_crawl_learn_since_when_only_from_crawls_they_may_see(shop: Shop) -> None:
    shop.give(head='<meta name="robots" content="noindex">')
    first = shop.crawl(privacy=Privacy.PRIVATE)
    last = shop.crawl(privacy=Privacy.PUBLIC)
    link = project_links.set_access(shop.service, shop.caller, shop.project.name, Privacy.PUBLIC, None, TermChanges())

    def seen(viewer: Viewer) -> list[datetime | None]:
        crawl = crawl_access.view(shop.service, last.public_id, viewer).crawl
        content = project_links.view(shop.service, link.public_id, viewer).content
        assert crawl is not None
        assert content is not None
        verdicts = (crawl.verdict, content.project.verdict)
        assert [one.code for one in verdicts if one] == [VerdictCode.DEINDEXED] * 2
        return [one.since for one in verdicts if one]

    assert seen(Viewer()) == [None, first.finished_at], "the link of a project is enough"
    assert seen(Viewer(shop.caller)) == [first.finished_at] * 2
    share_links.set_access(shop.service, shop.caller, CRAWLS, first.id, Privacy.PUBLIC, None)
    assert seen(Viewer()) == [first.finished_at] * 2


@pytest.mark.parametrize(
    ("accident", "cause", "said"),
    [
        ({"robots_status": 503}, "robots_status", "robots.txt returns 503: Google stops crawling the site."),
        ({"status": 503}, "server_error", "The site cannot be reached: its start page returns 503."),
    ],
)
def test_an_outage_keeps_the_rating_until_it_is_confirmed(shop: Shop, accident: dict[str, Any], cause: str, said: str) -> None:
    before = shop.crawl()
    shop.give(**accident)
    view = shop.crawl()
    assert (view.result, view.score) == (None, None)
    assert shop.state() == ("unreachable", cause, before.result)
    assert shop.project.score == before.score
    assert shop.verdict.sentence() == said
    assert shop.verdict.consequence().startswith("Google")
    view = shop.crawl()
    assert view.result is Rating.BAD
    assert shop.state() == ("unreachable", cause, Rating.BAD)
    assert shop.project.score == 0
    shop.give()
    shop.crawl()
    assert shop.state() == ("indexable", "", before.result)


def test_an_outage_is_bad_after_a_day_without_another_crawl(shop: Shop) -> None:
    before = shop.crawl()
    shop.give(status=502)
    shop.crawl()
    assert shop.project.result is before.result
    projects.make(shop.service, shop.caller, "other.example")
    listed = home.get(shop.service, shop.caller).projects.items
    assert [line.project.name == "other.example" for line in listed] == [False, True], "an outage is at the top before it is confirmed"
    projects.delete(shop.service, shop.caller, "other.example")
    shop.clock.at += DAY_S
    assert shop.state() == ("unreachable", "server_error", Rating.BAD)
    assert home.get(shop.service, shop.caller).totals.bad == 1


def test_a_server_that_is_gone_is_named_with_its_cause(shop: Shop) -> None:
    before = shop.crawl()
    shop.stop()
    view = shop.crawl()
    assert view.verdict is not None
    assert view.verdict.sentence() == "The site cannot be reached. The server did not accept the connection."
    assert shop.state() == ("unreachable", "no_response", before.result)


@pytest.mark.parametrize("status", sampled([403, 401, 429]))
def test_a_site_that_may_only_block_this_service_is_not_rated(shop: Shop, status: int) -> None:
    before = shop.crawl()
    shop.give(status=status)
    view = shop.crawl()
    assert view.result is None
    assert shop.state() == ("blocked_for_us", "denied", None)
    said = "which Google does not have either" if status == 401 else "Visitors and Google may see the site"
    assert said in shop.verdict.sentence()
    shop.give()
    shop.crawl()
    assert shop.state() == ("indexable", "", before.result)


def test_robots_txt_that_only_disallows_this_crawler_says_nothing_about_google(shop: Shop) -> None:
    shop.give(robots_txt="User-agent: Findable\nDisallow: /\n")
    shop.crawl()
    assert shop.state() == ("blocked_for_us", "disallowed", None)


@pytest.mark.parametrize(
    ("chosen", "reason"),
    [
        ({"listed_urls": ("/tea", "/cups")}, "list"),
        ({"include": ("/tea*",)}, "patterns"),
        ({"exclude": ("/tea*",)}, "patterns"),
        ({"depth": 0}, "depth"),
        ({"pages": 2}, "pages"),
    ],
)
def test_a_narrower_crawl_does_not_count(shop: Shop, chosen: dict[str, Any], reason: str) -> None:
    before = shop.crawl()
    shop.give(head='<meta name="description" content="x">')
    if "listed_urls" in chosen:
        chosen = {"listed_urls": tuple(shop.site.url(path) for path in chosen["listed_urls"]), "url": ""}
    view = shop.crawl(**chosen)
    assert view.verdict is not None
    assert (view.verdict.code, view.verdict.values["reason"]) == (VerdictCode.NARROWER, reason)
    assert (shop.project.score, shop.project.result) == (before.score, before.result)
    assert shop.verdict.code is VerdictCode.INDEXABLE


@pytest.mark.parametrize("chosen", [{"include": ("/tea*",)}, {"pages": 2}, {"depth": 0}])
def test_a_narrower_crawl_counts_if_no_page_may_be_indexed(shop: Shop, chosen: dict[str, Any]) -> None:
    shop.crawl()
    shop.give(head='<meta name="robots" content="noindex">')
    shop.crawl(**chosen)
    assert shop.state() == ("deindexed", "noindex", Rating.BAD)


def test_a_list_of_pages_that_are_noindex_says_nothing_about_the_site(shop: Shop) -> None:
    before = shop.crawl()
    shop.give(head='<meta name="robots" content="noindex">')
    view = shop.crawl(url="", listed_urls=(shop.site.url("/tea"),))
    assert view.result is None
    assert shop.state() == ("indexable", "", before.result)


def test_a_crawl_that_ends_by_its_own_limit_counts(shop: Shop) -> None:
    view = shop.crawl(pages=2)
    assert view.verdict is not None
    assert (view.verdict.code, view.provisional) == (VerdictCode.INDEXABLE, True)
    assert shop.project.score == view.score
    whole = shop.crawl()
    assert shop.project.score == whole.score


def test_a_site_that_is_not_meant_for_search_is_not_bad_until_google_can_index_it(shop: Shop) -> None:
    shop.give(head='<meta name="robots" content="noindex">')
    shop.crawl()
    name = shop.project.name
    projects.update(shop.service, shop.caller, name, ProjectChanges(not_for_search=["/*"]))
    assert shop.state() == ("not_for_search", "noindex", None)
    assert shop.project.score is None
    assert home.get(shop.service, shop.caller).totals.unrated == 1
    shop.give()
    shop.crawl()
    assert shop.state() == ("exposed", "", Rating.BAD)
    assert shop.project.score == 0
    projects.update(shop.service, shop.caller, name, ProjectChanges(not_for_search=[]))
    assert shop.verdict.code is VerdictCode.INDEXABLE
    assert shop.project.score


def test_deleting_the_crawl_of_an_accident_restores_the_verdict_before(shop: Shop) -> None:
    before = shop.crawl()
    shop.give(status=404)
    after = shop.crawl()
    assert shop.verdict.cause is VerdictCause.STATUS
    crawls.delete(shop.service, shop.caller, after.id)
    assert shop.state() == ("indexable", "", before.result)


def test_a_project_has_a_name_and_is_found_by_it(shop: Shop) -> None:
    shop.crawl()
    host = shop.project.name
    projects.update(shop.service, shop.caller, host, ProjectChanges(display_name="  Tea   shop (München) "))
    assert (shop.project.name, shop.project.display) == (host, "Tea shop (München)")
    for search in ("tea", "München", "127.0.0"):
        assert projects.find(shop.service, shop.caller, ProjectQuery(search=search)).total == 1
    assert not projects.find(shop.service, shop.caller, ProjectQuery(search="coffee")).total
    projects.update(shop.service, shop.caller, host, ProjectChanges(display_name=""))
    assert shop.project.display == host


FAULTS = (
    "",
    "",
    "",
    '<meta name="robots" content="noindex">',
    '<meta name="description" content="x">',
    '<meta http-equiv="refresh" content="90">',
)


def give_faults(shop: Shop, faults: dict[str, str]) -> None:
    shop.give()
    links = "".join(f'<a href="{path}">To the page {path}</a>' for path in PAGES)
    for path, head in faults.items():
        title = f"Loose leaf tea from small gardens {path}"
        made = f'<!doctype html><html lang="en"><title>{title}</title>{head}<body><h1>{title}</h1>{links}<p>{WORDS}{path}</p></html>'
        shop.site.page(path, made)


def requested(shop: Shop, crawl: CrawlView) -> set[str]:
    return {page.url for page in crawl_lists.pages(shop.service, shop.caller, crawl.id, PageQuery()).items}


def pages_of(shop: Shop, crawl: CrawlView, key: str) -> set[str]:
    return {page.url for page in crawl_lists.finding_pages(shop.service, shop.caller, crawl.id, key, PageQuery())[1].items}


@pytest.mark.parametrize("seed", sampled(range(60)))
def test_random_crawls_with_limits_are_compared_over_the_urls_of_both(shop: Shop, seed: int) -> None:
    dice = random.Random(seed)
    before: CrawlView | None = None
    for _ in range(4):
        give_faults(shop, {path: dice.choice(FAULTS) for path in PAGES[1:]})
        limit = dice.choice((None, None, 2, 3))
        crawl = shop.crawl() if limit is None else shop.crawl(pages=limit)
        found = crawl_changes.summary(shop.service, crawl)
        if before is None or found is None or found.not_comparable is not None:
            before = crawl
            continue
        base = crawls.get(shop.service, shop.caller, found.earlier or 0)
        both = requested(shop, base) & requested(shop, crawl)
        is_limited = CrawlEnd.PAGES in (base.ended_by, crawl.ended_by)
        for finding in (*found.findings.new, *found.findings.returned):
            assert pages_of(shop, crawl, finding.key) & (both if is_limited else requested(shop, crawl)), finding.key
        for finding in found.findings.fixed:
            assert pages_of(shop, base, finding.key) & both, finding.key
        listed = crawl_changes.changes(shop.service, shop.caller, crawl.id, ChangeQuery()).page.items
        assert {change.url for change in listed} <= both or not is_limited
        before = crawl


@pytest.mark.parametrize("seed", sampled(range(60, 80), 1))
def test_undoing_a_change_of_a_site_gives_the_result_before(shop: Shop, seed: int) -> None:
    dice = random.Random(seed)
    states = [{path: dice.choice(FAULTS) for path in PAGES[1:]} for _ in range(2)]
    found = []
    for state in (states[0], states[1], states[0]):
        give_faults(shop, state)
        made = shop.crawl()
        compared = crawl_changes.summary(shop.service, made)
        found.append((made.score, compared.findings.keys if compared is not None else Difference()))
    (first, _), (_, change), (last, undone) = found
    assert first == last
    assert {*undone.fixed} == {*change.new, *change.returned}
    assert ({*undone.new}, {*undone.returned} >= {*change.fixed}) == (set(), True)
    assert ({*undone.worse}, {*undone.better}) == ({*change.better}, {*change.worse})
