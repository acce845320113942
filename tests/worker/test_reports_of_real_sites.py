"""From an accepted report to its result, over a real fetcher, real processes and a real database."""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest

from findable.capture.saved import load
from findable.reports.analysis import analyse
from findable.service.accounts import account_admin, api_keys
from findable.service.accounts.callers import authenticate_key
from findable.service.projects import projects
from findable.service.reports import reports
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.project_values import ProjectChanges
from findable.service.values.report_values import NewReport, ReportChanges, ReportView
from findable.settings import Settings
from findable.vocabulary import Status
from findable.worker.report_worker import ReportWorker
from tests.reports import report_json
from tests.sites.server import Page, Site, dynamic
from tests.worker.processes import eventually

Made = TypeVar("Made")
SOON_S = 5.0
WAIT_S = 60.0
"""Generous: a busy machine is no fault of the service."""


@asynccontextmanager
async def serving(tmp_path: Path, *sites: Site, **more: Any) -> AsyncIterator[tuple[Service, Caller]]:
    targets = tuple(f"127.0.0.1:{site.port}" for site in sites)
    settings = Settings(data_dir=tmp_path, secret_key="k" * 40, allow_targets=targets, **more)
    service = Service.open(settings, exclusive=True)
    account_admin.create_account(service, "owner@example.com")
    caller = authenticate_key(service, api_keys.create_key(service, "owner@example.com").token)
    worker = ReportWorker(service)
    await worker.start()
    try:
        yield service, caller
    finally:
        await worker.stop()
        service.close()


def story(tmp_path: Path, sites: tuple[Site, ...], tell: Callable[[Service, Caller], Awaitable[Made]], **settings: Any) -> Made:
    async def main() -> Made:
        async with serving(tmp_path, *sites, **settings) as (service, caller):
            return await tell(service, caller)

    return asyncio.run(main())


async def made(service: Service, caller: Caller, url: str) -> ReportView:
    """A report of that address, when it is settled."""
    created = reports.create(service, caller, NewReport(url))
    assert await service.wait_until_done(created.report.id, WAIT_S)
    return reports.get(service, caller, created.report.id)


def html(body: str = "") -> str:
    return f'<!doctype html><html lang="en"><head><title>A page of a test site</title></head><body><h1>A page</h1>{body}</body></html>'


def test_a_page_becomes_a_rated_report_and_its_saved_page_gives_the_same_result(tmp_path: Path, site: Site) -> None:
    url = site.page("/page", html())

    async def tell(service: Service, caller: Caller) -> None:
        report = await made(service, caller, url)
        saved = reports.saved_page(service, caller, report.id)

        assert report.status is Status.DONE
        assert report.score is not None
        assert analyse(load(saved)) == report.report

    story(tmp_path, (site,), tell)


def test_robots_txt_that_shuts_everybody_out_is_a_finding_not_an_obstacle(tmp_path: Path, site: Site) -> None:
    url = site.page("/page", html())
    site.page("/robots.txt", "User-agent: *\nDisallow: /\n", content_type="text/plain")

    async def tell(service: Service, caller: Caller) -> None:
        report = await made(service, caller, url)
        assert report.report is not None
        row = next(row for row in report.report.findings if row.id == "robots-txt-allows")

        assert report.status is Status.DONE
        assert report.score is not None
        assert report.score <= 49
        assert row.verdict == "failed"
        assert any("Disallow: /" in item.text for item in row.evidence)

    story(tmp_path, (site,), tell)


def test_a_page_that_is_not_seen_fails_with_its_code(tmp_path: Path, site: Site) -> None:
    url = site.page("/login", "", status=401)

    async def tell(service: Service, caller: Caller) -> None:
        report = await made(service, caller, url)

        assert report.status is Status.FAILED
        assert report.result is None
        assert report.error is not None
        assert report.error.code == "login_required"

    story(tmp_path, (site,), tell)


def test_an_address_that_is_not_allowed_is_refused(tmp_path: Path, site: Site, make_site: Callable[..., Site]) -> None:
    other = make_site()
    url = site.redirect("/away", other.page("/page", html()))

    async def tell(service: Service, caller: Caller) -> None:
        report = await made(service, caller, url)

        assert report.error is not None
        assert report.error.code == "target_refused"
        assert other.requests == []

    story(tmp_path, (site,), tell)


def test_five_hundred_slow_links_fit_the_default_wait(tmp_path: Path, site: Site) -> None:
    links = "".join(f'<a href="/link-{number}">Link number {number}</a> ' for number in range(500))
    url = site.page("/page", html(links))
    site.fallback(dynamic(lambda _request: Page(b"<!doctype html><title>x</title>", 200, (), 0.1)))

    async def tell(service: Service, caller: Caller) -> dict[str, Any]:
        report = await made(service, caller, url)
        assert report.report is not None
        return next(row for row in report_json(report.report)["results"] if row["id"] == "links-internal-broken")

    row = story(tmp_path, (site,), tell)
    asked = len({request.path for request in site.requests if request.path.startswith("/link-")})

    assert 10 <= asked <= 80
    assert 500 - asked in row["params"].values()


@pytest.mark.full
def test_a_hundred_reports_of_one_site_cost_one_set_of_site_requests(tmp_path: Path, site: Site) -> None:
    for number in range(100):
        site.page(f"/page-{number}", html(f'<img src="/picture-{number}.png" alt="A picture"><a href="/about">About</a>'))
    site.page("/about", html())

    async def tell(service: Service, caller: Caller) -> None:
        made_ids = [reports.create(service, caller, NewReport(site.url(f"/page-{number}"))).report.id for number in range(100)]
        for report_id in made_ids:
            assert await service.wait_until_done(report_id, 60)
            assert reports.get(service, caller, report_id).status is Status.DONE

    story(tmp_path, (site,), tell)
    asked = Counter(request.path for request in site.requests if "Mobile" not in request.headers["user-agent"])
    as_phone = Counter(request.path for request in site.requests if "Mobile" in request.headers["user-agent"])

    assert {asked[f"/page-{number}"] for number in range(100)} == {1}
    assert as_phone == {f"/page-{number}": 1 for number in range(100)}
    assert asked["/robots.txt"] == 1
    assert asked["/favicon.ico"] == 2  # for the check, and for the picture beside the name of the site
    assert asked["/llms.txt"] == 1
    # Six reports run side by side. Each may check the link before the first of them has told the others: by HEAD, and by GET to compare.
    assert asked["/about"] <= 2 * 6


def test_generating_again_asks_the_site_anew(tmp_path: Path, site: Site) -> None:
    url = site.page("/page", html())

    async def tell(service: Service, caller: Caller) -> None:
        report = await made(service, caller, url)
        reports.update(service, caller, report.id, ReportChanges(results=True))
        assert await service.wait_until_done(report.id, WAIT_S)

        assert reports.get(service, caller, report.id).run == 2
        assert len(site.asked("/robots.txt")) == 2

    story(tmp_path, (site,), tell)


def test_the_address_a_page_ends_at_says_whether_it_is_meant_for_search(tmp_path: Path, site: Site) -> None:
    site.page("/thanks", html())
    url = site.redirect("/order", site.url("/thanks"))

    async def tell(service: Service, caller: Caller) -> None:
        told = []
        for patterns in ([], ["/thanks"], ["/order"]):
            report = await made(service, caller, url)
            projects.update(service, caller, str(report.project_id), ProjectChanges(not_for_search=patterns))
            reports.update(service, caller, report.id, ReportChanges(results=True))
            assert await service.wait_until_done(report.id, WAIT_S)
            found = reports.get(service, caller, report.id).report
            assert found is not None
            told.append(found.not_for_search)
        assert told == [False, True, False]

    story(tmp_path, (site,), tell)


def test_a_host_without_a_scheme_is_tried_over_http_too(tmp_path: Path, site: Site) -> None:
    site.page("/page", html())

    async def tell(service: Service, caller: Caller) -> None:
        report = await made(service, caller, f"127.0.0.1:{site.port}/page")

        assert report.status is Status.DONE
        assert report.url == site.url("/page")

    story(tmp_path, (site,), tell)


def test_phones_are_asked_for_always_and_crawlers_where_the_setting_wants_it(tmp_path: Path, site: Site) -> None:
    site.page("/robots.txt", "User-agent: PerplexityBot\nUser-agent: Claude-SearchBot\nDisallow: /", content_type="text/plain")
    site.page("/page", html("<p>Bread and more bread.</p>"))

    async def tell(service: Service, caller: Caller) -> dict[str, str]:
        report = await made(service, caller, site.url("/page"))
        assert report.report is not None
        return {finding.id: finding.verdict for finding in report.report.findings}

    asked = story(tmp_path / "asked", (site,), tell, ask_as_crawlers=True)
    assert (asked["mobile-parity"], asked["ai-edge-access"]) == ("passed", "passed")
    left = story(tmp_path / "left", (site,), tell)
    assert (left["mobile-parity"], left["ai-edge-access"]) == ("passed", "inapplicable")


@pytest.mark.full
def test_s92_hanging_pages_of_one_account_hold_up_no_other_account_at_the_host(tmp_path: Path, site: Site) -> None:
    url = site.page("/page", html('<a href="/a">a</a><a href="/b">b</a><img src="/c.png" alt="c">'))
    hanging = [site.page(f"/slow{n}", html(), delay_s=20) for n in range(12)]

    async def tell(service: Service, greedy: Caller) -> float:
        account_admin.create_account(service, "other@example.com")
        other = authenticate_key(service, api_keys.create_key(service, "other@example.com").token)
        for slow in hanging:
            reports.create(service, greedy, NewReport(slow))
        await eventually(lambda: sum(request.target.startswith("/slow") for request in site.requests) >= 3)
        began_s = time.monotonic()
        report = await made(service, other, url)
        assert report.score is not None
        return time.monotonic() - began_s

    assert story(tmp_path, (site,), tell) < SOON_S
