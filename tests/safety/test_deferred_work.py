"""Work that runs later than it was requested, by every role: which site is requested with whose login, and where reports and crawls appear."""

import asyncio
import base64
import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import func, select, update

from findable.errors import Forbidden, NotFound, PageErrorCode, RequestError, ValidationFailed
from findable.jobs import embedded
from findable.service.accounts import account_admin, api_keys
from findable.service.accounts.callers import authenticate_key
from findable.service.accounts.deferred_work import NOT_PERMITTED
from findable.service.crawls import crawls
from findable.service.delivery import feeds
from findable.service.projects import projects, schedules, url_data
from findable.service.reports import batch_sitemaps, batches, imports, reports
from findable.service.reports.batches import NewBatch
from findable.service.reports.finding_rechecks import recheck_finding
from findable.service.reports.imports import ImportOutcome
from findable.service.reports.other_server import SourceServer
from findable.service.results.access_settings import NOT_THERE, OTHER_PROJECT
from findable.service.runtime.json_requests import allowed_host, unpaused_fetcher
from findable.service.runtime.service import Service, guard_of
from findable.service.values.caller import SCOPES, Caller
from findable.service.values.crawl_values import CrawlFailure, CrawlQuery, NewCrawl
from findable.service.values.project_values import IdentityChanges, ProjectChanges
from findable.service.values.report_values import NewReport, ReportChanges, ReportQuery
from findable.service.values.schedule_values import ScheduleCreate, ScheduledWork, ScheduleOptions, ScheduleProblem
from findable.settings import Settings
from findable.store.schema.job_tables import job
from findable.store.schema.site_tables import page_watch, schedule
from findable.web import agent_tools
from findable.web.agent_tools import AgentTools
from findable.worker import worker_loop
from findable.worker.report_worker import ReportWorker
from tests.sites.server import Page, Request, Site, dynamic
from tests.tiers import sampled
from tests.worker.processes import eventually

STAYS, LOSES, LEAVES = "stays", "loses the role", "leaves"
SITEMAP = '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{}</urlset>'


class Role(Struct, frozen=True):
    """Person who requests work in project X, whose own site is X, and tries to reach project S."""

    account: str
    here: str = ""
    """Role in project X; empty for none."""
    later: str = STAYS
    """What happens to the person between the request and the work."""
    scopes: frozenset[str] = SCOPES

    @property
    def projects_read_later(self) -> str | None:
        """Projects that the person may read when the work is done: letters of X and S; None if the person left."""
        if self.later == LEAVES:
            return None
        if self.later == LOSES:
            return "XS" if self.account == "member" else ""
        return "X" if self.account == "projects" else "XS"

    @property
    def may_here(self) -> bool:
        return "write" in self.scopes and (self.account in ("owner", "member") or self.here in ("owner", "member"))

    @property
    def may_elsewhere(self) -> bool:
        return "write" in self.scopes and self.account in ("owner", "member")


ROLES = {
    "member of X": Role("projects", "member"),
    "member of X, then none": Role("projects", "member", LOSES),
    "member": Role("member"),
    "owner": Role("owner"),
    "viewer": Role("viewer"),
    "owner of X": Role("projects", "owner"),
    "viewer of X": Role("projects", "viewer"),
    "viewer who is a member of X": Role("viewer", "member"),
    "key that reads": Role("member", scopes=frozenset({"read"})),
    "key that writes": Role("member", scopes=frozenset({"write"})),
    "member, then viewer": Role("member", later=LOSES),
    "member who left": Role("member", later=LEAVES),
    "member of X who left": Role("projects", "member", LEAVES),
    "owner, then none": Role("owner", later=LOSES),
}


def login(name: str) -> str:
    return "Basic " + base64.b64encode(f"{name}:password-of-{name}".encode()).decode()


class Scene(Struct):
    """Two projects of an account, each with a login for its site, and a person with a role."""

    service: Service
    owner: Caller
    caller: Caller
    here: Site
    there: Site

    def name(self, site: Site) -> str:
        return f"127.0.0.1:{site.port}"

    def attempts(self) -> dict[str, Callable[[], object]]:
        """All requests for work that runs later; paths of S name the request, so that it is known who requested them."""
        service, caller, here, there = self.service, self.caller, self.here, self.there
        own = self.name(here)

        def scheduled(**settings: Any) -> Callable[[], object]:
            return lambda: schedules.create(service, caller, ScheduleCreate(project=own, settings=ScheduleOptions(**settings)))

        def crawl_by_schedule(site: Site) -> Callable[[], object]:
            settings = ScheduleOptions(url=site.url("/scheduled-crawl"), pages=1, rate=20.0)
            return lambda: schedules.create(service, caller, ScheduleCreate(project=own, what=ScheduledWork.CRAWL, settings=settings))

        def many(*urls: str) -> Callable[[], object]:
            return lambda: batches.create(service, caller, NewBatch(urls))

        def by_sitemap() -> object:
            new = asyncio.run(batch_sitemaps.read_sitemap(service, caller, there.url("/sitemap-batch.xml")))
            return batches.create(service, caller, new)

        def by_agent(site: Site) -> Callable[[], object]:
            return lambda: asyncio.run(AgentTools(service, caller).audit_page(site.url("/agent"), fresh=True))

        return {
            "schedule": scheduled(),
            "schedule with a sitemap of X": scheduled(sitemap=here.url("/evil.xml")),
            "schedule with a sitemap of S": scheduled(sitemap=there.url("/sitemap-schedule.xml")),
            "schedule of a crawl": crawl_by_schedule(here),
            "schedule of a crawl of S": crawl_by_schedule(there),
            "batch": many(here.url("/batch")),
            "batch with S": many(here.url("/batch"), there.url("/batch")),
            "batch of a sitemap of S": by_sitemap,
            "report": lambda: reports.create(service, caller, NewReport(here.url("/report"))),
            "report of S": lambda: reports.create(service, caller, NewReport(there.url("/report"))),
            "run again": lambda: reports.update(service, caller, self.report_of(here), ReportChanges(results=True)),
            "run again of S": lambda: reports.update(service, caller, self.report_of(there), ReportChanges(results=True)),
            "crawl": lambda: crawls.create(service, caller, NewCrawl(url=here.url("/crawl"), pages=1, rate=20.0)),
            "crawl of S": lambda: crawls.create(service, caller, NewCrawl(url=there.url("/crawl"), pages=1, rate=20.0)),
            "resumed crawl": lambda: crawls.resume(service, caller, self.stopped_crawl_of(here)),
            "resumed crawl of S": lambda: crawls.resume(service, caller, self.stopped_crawl_of(there)),
            "agent": by_agent(here),
            "agent of S": by_agent(there),
        }

    def report_of(self, site: Site) -> int:
        """Id of the report that the owner made before."""
        return next(
            one.id for one in reports.find(self.service, self.owner, ReportQuery(per_page=100)).items if one.url == site.url("/first")
        )

    def stopped_crawl_of(self, site: Site) -> int:
        found = crawls.find(self.service, self.owner, CrawlQuery(per_page=100)).items
        return next(one.id for one in found if one.url == site.url("/stopped"))

    def prepare(self) -> None:
        """Give each project a login, a report and a stopped crawl."""
        for site in (self.here, self.there):
            number = projects.make(self.service, self.owner, site.url("/")).project.id
            identity = IdentityChanges((f"site{site.port}", f"password-of-site{site.port}"))
            projects.update(self.service, self.owner, str(number), ProjectChanges(identity=identity))
            reports.create(self.service, self.owner, NewReport(site.url("/first")))
            made = crawls.create(self.service, self.owner, NewCrawl(url=site.url("/stopped"), pages=1, rate=20.0)).crawl
            crawls.stop(self.service, self.owner, made.id)

    def finish(self) -> bool:
        """Return whether no work is left."""
        with self.service.store.read() as session:
            connection = session.schedules._connection
            left = connection.execute(select(func.count()).select_from(job)).scalar_one()
            due = connection.execute(select(func.count()).select_from(schedule).where(schedule.c.last_at.is_(None))).scalar_one()
            waiting = session.batches.waiting_accounts()
        return not (left or due or waiting)


def serve(site: Site, here: Site, there: Site) -> None:
    """Serve pages to whoever has the login of the site, and sitemaps that list pages of both sites."""

    def listed(*urls: str) -> Page:
        text = SITEMAP.format("".join(f"<url><loc>{url}</loc></url>" for url in urls))
        return Page(text.encode(), headers=[("Content-Type", "application/xml")])

    def answer(request: Request) -> Page:
        if request.path == "/robots.txt":
            return Page(b"User-agent: *\nDisallow:\n", headers=[("Content-Type", "text/plain")])
        if request.path == "/evil.xml":
            return listed(here.url("/listed"), there.url("/evil-1"), there.url("/evil-2"))
        if request.path == "/sitemap-schedule.xml":
            return listed(there.url("/by-schedule"), here.url("/listed-elsewhere"))
        if request.path == "/sitemap-batch.xml":
            return listed(there.url("/by-batch"))
        title = f"Page {request.path} of {site.port}"
        return Page(f'<!doctype html><html lang="en"><title>{title}</title><h1>{title}</h1>'.encode())

    site.fallback(dynamic(answer))


def person(service: Service, owner: Caller, role: Role) -> Caller:
    row = {"account_id": owner.account_id, "email": "p@example.com", "name": "", "role": role.account, "created_at": 1}
    with service.store.write() as session:
        number = session.people.add(row)
        if role.here:
            session.roles.grant(1, number, role.here, 1)
    return authenticate_key(service, api_keys.create_key(service, "p@example.com", scopes=role.scopes).token)


def change_role(scene: Scene, role: Role) -> None:
    with scene.service.store.write() as session:
        if role.later == LOSES:
            session.roles.revoke(1, scene.caller.user_id)
            session.people.change(scene.caller.user_id, role="viewer" if role.account == "member" else "projects")
        elif role.later == LEAVES:
            session.people.remove(scene.caller.user_id)


REFUSED_ELSEWHERE = frozenset({"schedule of a crawl of S"})
"""Requests that nobody may make: a schedule of X does not crawl S."""


def expected(role: Role, name: str) -> bool:
    """Return whether a request is accepted."""
    if name in REFUSED_ELSEWHERE:
        return False
    if name.startswith("agent") and "read" not in role.scopes:
        return False
    if name == "batch" or " S" in name:
        return role.may_elsewhere
    return role.may_here


@pytest.mark.parametrize("name", sampled(ROLES, 2))
def test_later_work_has_the_rights_of_its_person_and_its_project(
    name: str, tmp_path: Path, make_site: Callable[..., Site], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_loop, "ALERTS_EVERY_S", 0.05)
    monkeypatch.setattr(embedded, "POLL_S", 0.05)
    monkeypatch.setattr(agent_tools, "WAIT_S", 0.01)
    role, here, there = ROLES[name], make_site(), make_site()
    for site in (here, there):
        serve(site, here, there)
    targets = tuple(f"127.0.0.1:{site.port}" for site in (here, there))
    settings = Settings(data_dir=tmp_path, secret_key="k" * 40, allow_targets=targets, rate_limit=0)
    with closing(Service.open(settings, exclusive=True)) as service:
        account_admin.create_account(service, "owner@example.com")
        owner = authenticate_key(service, api_keys.create_key(service, "owner@example.com").token)
        scene = Scene(service, owner, owner, here, there)
        scene.prepare()
        asyncio.run(work(scene))
    with closing(Service.open(settings, exclusive=True)) as service:
        scene.service = service
        scene.caller = person(service, owner, role)
        _request(scene, role)
        for site in (here, there):
            site.requests.clear()
        change_role(scene, role)
        _make_due(scene)
        asyncio.run(work(scene, role))
        _compare(scene, role)


async def work(scene: Scene, role: Role | None = None) -> None:
    """Let a worker do all work; for a role also recheck findings and run pages again to confirm an alert."""
    worker = ReportWorker(scene.service)
    await worker.start()
    try:
        if role is not None:  # a run that confirms an alert belongs to the project
            with scene.service.store.write() as session:
                session.schedules._connection.execute(update(page_watch).values(again_at=1))
        await eventually(scene.finish)
        if role is not None:
            await _recheck(scene, role)
    finally:
        await worker.stop()


async def _recheck(scene: Scene, role: Role) -> None:
    for site, may in ((scene.here, role.may_here), (scene.there, role.may_elsewhere)):
        report = reports.get(scene.service, scene.owner, scene.report_of(site))
        assert report.report is not None
        if may and role.later == STAYS and "read" in role.scopes:
            await recheck_finding(scene.service, scene.caller, report.id, "title-present")
        else:
            with pytest.raises((Forbidden, NotFound)):
                await recheck_finding(scene.service, _now(scene), report.id, "title-present")


def _now(scene: Scene) -> Caller:
    """Return the caller as the next request would have it; someone without any role if the person left."""
    with scene.service.store.read() as session:
        found = session.people.by_id(scene.caller.user_id)
        grants = session.roles.of_person(scene.caller.user_id)
    return replace(scene.caller, role=found.role if found else "projects", grants=grants)


def _request(scene: Scene, role: Role) -> None:
    for name, attempt in scene.attempts().items():
        try:
            attempt()
            is_accepted = True
        except (Forbidden, NotFound):
            is_accepted = False
        except ValidationFailed as error:
            is_accepted = not set(error.errors) <= {"settings.sitemap", "settings.url"}
        except RequestError as error:
            pytest.fail(f"{name}: {error!r}")
        assert is_accepted is expected(role, name), name


def _make_due(scene: Scene) -> None:
    with scene.service.store.write() as session:
        session.schedules._connection.execute(update(schedule).values(due_at=0))


def _compare(scene: Scene, role: Role) -> None:
    here, there, service, owner = scene.here, scene.there, scene.service, scene.owner
    is_here, is_there = role.may_here and role.later == STAYS, role.may_elsewhere and role.later == STAYS

    # whose login reached whom
    for site, other in ((here, there), (there, here)):
        sent = {request.headers.get("authorization", "") for request in site.requests}
        assert login(f"site{other.port}") not in sent
        assert sent <= {login(f"site{site.port}"), ""}
    with_login = {request.path for request in there.requests if "authorization" in request.headers}
    without = {request.path for request in there.requests if "authorization" not in request.headers}
    assert not with_login & {"/evil-1", "/evil-2", "/by-schedule", "/sitemap-schedule.xml", "/scheduled-crawl"}
    assert without <= {"/sitemap-schedule.xml", "/robots.txt"}  # a schedule of X may read a public sitemap elsewhere
    own = {"/batch", "/by-batch", "/report", "/crawl", "/agent", "/stopped"}
    assert with_login & own == ({path for path in own if path != "/agent" or "read" in role.scopes} if is_there else set())

    # where rows appeared
    rows = {one.url: one for one in reports.find(service, owner, ReportQuery(per_page=100)).items}
    before = {here.url("/first"), there.url("/first")}
    accepted = before | {url for url in rows if _is_done(rows[url])}
    wanted = set(before)
    if is_here:
        wanted |= {here.url(path) for path in ("/report", "/listed")} | ({here.url("/agent")} if "read" in role.scopes else set())
    if is_there:
        wanted |= {here.url("/batch"), here.url("/listed-elsewhere")} | {there.url(path) for path in ("/batch", "/by-batch", "/report")}
        wanted |= {there.url("/agent")} if "read" in role.scopes else set()
    assert accepted == wanted
    assert {one.error.code for url, one in rows.items() if url not in accepted and one.error} <= {PageErrorCode.NOT_PERMITTED}
    done = {one.url: one for one in crawls.find(service, owner, CrawlQuery(per_page=100)).items}
    crawled = {url for url, one in done.items() if one.counts.get("pages")}
    assert crawled == (
        ({here.url(path) for path in ("/crawl", "/stopped", "/scheduled-crawl")} if is_here else set())
        | ({there.url(path) for path in ("/crawl", "/stopped")} if is_there else set())
    )
    assert {one.failure for one in done.values() if one.failure} <= {CrawlFailure.NOT_PERMITTED}

    # refused work says why
    problems = {one.last and one.last.problem for one in schedules.find(service, owner, limit=100)}
    if role.may_here and role.later != STAYS:
        assert problems == {ScheduleProblem.NOT_PERMITTED}
    elif role.may_here:
        assert problems == {None}
    for batch in batches.find(service, owner):
        reasons = {member.refused for member in batches.members(service, owner, batch.id) if member.refused}
        if role.later != STAYS:
            assert batch.counts["refused"] == batch.addresses
            assert reasons <= {str(NOT_PERMITTED), str(NOT_THERE)}
        else:
            assert reasons <= {str(OTHER_PROJECT)}


def _is_done(view: Any) -> bool:
    return view.report is not None or view.result is not None


@pytest.mark.parametrize("name", sampled(ROLES, 2))
def test_feeds_uploads_and_imports_have_the_rights_of_their_person(
    name: str, tmp_path: Path, make_site: Callable[..., Site], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded, "POLL_S", 0.05)
    role, here, there, source = ROLES[name], make_site(), make_site(), make_site()
    for site in (here, there):
        serve(site, here, there)
    targets = tuple(f"127.0.0.1:{site.port}" for site in (here, there))
    settings = Settings(data_dir=tmp_path, secret_key="k" * 40, allow_targets=targets, rate_limit=0)
    with closing(Service.open(settings, exclusive=True)) as service:
        account_admin.create_account(service, "owner@example.com")
        owner = authenticate_key(service, api_keys.create_key(service, "owner@example.com").token)
        numbers = {site.port: projects.make(service, owner, site.url("/")).project.id for site in (here, there)}
        _open_alerts(service, owner, list(numbers.values()))
        scene = Scene(service, owner, person(service, owner, role), here, there)
        tokens = _feeds(scene, role)
        table = f"Top pages,Clicks\n{here.url('/uploaded')},3\n{there.url('/uploaded')},3\n"
        for site, may in ((here, role.may_here), (there, role.may_elsewhere)):
            if may:
                assert url_data.upload(service, scene.caller, str(numbers[site.port]), data=table).rows == 1
            else:
                with pytest.raises((Forbidden, NotFound)):
                    url_data.upload(service, scene.caller, str(numbers[site.port]), data=table)
        if role.may_here:
            crawls.create(service, scene.caller, NewCrawl(url=here.url("/crawl"), pages=5, rate=20.0, uploaded=True))

        imported = _import(scene, role, source)  # its second page of reports is read after the role has changed
        if role.later != STAYS and not source.requests:
            change_role(scene, role)
        assert imported == ([] if not source.requests else ["/1"] if role.later != STAYS else ["/1", "/2"])
        assert bool(source.requests) is (role.account == "owner" and "write" in role.scopes)

        asyncio.run(work(scene))
        requested = {request.path for request in here.requests}
        assert ("/uploaded" in requested) is (role.may_here and role.later == STAYS)
        assert not there.requests
        _read_feeds(scene, role, tokens)


def _open_alerts(service: Service, owner: Caller, project_ids: list[int]) -> None:
    with service.store.write() as session:
        for number in project_ids:
            values = {"account_id": owner.account_id, "project_id": number, "rule": "not-indexable", "cause": "1", "phase": "open"}
            texts = {"state": "{}", "details": "{}", "examples": "[]"}
            alert = session.alerts.add({**values, **texts, "created_at": 1, "pages_count": 3})
            session.alerts.change(alert, opened_at=1_795_000_000)


def _feeds(scene: Scene, role: Role) -> dict[str, str]:
    """Create a feed of everything and one of each project; return the tokens of those that were accepted."""
    tokens = {}
    for which, project in (("XS", ""), ("X", scene.name(scene.here)), ("S", scene.name(scene.there))):
        may_read = "S" not in which or which == "XS" or role.account != "projects"
        if may_read and "write" in role.scopes:
            tokens[which] = str(feeds.create(scene.service, scene.caller, which, project).url).rpartition("/")[2]
        else:
            with pytest.raises((Forbidden, NotFound, ValidationFailed)):
                feeds.create(scene.service, scene.caller, which, project)
    return tokens


def _read_feeds(scene: Scene, role: Role, tokens: dict[str, str]) -> None:
    names = {"X": scene.name(scene.here), "S": scene.name(scene.there)}
    for which, token in tokens.items():
        readable = role.projects_read_later
        if readable is None or (len(which) == 1 and which not in readable):
            with pytest.raises(NotFound):
                feeds.open_feed(scene.service, token)
            continue
        found = feeds.alerts(scene.service, feeds.open_feed(scene.service, token)).entries
        assert {entry.title.rpartition(": Pages")[0] for entry in found} == {names[one] for one in which if one in readable}


def _import(scene: Scene, role: Role, source: Site) -> list[str]:
    """Import two reports on two pages of a list, between which the role changes; return the paths of the reports that were stored."""

    def listed(request: Request) -> Page:
        number = int(parse_qs(request.target.partition("?")[2])["page"][0])
        if request.path.endswith("/reports") and number > 1 and role.later != STAYS:
            change_role(scene, role)
        rows = [{"id": number, "url": f"https://imported.example/{number}", "result": "good", "privacy": 0}]
        is_last = number > 1 or request.path.endswith("/projects")
        links = {"next": None if is_last else source.url(f"{request.path}?page=2")}
        body = {"data": rows if request.path.endswith("/reports") else [], "links": links}
        return Page(json.dumps(body).encode(), headers=[("Content-Type", "application/json")])

    async def run() -> None:
        guard = guard_of(scene.service.settings, allowed_host(source.base, "--from"))
        async with unpaused_fetcher(scene.service.settings, guard) as fetcher:
            await imports.import_all(scene.service, scene.caller, SourceServer(source.base, "key-of-source", fetcher), ImportOutcome())

    source.fallback(dynamic(listed))
    if role.account == "owner" and "write" in role.scopes and role.later == STAYS:
        asyncio.run(run())
    else:
        with pytest.raises(Forbidden):
            asyncio.run(run())
    found = reports.find(scene.service, scene.owner, ReportQuery(per_page=100)).items
    return sorted(one.url.removeprefix("https://imported.example") for one in found if "imported" in one.url)
