"""Rules about crawls of a schedule, over a real site, fetcher, worker and database: each change of the site is one alert."""

import re
from pathlib import Path

import pytest

from findable.fetch import robots_cache
from findable.jobs import embedded
from findable.monitor import alert_states
from findable.monitor.alert_rules import AlertRule
from findable.service.alerts import alerts
from findable.service.alerts.alert_watch import state_of
from findable.service.crawls import crawls
from findable.service.projects import projects, schedules
from findable.service.runtime.service import Service
from findable.service.values.alert_values import AlertQuery, AlertView
from findable.service.values.caller import Caller
from findable.service.values.crawl_values import CrawlQuery, CrawlStatus
from findable.service.values.schedule_values import ScheduleCreate, ScheduledWork, ScheduleOptions
from findable.wording import ENGLISH
from findable.worker import worker_loop
from tests.sites.server import Site
from tests.worker.processes import eventually
from tests.worker.test_reports_of_real_sites import made, story
from tests.worker.test_unchanged_pages import make_due, runs

pytestmark = pytest.mark.full
TOP, LEAVES = 20, 6


HUBS = "".join(f'<a href="/hub-{number}">Hub {number}</a>' for number in range(TOP - 1))


def build(site: Site, path: str, more: str = "") -> None:
    """Add a page that links to the start page and the same 19 others."""
    words = f"The page {path} tells about its own subject {path.upper()}. " * 20
    head = f'<title>The page {path} of the site</title><link rel="canonical" href="{site.url(path)}">'
    body = f'<nav><a href="/">Start</a>{HUBS}</nav><main><h1>Page {path}</h1><p>{words}</p>{more}</main>'
    site.page(
        path, f'<!doctype html><html lang="en"><head>{head}</head><body>{body}</body></html>', content_type="text/html; charset=utf-8"
    )


def links(name: str, count: int) -> str:
    return "".join(f'<a href="/{name}-{number}">{name} {number}</a>' for number in range(count))


@pytest.fixture
def shop(site: Site, monkeypatch: pytest.MonkeyPatch) -> Site:
    monkeypatch.setattr(worker_loop, "ALERTS_EVERY_S", 0.05)
    monkeypatch.setattr(embedded, "POLL_S", 0.05)
    monkeypatch.setattr(alert_states, "GATHER_S", 0)
    build(site, "/", links("leaf", LEAVES))
    for path in (*(f"/hub-{number}" for number in range(TOP - 1)), *(f"/leaf-{number}" for number in range(LEAVES))):
        build(site, path)
    site.page("/robots.txt", "User-agent: *\nDisallow:\n", content_type="text/plain")
    return site


def opened(service: Service, caller: Caller) -> list[AlertView]:
    return list(alerts.find(service, caller, AlertQuery(limit=100)))


def told(service: Service, caller: Caller) -> int:
    """Messages that alerts opened."""
    with service.store.read() as session:
        rows = [session.alerts.by_id(one.id) for one in opened(service, caller)]
    return sum(state_of(row).messages for row in rows if row is not None)


async def crawl_again(service: Service, caller: Caller) -> None:
    """Let the schedule crawl the site, until the crawl has ended."""
    before = len(crawls.find(service, caller, CrawlQuery(per_page=100)).items)
    make_due(service)

    def is_done() -> bool:
        found = crawls.find(service, caller, CrawlQuery(per_page=100)).items
        return len(found) > before and found[0].status in (CrawlStatus.DONE, CrawlStatus.FAILED)

    await eventually(is_done)


def test_each_change_between_two_crawls_of_a_schedule_is_one_alert(tmp_path: Path, shop: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    async def tell(service: Service, caller: Caller) -> None:
        project = projects.make(service, caller, shop.url("/")).project.name
        schedules.create(
            service,
            caller,
            ScheduleCreate(project=project, what=ScheduledWork.CRAWL, settings=ScheduleOptions(url=shop.url("/"), rate=20.0)),
        )

        async def expect(*wanted: AlertRule) -> list[AlertView]:
            before = {one.id for one in opened(service, caller)}
            await crawl_again(service, caller)
            new = [one for one in opened(service, caller) if one.id not in before]
            assert [one.rule for one in new] == list(wanted), [one.sentence(ENGLISH) for one in new]
            await eventually(lambda: told(service, caller) == len(before) + len(new))
            return new

        await expect()  # the state that later crawls are compared with
        await expect()  # nothing changed

        for number in range(4):
            shop.change(f"/leaf-{number}", "<head>", '<head><meta name="robots" content="noindex">')
        (lost,) = await expect(AlertRule.CRAWL_PAGES_LOST)
        assert re.fullmatch(r"4 of 26 indexable pages are missing .*", lost.sentence(ENGLISH))
        await expect()

        for number in range(8):
            build(shop, f"/more-{number}")
        shop.change("/", "</main>", f"{links('more', 8)}</main>")
        await expect(AlertRule.CRAWL_PAGE_COUNT)

        for number in range(TOP - 1):
            shop.change(f"/hub-{number}", "</nav>", '<a href="/missing">Missing</a></nav>')
        (finding,) = await expect(AlertRule.CRAWL_FINDING)
        assert "does not exist" in finding.sentence(ENGLISH)
        await expect()

        shop.page("/robots.txt", "User-agent: Findable\nDisallow: /\n", content_type="text/plain")
        monkeypatch.setattr(robots_cache, "KEPT_S", 0.0)  # a quarter of an hour later
        await expect(AlertRule.CRAWL_BLOCKED)
        await expect()
        shop.page("/robots.txt", "User-agent: *\nDisallow:\n", content_type="text/plain")
        await expect()

        shop.page("/robots.txt", "User-agent: *\nDisallow: /\n", content_type="text/plain")
        (blocked,) = await expect(AlertRule.SITE_DEINDEXED)  # a crawl that is blocked too has no alert of its own
        assert "robots.txt disallows it (line 2: Disallow: /)" in blocked.sentence(ENGLISH)
        await expect()

    story(tmp_path, (shop,), tell, rate_limit=0)


def test_the_start_page_and_the_20_best_linked_pages_are_always_run_in_full(tmp_path: Path, shop: Site) -> None:
    async def tell(service: Service, caller: Caller) -> None:
        start, hub, leaf = [(await made(service, caller, shop.url(path))) for path in ("/", "/hub-3", "/leaf-1")]
        crawling = schedules.create(
            service,
            caller,
            ScheduleCreate(project=start.project, what=ScheduledWork.CRAWL, settings=ScheduleOptions(url=shop.url("/"), rate=20.0)),
        )
        await crawl_again(service, caller)
        schedules.delete(service, caller, crawling.id)
        schedules.create(service, caller, ScheduleCreate(project=start.project))
        make_due(service)
        pages = (start, hub, leaf)
        await eventually(lambda: [runs(service, one.id) for one in pages] == [(2, 0)] * 3)  # the first watched run is a full one
        make_due(service)
        await eventually(lambda: [runs(service, one.id) for one in pages] == [(3, 0), (3, 0), (2, 1)])

    story(tmp_path, (shop,), tell, rate_limit=0)
