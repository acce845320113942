"""Crawls inside the service, of real sites on loopback: accepted, worked in slices, settled, stopped, continued, deleted."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from findable.capture.crawl import CrawlEnd
from findable.service.crawls import crawl_access, crawls
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.crawl_values import CrawlStatus, CrawlView, NewCrawl
from findable.store.crawl_pages import page_rows
from findable.worker import crawl_task
from findable.worker.page_analyser import ReportWorker
from tests.conftest import new_database
from tests.crawl_sites import make_shop
from tests.service import samples
from tests.sites.server import Site

END_S = 90


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Both kinds: a crawl is a file on one, a schema on the other."""
    with new_database(request, tmp_path) as url:
        yield url


@pytest.fixture
def service(tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    monkeypatch.setattr(crawls, "CONFIRM_AFTER_S", 0.05)
    monkeypatch.setattr(crawls, "FREE_BYTES", 0)
    monkeypatch.setattr(crawl_task, "LEAST_FREE_BYTES", 0)
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
    assert (before.status, before.expected.requests, before.counts) == (CrawlStatus.QUEUED, 10_000, {})

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


def test_slices_add_up_to_the_same_crawl(service: Service, caller: Caller, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    make_shop(site)

    async def both() -> tuple[CrawlView, CrawlView]:
        async with working(service):
            whole = await ended(service, caller, made(service, caller, site).id)
            monkeypatch.setattr("findable.service.crawls.crawl_run.CrawlRun.work.__defaults__", (7, 60.0))
            return whole, await ended(service, caller, made(service, caller, site).id)

    whole, sliced = asyncio.run(both())
    assert paths(service, caller, sliced.id, site) == paths(service, caller, whole.id, site)
    assert (sliced.score, sliced.findings, sliced.counts) == (whole.score, whole.findings, whole.counts)
    assert sliced.previous == whole.id
