"""A staging site that lets nobody in without a login and a cookie, reported by the service: the secrets reach it, and nothing else."""

import asyncio
import base64
import html
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET

from findable.capture.saved import load
from findable.errors import UNREACHED
from findable.export.report_csv import to_csv
from findable.reports.page_error_text import sentences_of
from findable.service.accounts import account_admin, api_keys
from findable.service.accounts.callers import authenticate_key
from findable.service.projects import projects
from findable.service.reports import reports
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.project_values import IdentityChanges, IdentityView, ProjectChanges
from findable.service.values.report_values import NewReport, ReportChanges, ReportView
from findable.settings import Settings
from findable.vocabulary import Status
from findable.worker.fetchers import MAX_IDLE, Fetchers
from findable.worker.report_worker import ReportWorker
from tests.reports import report_json
from tests.sites.server import Page, Request, Site, dynamic
from tests.worker.test_reports_of_real_sites import WAIT_S, made, story

USER, PASSWORD = "anna", "staging/s3cret&pass"
COOKIE, TOKEN, AGENT = "c00kie-4711-value", "t0ken-0815-value", "AcmePreview/9.77"
BASIC = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
SECRETS = (PASSWORD, html.escape(PASSWORD), COOKIE, TOKEN, AGENT, BASIC)
IDENTITY = IdentityChanges((USER, PASSWORD), (("X-Token", TOKEN),), (("pass", COOKIE),), AGENT)
SENT = {"authorization", "cookie", "x-token"}


def is_let_in(request: Request) -> bool:
    headers = request.headers
    return headers.get("authorization") == f"Basic {BASIC}" and headers.get("cookie") == f"pass={COOKIE}"


def answer(request: Request, other: Site) -> Page:
    """What the staging site says to each request; the page shows the request it was sent, as such sites do."""
    if not is_let_in(request):
        return Page(b"<!doctype html><title>No</title>", 401, [("WWW-Authenticate", 'Basic realm="staging"')])
    if request.path == "/robots.txt":
        return Page(b"User-agent: *\nDisallow: /private\nSitemap: /sitemap.xml\n", 200, [("Content-Type", "text/plain")])
    if request.path == "/away":
        return Page(b"", 302, [("Location", other.url("/landed"))])
    if request.path == "/loop":
        return Page(b"", 302, [("Location", f"/loop?was={PASSWORD}")])
    shown = "".join(f"<li>{html.escape(f'{name}: {value}')}</li>" for name, value in request.headers.items())
    text = (
        f'<!doctype html><html lang="en"><head><title>The next release of our shop</title><meta name="description" content="{TOKEN}">'
        f'<script>var sent = "{PASSWORD}"; var cookie = "{COOKIE}"</script></head><body><h1>Release</h1><ul>{shown}</ul>'
        f'<p><a href="/about">About us</a> <a href="/away">Away</a> <a href="{other.url("/elsewhere")}">Elsewhere</a> '
        f'<a href="/search?token={TOKEN}">Search</a><img src="/own.png" alt="Own"><img src="{other.url("/pixel.png")}" alt="Theirs"></p>'
        "</body></html>"
    )
    return Page(text.encode(), 200, [("X-Echo", f"{request.headers.get('authorization')}; {COOKIE}"), ("X-Agent", AGENT)])


@pytest.fixture
def staging(site: Site, other: Site) -> Site:
    site.fallback(dynamic(lambda request: answer(request, other)))
    return site


@pytest.fixture
def other(make_site: Any) -> Iterator[Site]:
    made_site: Site = make_site()
    made_site.fallback(Page(b"<!doctype html><title>Another site</title>"))
    yield made_site
    for request in made_site.requests:  # whatever a test does: it never learns anything
        assert not SENT & set(request.headers), request
        assert not any(secret in str(request) for secret in SECRETS)


@asynccontextmanager
async def with_another_secret(folder: Path, *sites: Site) -> AsyncIterator[Service]:
    """The service once more over the same data."""
    targets = tuple(f"127.0.0.1:{site.port}" for site in sites)
    service = Service.open(Settings(data_dir=folder, secret_key="another" * 6, allow_targets=targets), exclusive=True)
    worker = ReportWorker(service)
    await worker.start()
    try:
        yield service
    finally:
        await worker.stop()
        service.close()


async def again(service: Service, caller: Caller, report: ReportView) -> ReportView:
    reports.update(service, caller, report.id, ReportChanges(results=True))
    assert await service.wait_until_done(report.id, WAIT_S)
    return reports.get(service, caller, report.id)


async def told_of(service: Service, caller: Caller, url: str) -> ReportView:
    """A report of a project that knows how to get in."""
    first = await made(service, caller, url)
    projects.update(service, caller, str(first.project_id), ProjectChanges(identity=IDENTITY))
    return await again(service, caller, first)


def test_s16_a_staging_site_is_reported_and_nobody_else_sees_the_secrets(
    tmp_path: Path, staging: Site, other: Site, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)

    async def tell(service: Service, caller: Caller) -> None:
        first = await made(service, caller, staging.url("/"))
        assert first.error is not None
        assert first.error.code == "login_required"
        staging.requests.clear()
        view = projects.update(service, caller, str(first.project_id), ProjectChanges(identity=IDENTITY))
        assert view.identity == IdentityView(basic=True, headers=("X-Token",), cookies=1, user_agent=True)

        report = await again(service, caller, first)
        assert report.status is Status.DONE, report.error
        assert report.score is not None
        assert report.report is not None
        assert all(is_let_in(request) for request in staging.requests)
        assert {"/", "/robots.txt", "/sitemap.xml", "/own.png", "/about", "/favicon.ico"} <= {request.path for request in staging.requests}
        assert {request.path for request in other.requests} >= {"/landed", "/elsewhere", "/pixel.png", "/robots.txt"}
        assert {request.headers["user-agent"] for request in staging.requests if "Mobile" not in request.headers["user-agent"]} == {AGENT}
        verdicts = {row.id: row.verdict for row in report.report.findings}
        assert verdicts["links-internal-broken"] == "passed"

        saved = reports.saved_page(service, caller, report.id)
        texts = [
            saved.decode(),
            str(report_json(report.report)),
            to_csv(report.report).decode(),
            str(report),
            str(projects.get(service, caller, str(report.project_id))),
        ]
        for secret in SECRETS:
            assert not [text for text in texts if secret in text], secret
        page = load(saved).page.response
        assert b"The next release" in page.body
        assert b'<script>var sent = "*******************"' in page.body
        assert len(page.body) == page.wire_bytes

    story(tmp_path, (staging, other), tell, saved_page_runs=5)
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    for secret in SECRETS:
        assert secret.encode() not in kept
        assert secret not in caplog.text


def test_s16_what_a_site_quotes_on_the_way_is_not_told(tmp_path: Path, staging: Site, other: Site) -> None:
    async def tell(service: Service, caller: Caller) -> None:
        report = await told_of(service, caller, staging.url("/loop"))
        assert report.error is not None
        assert report.error.code == "too_many_redirects"
        assert PASSWORD not in sentences_of(report.error)
        assert "/loop?was=" in sentences_of(report.error)

    story(tmp_path, (staging, other), tell)


def test_s16_a_page_that_redirects_elsewhere_takes_nothing_along(tmp_path: Path, staging: Site, other: Site) -> None:
    async def tell(service: Service, caller: Caller) -> None:
        report = await told_of(service, caller, staging.url("/away"))
        assert report.status is Status.DONE
        assert other.asked("/landed")
        assert [request.headers["user-agent"] for request in other.requests if "AcmePreview" in request.headers["user-agent"]] == []

    story(tmp_path, (staging, other), tell)


def test_s16_another_account_gets_nothing_of_it(tmp_path: Path, staging: Site, other: Site) -> None:
    async def tell(service: Service, caller: Caller) -> None:
        await told_of(service, caller, staging.url("/"))
        account_admin.create_account(service, "other@example.com")
        stranger = authenticate_key(service, api_keys.create_key(service, "other@example.com").token)
        staging.requests.clear()
        report = await made(service, stranger, staging.url("/"))
        assert report.error is not None
        assert report.error.code == "login_required"
        assert not any(SENT & set(request.headers) for request in staging.requests)

    story(tmp_path, (staging, other), tell)


def test_f42_with_another_secret_it_must_be_entered_again(tmp_path: Path, staging: Site, other: Site) -> None:
    kept: dict[str, int] = {}

    async def before(service: Service, caller: Caller) -> None:
        report = await told_of(service, caller, staging.url("/"))
        kept.update(report=report.id, project=report.project_id)

    story(tmp_path, (staging, other), before)
    staging.requests.clear()

    async def after() -> None:
        async with with_another_secret(tmp_path, staging, other) as opened:
            caller = authenticate_key(opened, api_keys.create_key(opened, "owner@example.com").token)
            report = await again(opened, caller, reports.get(opened, caller, kept["report"]))
            assert report.status is Status.DONE  # the earlier result stays
            assert report.last_error is not None
            assert report.last_error.code == "identity_unreadable"
            assert staging.requests == []
            name = str(kept["project"])
            assert projects.get(opened, caller, name).identity == IdentityView(
                basic=False, headers=(), cookies=0, user_agent=False, readable=False
            )
            projects.update(opened, caller, name, ProjectChanges(identity=IDENTITY))
            assert (await again(opened, caller, report)).last_error is None

    asyncio.run(after())


def test_it_changes_in_parts_and_goes_when_nothing_is_left(tmp_path: Path, staging: Site, other: Site) -> None:
    async def tell(service: Service, caller: Caller) -> None:
        report = await told_of(service, caller, staging.url("/"))
        name = str(report.project_id)
        changed = projects.update(service, caller, name, ProjectChanges(identity=IdentityChanges(headers=(), user_agent="")))
        assert changed.identity == IdentityView(basic=True, headers=(), cookies=1, user_agent=False)
        staging.requests.clear()
        assert (await again(service, caller, report)).last_error is None
        assert all(is_let_in(request) and "x-token" not in request.headers for request in staging.requests)
        gone = projects.update(service, caller, name, ProjectChanges(identity=IdentityChanges(None, UNSET, ())))
        assert gone.identity is None

    story(tmp_path, (staging, other), tell)


def test_a_login_does_not_travel_unencrypted_unasked(tmp_path: Path, staging: Site, other: Site) -> None:
    async def tell(service: Service, caller: Caller) -> None:
        await told_of(service, caller, staging.url("/"))
        staging.requests.clear()
        staging.greeting = b"This is no TLS.\r\n"
        created = reports.create(service, caller, NewReport(f"127.0.0.1:{staging.port}/"))
        assert await service.wait_until_done(created.report.id, WAIT_S)
        report = reports.get(service, caller, created.report.id)
        assert report.error is not None
        assert report.error.code in UNREACHED
        assert report.url.startswith("https://")

    story(tmp_path, (staging, other), tell)


def test_fetchers_with_a_login_are_closed_when_there_are_many() -> None:
    closed: list[int] = []

    class Counted:
        def __init__(self, number: int) -> None:
            self.number = number

        async def close(self) -> None:
            closed.append(self.number)

    async def main() -> None:
        numbers = iter(range(100))
        fetchers = Fetchers(lambda _politeness: Counted(next(numbers)))  # type: ignore[arg-type,return-value] # only closed here
        async with fetchers.of() as everybodys, fetchers.of("0") as used:
            for name in range(1, MAX_IDLE + 3):
                async with fetchers.of(str(name)):
                    pass
            assert len(closed) == 2
            async with fetchers.of("0") as same, fetchers.of() as shared:
                assert same is used
                assert shared is everybodys
        await fetchers.close()
        assert len(closed) == len(set(closed)) == MAX_IDLE + 4

    asyncio.run(main())
