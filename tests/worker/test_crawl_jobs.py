"""Crawls inside the service, of real sites on loopback: accepted, worked in slices, settled, stopped, continued, deleted."""

import asyncio
import io
import signal
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from findable.capture.crawl import CrawlEnd
from findable.clock import now
from findable.crawl.changes import ChangeKind
from findable.crawl.page_selection import PageSelection
from findable.crawl.tables import CrawlTable
from findable.errors import Conflict, NotFound, QuotaExceeded, SettingError, Unavailable, ValidationFailed
from findable.fetch.egress_guard import Refusal
from findable.service import housekeeping
from findable.service.accounts import account_admin
from findable.service.accounts.first_start import first_start
from findable.service.crawls import crawl_access, crawl_changes, crawl_jobs, crawl_rescoring, crawls
from findable.service.crawls.crawl_changes import ChangeQuery
from findable.service.crawls.crawl_jobs import SliceOutcome
from findable.service.crawls.crawl_stores import stored_crawls
from findable.service.projects import projects, url_data
from findable.service.reports import report_jobs, stored_images
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.crawl_values import (
    CrawlFailure,
    CrawlQuery,
    CrawlResume,
    CrawlStatus,
    CrawlView,
    CrawlWait,
    NewCrawl,
    PreviousCrawl,
)
from findable.service.values.project_values import ProjectChanges
from findable.store.backup_crawls import back_up_crawls
from findable.store.crawl_file import CrawlFile
from findable.store.crawl_homes import crawl_home
from findable.store.crawl_store import CrawlStoreError, CrawlTakenOver
from findable.store.database_errors import StoreDamaged
from findable.store.stored_comparisons import main_comparison
from findable.store.table_rows import CrawlTables
from findable.vocabulary import Privacy, Rating
from findable.worker import crawl_task, store_writes
from findable.worker.report_worker import ReportWorker
from tests.conftest import new_database
from tests.crawl.page_rows import page_rows
from tests.crawl_sites import change_shop, html, make_shop, text
from tests.service import samples
from tests.service.test_pictures_kept import kept
from tests.sites.server import Page, Site, dynamic, resetting
from tests.worked_crawls import counted
from tests.worker.processes import eventually, stub_service, until

END_S = 90
KILLS = 4


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.full)])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Both kinds: a crawl is a file on one, a schema on the other."""
    with new_database(request, tmp_path) as url:
        yield url


@pytest.fixture
def service(tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    monkeypatch.setattr(crawls, "CONFIRM_AFTER_S", 0.05)
    monkeypatch.setattr(crawls, "FREE_BYTES", 0)
    monkeypatch.setattr(crawl_task, "MIN_FREE_BYTES", 0)
    opened = Service.open(opened_settings(tmp_path, database_url))
    yield opened
    opened.close()


def opened_settings(tmp_path: Path, database_url: str, **more: Any) -> Any:
    given = {"allow_targets": ("127.0.0.1",), "analysis_processes": 1, "crawl_rate": 200.0}
    return samples.settings(tmp_path, database_url=database_url, **given, **more)


@pytest.fixture
def caller(service: Service) -> Caller:
    return samples.owner(service)


@asynccontextmanager
async def working(service: Service) -> AsyncIterator[None]:
    worker = ReportWorker(service)
    await worker.start()
    try:
        yield
    finally:
        await worker.stop(10)


def made(service: Service, caller: Caller, site: Site, **more: Any) -> CrawlView:
    return crawls.create(service, caller, NewCrawl(site.url("/"), rate=200.0, **more)).crawl


async def ended(service: Service, caller: Caller, crawl_id: int) -> CrawlView:
    assert await service.wait_until_crawled(crawl_id, END_S)
    return await service.run(crawls.get, caller, crawl_id)


def crawled(service: Service, caller: Caller, crawl_id: int) -> CrawlView:
    async def work() -> CrawlView:
        async with working(service):
            return await ended(service, caller, crawl_id)

    return asyncio.run(work())


def paths(service: Service, caller: Caller, crawl_id: int, site: Site) -> list[tuple[str, int]]:
    with crawl_access.open_crawl(service, caller, crawl_id) as opened, opened.store.engine.connect() as connection:
        return [(row.url.removeprefix(site.url("")), row.status) for row in page_rows(connection, opened.state)]


def test_a_crawl_ends_done_with_its_report(service: Service, caller: Caller, site: Site) -> None:
    make_shop(site)
    before = made(service, caller, site)
    assert (before.status, before.expected.requests, before.counts) == (CrawlStatus.QUEUED, 12_000, {})

    view = crawled(service, caller, before.id)

    assert (view.status, view.ended_by, view.provisional, view.coverage) == (CrawlStatus.DONE, CrawlEnd.COMPLETE, False, 1.0)
    assert view.score is not None
    assert view.counts["pages"] == 46
    assert view.counts["refused"] == {"action": 1, "robots": 1}
    report = crawl_access.report(service, view)
    assert report is not None
    assert (report.score, report.counts) == (view.score, view.findings)
    assert "site-links-broken" in {finding.id for finding in report.findings}
    assert dict(paths(service, caller, view.id, site))["/gone"] == 404
    assert view.size_bytes > 0


def test_a_crawled_site_gets_the_icon_of_its_start_page_until_it_is_deleted(
    service: Service, caller: Caller, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    icons = '<link rel="icon" href="/small.png" sizes="16x16"><link rel="icon" href="/icon.svg" sizes="any">'
    site.page("/", html("Start", "<p>Start</p>", head=icons))
    drawing = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" fill="#208060"/></svg>'
    site.page("/icon.svg", drawing, content_type="image/svg+xml")

    view = crawled(service, caller, made(service, caller, site).id)

    assert view.status is CrawlStatus.DONE
    shown = Image.open(io.BytesIO(projects.icon(service, caller, str(view.project_id)))).convert("RGBA")
    assert (shown.size, shown.getpixel((32, 32))) == ((64, 64), (0x20, 0x80, 0x60, 255))
    assert [request.path for request in site.requests].count("/small.png") == 0
    monkeypatch.setattr(stored_images, "UNUSED_IMAGE_S", -10)
    stored_images.remove_unused(service)
    crawls.delete(service, caller, view.id)
    assert projects.icon(service, caller, str(view.project_id))
    projects.delete(service, caller, str(view.project_id))
    while crawl_jobs.purge_deleted(service) or housekeeping.purge_deleted(service):
        pass
    stored_images.remove_unused(service)
    assert kept(service) == set()


def test_slices_add_up_to_the_same_crawl(service: Service, caller: Caller, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    make_shop(site)

    async def both() -> tuple[CrawlView, CrawlView]:
        async with working(service):
            whole = await ended(service, caller, made(service, caller, site).id)
            monkeypatch.setattr("findable.service.crawls.crawl_run.CrawlRun.work.__defaults__", (7, 60.0))
            return whole, await ended(service, caller, made(service, caller, site).id)

    whole, sliced = asyncio.run(both())
    assert paths(service, caller, sliced.id, site) == paths(service, caller, whole.id, site)
    assert (sliced.score, sliced.findings, counted(sliced)) == (whole.score, whole.findings, counted(whole))
    assert sliced.previous == PreviousCrawl(whole.id, whole.result or Rating.BAD, whole.score or 0, 0)


def test_a_crawl_is_compared_when_it_ends(service: Service, caller: Caller, site: Site) -> None:
    make_shop(site, products=3)

    async def both() -> tuple[CrawlView, CrawlView]:
        async with working(service):
            first = await ended(service, caller, made(service, caller, site).id)
            change_shop(site)
            return first, await ended(service, caller, made(service, caller, site).id)

    first, second = asyncio.run(both())
    with closing(service.crawl_home.open(second.id)) as store, store.engine.connect() as connection:
        stored = main_comparison(connection)
    found = crawl_changes.changes(service, caller, second.id, ChangeQuery(kind=ChangeKind.GONE))
    other = crawl_changes.changes(service, caller, second.id, ChangeQuery(since=first.id, origins={site.base: site.base}, per_page=100))

    assert stored is not None
    assert (stored.is_done, stored.comparison.earlier, stored.comparison) == (True, first.id, found.comparison)
    assert [(change.url, change.after) for change in found.page.items] == [(site.url("/about"), "404")]
    assert other.comparison.counts == found.comparison.counts
    assert other.page.total == len(other.page.items) == sum(found.comparison.counts.values())


def give(site: Site, count: int, delay_s: float = 0.0) -> None:
    """A start page that links to so many pages."""
    links = "".join(f'<li><a href="/page-{number}">Page number {number} of them all</a></li>' for number in range(count))
    start = f"<!doctype html><title>Start</title><h1>Start</h1><ul>{links}</ul>"

    def answer(request: Any) -> Page:
        number = request.path.removeprefix("/page-")
        if request.path == "/":
            return Page(start.encode(), delay_s=delay_s)
        if not number.isdecimal():
            return Page(b"<!doctype html><title>Not found</title>", 404)
        text = f"<!doctype html><title>Page {number}</title><h1>Page {number}</h1><p>{number} is the number of this page."
        return Page(text.encode(), delay_s=delay_s)

    site.fallback(dynamic(answer))


def test_a_stopped_crawl_ends_with_what_it_has_and_goes_on(service: Service, caller: Caller, site: Site) -> None:
    give(site, 60, delay_s=0.1)

    async def story() -> tuple[CrawlView, CrawlView]:
        async with working(service):
            crawl_id = made(service, caller, site).id
            await eventually(lambda: service.crawl_events.progress(crawl_id) is not None, END_S)
            await service.run(crawls.stop, caller, crawl_id)
            stopped = await ended(service, caller, crawl_id)
            await service.run(crawls.resume, caller, crawl_id)
            return stopped, await ended(service, caller, crawl_id)

    stopped, resumed = asyncio.run(story())
    assert (stopped.status, stopped.ended_by, stopped.provisional) == (CrawlStatus.STOPPED, CrawlEnd.STOPPED, True)
    assert 0 < stopped.counts["pages"] < 61
    assert stopped.score is not None
    assert (resumed.status, resumed.ended_by, resumed.counts["pages"]) == (CrawlStatus.DONE, CrawlEnd.COMPLETE, 61)
    assert not resumed.provisional


@pytest.mark.full
def test_a_crawl_is_judged_again_in_slices_that_survive_their_worker(
    service: Service, caller: Caller, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_shop(site)
    monkeypatch.setattr(crawl_rescoring, "CHECKED_AT_ONCE", 4)
    monkeypatch.setitem(crawl_rescoring.rescore_slice.__kwdefaults__ or {}, "seconds", 0.0)

    def judged_to(crawl_id: int) -> int:
        with closing(service.crawl_home.open(crawl_id)) as store:
            state = store.state()
        return state.judged_to if state is not None else 0

    async def interrupted() -> CrawlView:
        async with working(service):
            view = await ended(service, caller, made(service, caller, site).id)
            changes = ProjectChanges(extractors={"Heading": "h1"}, segments={"Products": "/product/*"})
            await service.run(projects.update, caller, view.project, changes)
            await service.run(crawls.rescore, caller, view.id)
            await eventually(lambda: judged_to(view.id) > 0)
            return view

    before = asyncio.run(interrupted())
    requests_count = len(site.requests)
    assert crawls.get(service, caller, before.id).is_rescoring
    with pytest.raises(Unavailable):
        crawls.rescore(service, caller, before.id)
    with closing(Service.open(service.settings)) as later:
        after = crawled(later, caller, before.id)

    assert (after.status, after.score, after.finished_at, after.counts) == (
        CrawlStatus.DONE,
        before.score,
        before.finished_at,
        before.counts,
    )
    assert len(site.requests) == requests_count
    with crawl_access.open_crawl(service, caller, after.id) as opened, opened.store.engine.connect() as connection:
        rows = [row for row in page_rows(connection, opened.state) if row.status == 200]
    assert {row.segment for row in rows if "/product/" in row.url} == {("Products",)}
    assert all(found is not None and found.values for row in rows for found in row.extracted.values())


def test_a_crawl_that_nobody_began_stops_at_once(service: Service, caller: Caller, site: Site) -> None:
    crawl_id = made(service, caller, site).id

    assert crawls.stop(service, caller, crawl_id).status is CrawlStatus.STOPPED
    assert crawls.resume(service, caller, crawl_id).status is CrawlStatus.QUEUED
    assert [job.crawl_id for job in crawl_jobs.claim_some(service, "tests", 5)] == [crawl_id]


def test_a_crawl_ends_by_its_maximum_and_goes_on_under_a_higher_one(service: Service, caller: Caller, site: Site) -> None:
    give(site, 12)

    async def story() -> tuple[CrawlView, CrawlView]:
        async with working(service):
            crawl_id = made(service, caller, site, pages=5).id
            first = await ended(service, caller, crawl_id)
            with pytest.raises(ValidationFailed):
                await service.run(crawls.resume, caller, crawl_id)
            await service.run(crawls.resume, caller, crawl_id, CrawlResume(100))
            second = await ended(service, caller, crawl_id)
            with pytest.raises(Conflict):
                await service.run(crawls.resume, caller, crawl_id)
            return first, second

    first, second = asyncio.run(story())
    assert (first.ended_by, first.counts["pages"], first.provisional, first.coverage) == (CrawlEnd.PAGES, 5, True, 0.38)
    assert (second.ended_by, second.counts["pages"], second.coverage) == (CrawlEnd.COMPLETE, 13, 1.0)


def test_a_deleted_crawl_leaves_nothing_and_ends_its_slice(service: Service, caller: Caller, site: Site) -> None:
    give(site, 60, delay_s=0.1)

    async def story() -> int:
        async with working(service):
            crawl_id = made(service, caller, site).id
            await eventually(lambda: service.crawl_events.progress(crawl_id) is not None, END_S)
            await service.run(crawls.delete, caller, crawl_id)
            await eventually(lambda: not service.crawl_home.crawl_ids(), END_S)
            return crawl_id

    crawl_id = asyncio.run(story())
    with pytest.raises(NotFound):
        crawls.get(service, caller, crawl_id)
    assert len(site.requests) < 61
    with service.store.read() as session:
        assert session.crawl_jobs.depths() == {}


def test_a_start_page_that_cannot_be_reached_fails_the_crawl_until_it_can(service: Service, caller: Caller, site: Site) -> None:
    site.fallback(resetting)

    async def story() -> tuple[CrawlView, CrawlView]:
        async with working(service):
            crawl_id = made(service, caller, site).id
            failed = await ended(service, caller, crawl_id)
            give(site, 5)
            await service.run(crawls.resume, caller, crawl_id)
            return failed, await ended(service, caller, crawl_id)

    failed, resumed = asyncio.run(story())
    assert (failed.status, failed.failure, failed.score) == (CrawlStatus.FAILED, CrawlFailure.SITE_UNREACHABLE, None)
    assert (resumed.status, resumed.failure, resumed.ended_by, resumed.counts["pages"]) == (CrawlStatus.DONE, None, CrawlEnd.COMPLETE, 6)
    assert resumed.score is not None


def test_a_site_that_robots_txt_closes_for_google_ends_blocked_and_bad(service: Service, caller: Caller, site: Site) -> None:
    closed = Page(b"User-agent: *\nDisallow: /\n", 200, [("Content-Type", "text/plain")])
    site.fallback(dynamic(lambda request: closed if request.path == "/robots.txt" else Page(b"<!doctype html><title>Start</title>")))
    view = crawled(service, caller, made(service, caller, site).id)

    assert (view.status, view.ended_by, view.score, view.result) == (CrawlStatus.DONE, CrawlEnd.BLOCKED, 0, Rating.BAD)


def test_a_site_that_dies_lets_the_crawl_wait_and_then_end(
    service: Service, caller: Caller, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    give(site, 200)
    monkeypatch.setattr(crawl_jobs, "WAIT_S", 0)
    for module in (crawl_jobs, crawl_task):
        monkeypatch.setattr(module, "MAX_LOSS_POINTS", 3 * crawl_jobs.WAIT_POINTS)
    waited: list[CrawlWait] = []
    keep = crawl_jobs.store_outcome

    def kept(of: Service, job: Any, outcome: SliceOutcome) -> bool:
        if outcome.waits_for is not None:
            waited.append(outcome.waits_for)
        return keep(of, job, outcome)

    monkeypatch.setattr(crawl_jobs, "store_outcome", kept)

    async def story() -> CrawlView:
        async with working(service):
            crawl_id = made(service, caller, site).id
            await eventually(lambda: len(site.requests) >= 80, END_S)
            site.fallback(resetting)
            return await ended(service, caller, crawl_id)

    view = asyncio.run(story())
    assert waited == [CrawlWait.SITE_DOWN] * 2
    assert (view.status, view.ended_by, view.provisional) == (CrawlStatus.DONE, CrawlEnd.UNREACHABLE, True)
    assert {status for _, status in paths(service, caller, view.id, site)} == {200}
    report = crawl_access.report(service, view)
    assert report is not None
    assert "site-timeouts" not in {finding.id for finding in report.findings}


@pytest.mark.full
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGQUIT])
def test_a_crawl_waits_while_the_database_is_away(
    tmp_path: Path, postgresql: Any, site: Site, number: int, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    give(site, 60, delay_s=0.05)
    for module, name, value in (
        (crawls, "CONFIRM_AFTER_S", 0.05),
        (store_writes, "PAUSE_S", 0.1),
        (store_writes, "TRIES", 1000),
        (crawl_jobs, "WAIT_S", 0),
    ):
        monkeypatch.setattr(module, name, value)
    url = postgresql.database()
    service = Service.open(opened_settings(tmp_path, url))
    caller = samples.owner(service)

    async def story() -> CrawlView:
        async with working(service):
            crawl_id = made(service, caller, site).id
            async with asyncio.timeout(END_S):
                await eventually(lambda: len(site.requests) >= 20)
                await asyncio.to_thread(postgresql.stop, number)
                await eventually(lambda: any("is paused: " in message or "cannot be stored yet" in message for message in caplog.messages))
                with pytest.raises(Unavailable):
                    await service.run(crawls.get, caller, crawl_id)
                await asyncio.to_thread(postgresql.start)
            return await ended(service, caller, crawl_id)

    try:
        view = asyncio.run(story())
        found = paths(service, caller, view.id, site)
    finally:
        service.close()
    postgresql.drop(url)
    assert (view.status, view.ended_by, view.counts["pages"]) == (CrawlStatus.DONE, CrawlEnd.COMPLETE, 61)
    assert {status for _, status in found} == {200}


@pytest.mark.full
def test_a_crawl_ends_by_its_time_and_goes_on_with_more(service: Service, caller: Caller, site: Site) -> None:
    give(site, 60, delay_s=0.1)

    async def story() -> tuple[CrawlView, CrawlView]:
        async with working(service):
            crawl_id = made(service, caller, site, seconds=1, connections=1).id
            first = await ended(service, caller, crawl_id)
            with pytest.raises(ValidationFailed):
                await service.run(crawls.resume, caller, crawl_id, CrawlResume(seconds=1))
            assert (await service.run(crawls.resume, caller, crawl_id)).settings.seconds == 2
            await ended(service, caller, crawl_id)
            await service.run(crawls.resume, caller, crawl_id, CrawlResume(seconds=3600))
            return first, await ended(service, caller, crawl_id)

    first, last = asyncio.run(story())
    assert (first.ended_by, first.provisional, first.settings.connections) == (CrawlEnd.TIME, True, 1)
    assert (last.ended_by, last.counts["pages"]) == (CrawlEnd.COMPLETE, 61)


@pytest.mark.full
def test_a_preview_is_judged_as_the_site_it_will_be(service: Service, caller: Caller, site: Site) -> None:
    make_shop(site, products=3)
    view = crawled(service, caller, made(service, caller, site, judged_as="https://www.example.com").id)
    with crawl_access.open_crawl(service, caller, view.id) as opened, opened.store.engine.connect() as connection:
        urls = {row.url for row in page_rows(connection, opened.state)}

    assert (view.url, view.ended_by) == (site.url("/"), CrawlEnd.COMPLETE)
    assert (view.settings.start_url, view.settings.preview_origin) == ("https://www.example.com/", site.base)
    assert {"https://www.example.com/", "https://www.example.com/shop"} <= urls
    assert not any(url.startswith(site.base) for url in urls)


def test_resources_and_external_links_are_requested_in_slices(
    service: Service, caller: Caller, site: Site, make_site: Callable[[], Site]
) -> None:
    other = make_site()
    other.page("/robots.txt", "User-agent: *\nDisallow:\n", content_type="text/plain")
    other.page("/fine", "fine")
    shown = f'<p><a href="{other.url("/fine")}">Fine</a> <a href="{other.url("/missing")}">Gone</a></p><img src="/gone.png" alt="Gone">'
    site.page("/", html("Start", shown, head='<link rel="stylesheet" href="/gone.css">'))
    view = crawled(service, caller, made(service, caller, site, external=True).id)
    report = crawl_access.report(service, view)

    assert (view.counts["external"], view.counts["resources"]) == (
        {"found_count": 2, "requested_count": 2, "known_count": 2},
        {"found_count": 2, "requested_count": 2, "known_count": 2},
    )
    assert report is not None
    found = Counter(finding.id for finding in report.findings)
    assert (found["site-external-broken"], found["site-assets-broken"]) == (1, 1)
    with crawl_access.open_crawl(service, caller, view.id) as opened, opened.store.reading() as connection:
        rows = CrawlTables(connection, opened.state)
        tables = {
            table: [row.status for row in rows.rows(table, PageSelection())]  # type: ignore[attr-defined]  # rows of this table have the field
            for table in (CrawlTable.IMAGES, CrawlTable.RESOURCES, CrawlTable.EXTERNAL)
        }
        left_out = [(row.url, row.reason, row.page) for row in rows.refused()]
    assert tables == {CrawlTable.IMAGES: [404], CrawlTable.RESOURCES: [404, 404], CrawlTable.EXTERNAL: [200, 404]}
    assert left_out == []


def test_wrong_fields_are_named_all_at_once(service: Service, caller: Caller) -> None:
    new = NewCrawl(
        "ftp://example.com/",
        hosts=("a b",),
        pages=0,
        depth=-1,
        include=("/*" * 2000,),
        rate=1000.0,
        connections=99,
        seconds=0,
        judged_as="https://www.example.com/shop",
        privacy=Privacy.PASSWORD,
    )
    with pytest.raises(ValidationFailed) as raised:
        crawls.create(service, caller, new)
    assert set(raised.value.errors) == {
        "url",
        "hosts",
        "pages",
        "depth",
        "include",
        "rate",
        "password",
        "connections",
        "seconds",
        "as",
    }
    with pytest.raises(ValidationFailed) as raised:
        crawls.create(service, caller, NewCrawl(listed_urls=("https://example.com/", "http://10.0.0.1/")))
    assert set(raised.value.errors) == {"list"}


def test_a_rolling_crawl_reports_the_whole_site(service: Service, caller: Caller, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    make_shop(site, products=6)
    monkeypatch.setattr("findable.service.crawls.crawl_run.CrawlRun.work.__defaults__", (2, 60.0))

    async def both() -> tuple[CrawlView, CrawlView]:
        async with working(service):
            first = await ended(service, caller, made(service, caller, site).id)
            site.page("/about", html("Another title", f"<p>{text('/about')}</p>"))
            upload = f"url,clicks\n{site.url('/about')},900\n{site.url('/shop')},40\n"
            url_data.upload(service, caller, str(first.project_id), data=upload)
            return first, await ended(service, caller, made(service, caller, site, rolling=4).id)

    first, rolling = asyncio.run(both())
    assert (rolling.settings.rolling, rolling.expected.requests, rolling.status) == (4, 4 + 2_000, CrawlStatus.DONE)
    assert (rolling.ended_by, rolling.coverage, rolling.provisional) == (CrawlEnd.COMPLETE, 1.0, False)
    assert (rolling.counts["requested"], rolling.counts["carried"]) == (4, first.counts["requested"] - 4)
    assert paths(service, caller, rolling.id, site) == paths(service, caller, first.id, site)
    changed = crawl_changes.changes(service, caller, rolling.id, ChangeQuery(kind=ChangeKind.TITLE))
    assert [change.url for change in changed.page.items] == [site.url("/about")]
    report = crawl_access.report(service, rolling)
    assert report is not None
    assert report.reading().startswith(f"{first.counts['requested']} URLs are known: 4 requested in this crawl; ")
    assert not crawls.is_resumable(rolling)


def test_quotas_of_an_account(tmp_path: Path, database_url: str) -> None:
    service = Service.open(opened_settings(tmp_path, database_url, crawls_at_once=2, crawl_pages=100))
    caller, other = samples.owner(service), samples.owner(service, "other@example.com")
    new = NewCrawl("https://example.com/", pages=60)
    first = crawls.create(service, caller, new).crawl
    with service.store.write() as session:
        session.crawls.change(first.id, int(now().timestamp()), requests=60)
    with pytest.raises(ValidationFailed) as raised:
        crawls.create(service, caller, new)
    assert set(raised.value.errors) == {"pages"}
    assert crawls.create(service, caller, NewCrawl("https://example.com/")).crawl.settings.pages == 40
    with pytest.raises(QuotaExceeded):
        crawls.create(service, caller, NewCrawl("https://example.com/"))
    crawls.delete(service, caller, first.id)
    assert crawls.create(service, caller, NewCrawl("https://example.com/")).crawl.settings.pages == 40
    assert crawls.create(service, other, new).crawl.settings.pages == 60
    service.close()


def test_an_account_with_an_operator_has_no_quota_of_urls(tmp_path: Path, database_url: str) -> None:
    service = Service.open(opened_settings(tmp_path, database_url, crawls_at_once=2, crawl_pages=100))
    start = first_start(service)
    assert start is not None
    caller, new = account_admin.owner_caller(service, start.email), NewCrawl("https://example.com/", pages=160)
    crawls.create(service, caller, new)
    crawls.create(service, caller, new)
    with pytest.raises(QuotaExceeded, match="2"):
        crawls.create(service, caller, new)
    service.close()


def test_little_disk_space_refuses_a_crawl(service: Service, caller: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(service.crawl_home), "free_bytes", lambda _home: 50_000_000)
    with pytest.raises(Unavailable, match="50 MB"):
        crawls.create(service, caller, NewCrawl("https://example.com/", pages=10_000))
    assert crawls.create(service, caller, NewCrawl("https://example.com/", pages=100)).crawl.expected.megabytes == 1


def test_accounts_take_turns_and_a_host_has_one_crawl_at_a_time(service: Service, caller: Caller) -> None:
    other = samples.owner(service, "other@example.com")
    for host in ("one.example", "two.example", "one.example", "three.example"):
        crawls.create(service, caller, NewCrawl(f"https://{host}/"))
    for host in ("four.example", "one.example"):
        crawls.create(service, other, NewCrawl(f"https://{host}/"))

    taken = [crawl_jobs.claim_some(service, "tests", 1)[0] for _ in range(4)]
    assert [(job.account_id, job.settings.start_url) for job in taken] == [
        (caller.account_id, "https://one.example/"),
        (other.account_id, "https://four.example/"),
        (caller.account_id, "https://two.example/"),
        (caller.account_id, "https://three.example/"),
    ]
    assert crawl_jobs.claim_some(service, "tests", 5) == []
    assert report_jobs.claim(service, "tests") is None
    crawl_jobs.hand_back(service, taken[0])
    assert crawl_jobs.claim_some(service, "tests", 5)[0].account_id == other.account_id


def test_a_worker_that_was_overtaken_writes_nothing(service: Service, caller: Caller) -> None:
    crawl_id = crawls.create(service, caller, NewCrawl("https://example.com/")).crawl.id
    first = service.crawl_home.make(crawl_id, 1)
    first.save_site(b"first")
    second = service.crawl_home.make(crawl_id, 2)
    with pytest.raises(CrawlTakenOver):
        first.save_site(b"late")
    second.save_site(b"second")
    first.close()
    second.close()


def test_a_crawl_that_loses_its_workers_again_and_again_fails(service: Service, caller: Caller) -> None:
    crawl_id = crawls.create(service, caller, NewCrawl("https://example.com/")).crawl.id
    for number in range(crawl_jobs.MAX_LOSS_POINTS // crawl_jobs.LOSS_POINTS):
        assert len(crawl_jobs.claim_some(service, "tests", 1)) == 1, number  # an operator's kills are no poison page
        crawl_jobs.sweep(service)
    view = crawls.get(service, caller, crawl_id)
    assert (view.status, view.failure) == (CrawlStatus.FAILED, CrawlFailure.WORKER_CRASHED)
    assert crawls.resume(service, caller, crawl_id).status is CrawlStatus.QUEUED


@pytest.mark.full
def test_kills_in_the_middle_change_nothing(tmp_path: Path, database_url: str, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    give(site, 120, delay_s=0.02)
    monkeypatch.setattr(crawls, "CONFIRM_AFTER_S", 0.05)
    monkeypatch.setattr(crawls, "FREE_BYTES", 0)
    service = Service.open(opened_settings(tmp_path, database_url))
    caller = samples.owner(service)
    options = ("--real", "--database", database_url, "--slice", 10, "--lost-after", 2, "--heartbeat", 0.5)
    crawl_id = made(service, caller, site).id
    kills = 0
    while kills < KILLS:
        with stub_service(tmp_path, *options):
            before = len(site.requests)
            until(lambda: len(site.requests) > before + 15)  # noqa: B023 - called at once
        kills += 1
    requests = len(site.requests)
    with stub_service(tmp_path, *options):
        until(lambda: crawls.get(service, caller, crawl_id).is_finished, END_S)
        assert requests < len(site.requests) <= 121 + 64 * KILLS + 40 * (KILLS + 1)
        second_id = made(service, caller, site).id
        until(lambda: crawls.get(service, caller, second_id).is_finished, END_S)

    killed, whole = crawls.get(service, caller, crawl_id), crawls.get(service, caller, second_id)
    assert (killed.status, killed.ended_by, killed.coverage) == (CrawlStatus.DONE, CrawlEnd.COMPLETE, 1.0)
    assert (killed.score, counted(killed), killed.findings) == (whole.score, counted(whole), whole.findings)
    assert paths(service, caller, crawl_id, site) == paths(service, caller, second_id, site)
    assert len(paths(service, caller, crawl_id, site)) == 121
    service.close()


def test_a_host_that_the_operator_denies_is_not_crawled(tmp_path: Path, database_url: str) -> None:
    service = Service.open(opened_settings(tmp_path, database_url, deny_hosts=("Denied.example",)))
    caller = samples.owner(service)
    for url in ("https://denied.example/", "http://shop.denied.example:8080/a"):
        with pytest.raises(ValidationFailed, match="operator"):
            crawls.create(service, caller, NewCrawl(url))
    assert service.guard.check_address("www.denied.example", 443, "8.8.8.8") is Refusal.DENIED_HOST
    assert service.guard.check_url("https://notdenied.example/") is None
    service.close()
    with pytest.raises(SettingError, match="DENY_HOSTS"):
        Service.open(opened_settings(tmp_path, database_url, deny_hosts=("https://denied.example/",)))


def test_stores_without_a_crawl_and_crawls_without_a_store_are_told(service: Service, caller: Caller) -> None:
    first, second = (crawls.create(service, caller, NewCrawl("https://example.com/")).crawl.id for _ in range(2))
    service.crawl_home.make(first, 1).close()
    service.crawl_home.make(99, 1).close()
    with service.store.write() as session:
        session.crawls.change(second, 1, requests=9, finished_at=1)
    found = stored_crawls(service)
    assert (found.count, found.orphans, found.missing) == (2, (99,), (second,))
    assert found.size_bytes > 0
    assert service.crawl_home.crawl_ids() == [first, 99]

    url = service.settings.database_url
    folder = service.settings.data_dir / "copies"
    if service.store.is_shared:
        with pytest.raises(StoreDamaged, match="pg_dump"):
            back_up_crawls(url, folder)
    else:
        assert back_up_crawls(url, folder) == 2
        assert back_up_crawls(url, folder) == 2
        assert sorted(path.name for path in folder.iterdir()) == ["1.sqlite", "99.sqlite"]
        CrawlFile(folder / "1.sqlite", read_only=True).close()


def test_a_new_crawl_never_finds_what_a_restored_backup_left_behind(service: Service, caller: Caller) -> None:
    service.crawl_home.make(1, 1).save_site(b"left behind")
    crawl_id = crawls.create(service, caller, NewCrawl("https://example.com/")).crawl.id
    assert (crawl_id, service.crawl_home.crawl_ids()) == (1, [])


def test_crawls_of_a_deleted_project_go_with_it(service: Service, caller: Caller) -> None:
    crawl_id = crawls.create(service, caller, NewCrawl("https://example.com/")).crawl.id
    service.crawl_home.make(crawl_id, 1).close()
    projects.delete(service, caller, "example.com")
    assert crawls.find(service, caller, CrawlQuery()).items == ()
    assert not housekeeping.purge_deleted(service)
    crawl_jobs.purge_deleted(service)
    while housekeeping.purge_deleted(service):
        pass
    assert service.crawl_home.crawl_ids() == []
    with service.store.read() as session:
        assert (session.crawls.all_ids(), session.projects.deleted_projects()) == (set(), [])


def test_lists_of_crawls_are_sorted_and_cut(service: Service, caller: Caller) -> None:
    made_ids = [crawls.create(service, caller, NewCrawl(f"https://{host}.example/")).crawl.id for host in "bac"]
    crawls.stop(service, caller, made_ids[0])

    def listed(**query: Any) -> list[str]:
        return [crawl.project.partition(".")[0] for crawl in crawls.find(service, caller, CrawlQuery(**query)).items]

    assert listed() == ["c", "a", "b"]
    assert listed(sort_by="url", descending=False) == ["a", "b", "c"]
    assert listed(status=CrawlStatus.STOPPED) == ["b"]
    assert listed(project="a.example") == ["a"]
    assert listed(project="missing.example") == []
    first = crawls.find(service, caller, CrawlQuery(sort_by="url", per_page=10))
    assert (first.total, first.next_cursor) == (3, None)


def test_a_page_of_the_crawl_before_is_requested_though_nothing_leads_to_it(service: Service, caller: Caller, site: Site) -> None:
    give(site, 5)

    async def story() -> tuple[CrawlView, CrawlView]:
        async with working(service):
            first = await ended(service, caller, made(service, caller, site).id)
            give(site, 3)
            return first, await ended(service, caller, made(service, caller, site).id)

    first, second = asyncio.run(story())
    assert second.previous is not None
    assert (first.counts["pages"], second.counts["pages"], second.previous.crawl) == (6, 6, first.id)
    assert ("/page-4", 200) in paths(service, caller, second.id, site)


@pytest.mark.full
def test_a_crawl_that_waits_can_be_stopped(service: Service, caller: Caller, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    give(site, 200)

    async def story() -> tuple[CrawlView, CrawlView]:
        async with working(service):
            crawl_id = made(service, caller, site).id
            async with asyncio.timeout(END_S):
                await eventually(lambda: len(site.requests) >= 80)
                site.fallback(resetting)
                while (waiting := await service.run(crawls.get, caller, crawl_id)).waits_for is None:  # noqa: ASYNC110 - of a condition that is awaited itself
                    await asyncio.sleep(0.05)
            await service.run(crawls.stop, caller, crawl_id)
            return waiting, await ended(service, caller, crawl_id)

    waiting, stopped = asyncio.run(story())
    assert (waiting.status, waiting.waits_for) == (CrawlStatus.RUNNING, CrawlWait.SITE_DOWN)
    assert (stopped.status, stopped.waits_for, stopped.ended_by) == (CrawlStatus.STOPPED, None, CrawlEnd.STOPPED)


def test_a_redirect_map_is_stored_with_its_targets(service: Service, caller: Caller) -> None:
    listed = ("https://example.com/old https://example.com/new", "https://example.com/a")
    view = crawls.create(service, caller, NewCrawl(listed_urls=listed)).crawl
    (job,) = crawl_jobs.claim_some(service, "tests", 1)

    assert (view.url, view.is_list, view.settings.pages) == ("https://example.com/old", True, 2)
    assert job.settings.urls == ("https://example.com/old", "https://example.com/a")
    assert job.settings.expected == (("https://example.com/old", "https://example.com/new"),)
    with pytest.raises(ValidationFailed):
        crawls.create(service, caller, NewCrawl(listed_urls=("https://a.example/ https://b.example/ https://c.example/",)))


def test_a_database_without_room_for_schemas_is_told(service: Service, postgresql: Any) -> None:
    if not service.store.is_shared:
        assert service.crawl_home.problem() == ""
        return
    name = service.settings.database_url.partition("?")[0].rpartition("/")[2]
    postgresql.execute("DROP ROLE IF EXISTS guest")
    postgresql.execute("CREATE ROLE guest LOGIN")
    postgresql.execute(f"REVOKE CREATE ON DATABASE {name} FROM guest")
    home = crawl_home(service.settings.database_url.replace("postgres@", "guest@"))
    assert home.problem().startswith("the database role cannot create schemas")
    with pytest.raises(CrawlStoreError, match="permission denied"):
        home.make(1, 1)
    home.close()
    assert service.crawl_home.problem() == ""


def test_a_crawl_that_was_claimed_and_requested_nothing_stops(service: Service, caller: Caller, site: Site) -> None:
    give(site, 3)
    crawl_id = made(service, caller, site).id
    (job,) = crawl_jobs.claim_some(service, "tests", 1)
    crawl_jobs.hand_back(service, job)
    assert crawls.stop(service, caller, crawl_id).is_stopping

    async def story() -> tuple[CrawlView, CrawlView]:
        async with working(service):
            stopped = await ended(service, caller, crawl_id)
            await service.run(crawls.resume, caller, crawl_id)
            return stopped, await ended(service, caller, crawl_id)

    stopped, resumed = asyncio.run(story())
    assert (stopped.status, stopped.score, stopped.counts["pages"]) == (CrawlStatus.STOPPED, None, 0)
    assert (resumed.status, resumed.ended_by, resumed.counts["pages"]) == (CrawlStatus.DONE, CrawlEnd.COMPLETE, 4)
