"""Rights of the moment in which something is shown: responses after a wait, and comparisons for guests of a link."""

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import IncompleteRead
from pathlib import Path
from typing import Any

import pytest

from findable.clock import now
from findable.errors import NotFound, Unauthenticated
from findable.service.accounts.callers import refreshed
from findable.service.crawls import crawl_access, crawl_exports, crawls
from findable.service.crawls.crawl_access import CRAWLS, CrawlAccess
from findable.service.reports.report_access import REPORTS
from findable.service.results import share_links, unlocking
from findable.service.results.guest_access import Decision
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.crawl_values import NewCrawl
from findable.vocabulary import Privacy
from findable.web.agent_tools import AgentTools
from findable.web.api import crawl_list_routes
from findable.web.pages.report import downloads
from findable.web.pages.site import site_files
from tests.safety.world import World
from tests.service import samples
from tests.web.live import Live, run_live
from tests.worked_crawls import end_crawl
from tests.worker.processes import until

HELD = "held.example"


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    yield from run_live(tmp_path, rate_limit=0)


@pytest.mark.parametrize("change", ["role", "person"])
def test_a_role_taken_back_during_a_wait_ends_what_is_shown(live: Live, change: str) -> None:
    gate = live.analyser.held[HELD] = threading.Event()
    world = World(live)
    world.with_single_project("worker", HELD, "member")
    worker, api = world.program("worker"), world.api
    number = api.post("/reports", {"url": f"https://{HELD}/", "privacy": 1}, wait=0).json["data"]["id"]
    crawl = api.post("/crawls", {"url": f"https://{HELD}/", "privacy": 1}, wait=0).json["data"]["id"]
    with ThreadPoolExecutor(8) as pool:
        waiting = [
            pool.submit(worker.get, f"/api/v1/reports/{number}", wait=30),
            pool.submit(worker.put, f"/api/v1/reports/{number}", {"results": 1}, wait=30),
            pool.submit(worker.post, "/api/v1/reports", {"url": f"https://{HELD}/new", "privacy": 1}, wait=30),
            pool.submit(worker.get, f"/api/v1/crawls/{crawl}", wait=30),
        ]
        until(lambda: live.service.waiting_count == len(waiting), 20)
        _take_back(world, change)
        assert api.post(f"/crawls/{crawl}/stop").status == 200
        gate.set()
        for future in waiting:
            reply = future.result()
            assert reply.status == (404 if change == "role" else 401), reply.text
            assert HELD not in reply.text


@pytest.mark.parametrize("change", ["role", "person"])
def test_an_agent_without_the_role_is_told_nothing_after_its_wait(live: Live, change: str) -> None:
    gate = live.analyser.held[HELD] = threading.Event()
    world = World(live)
    world.with_single_project("worker", HELD, "member")
    agent = AgentTools(live.service, refreshed(live.service, world.people["worker"].caller))
    with ThreadPoolExecutor(2) as pool:
        audit = agent.audit_page(f"https://{HELD}/agent", fresh=True)
        waiting = pool.submit(asyncio.run, audit)
        until(lambda: live.service.waiting_count == 1, 20)
        _take_back(world, change)
        gate.set()
        with pytest.raises(NotFound if change == "role" else Unauthenticated):
            waiting.result()


@pytest.mark.parametrize("change", ["role", "person"])
def test_an_export_breaks_off_when_the_role_is_taken_back(live: Live, monkeypatch: pytest.MonkeyPatch, change: str) -> None:
    world = World(live)
    world.with_single_project("worker", HELD, "viewer")
    owner = world.people["owner"].caller
    number = crawls.create(live.service, owner, NewCrawl(f"https://{HELD}/", privacy=Privacy.PRIVATE)).crawl.id
    end_crawl(live.service, number, f"https://{HELD}/", "<title>Bread</title>")
    monkeypatch.setattr(crawl_list_routes, "CHUNK_BYTES", 1)
    path = f"/api/v1/crawls/{number}/export"
    whole = world.program("worker").get(path)
    assert (whole.status, whole.text.count("\n") > 1) == (200, True)
    monkeypatch.setattr(crawl_list_routes, "STILL_EVERY_S", 0.0)
    assert world.program("worker").get(path).body == whole.body

    def after_the_first_row(*values: Any) -> Iterator[bytes]:
        rows = crawl_exports.exported_file(*values)
        yield next(rows)
        _take_back(world, change)
        yield from rows

    monkeypatch.setattr(crawl_list_routes, "exported_file", after_the_first_row)
    with pytest.raises((IncompleteRead, ConnectionError)):
        world.program("worker").get(path)


@pytest.mark.parametrize("kind", ["report", "site"])
def test_a_pdf_whose_link_ended_while_it_was_rendered_is_not_shown(live: Live, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    world = World(live)
    owner = world.people["owner"].caller
    if kind == "report":
        shown = world.api.post("/reports", {"url": "https://good.example/", "privacy": 0}, wait=60).json["data"]
        path, number = f"/r/{shown['public_id']}/report.pdf", shown["id"]
    else:
        number = crawls.create(live.service, owner, NewCrawl("https://good.example/", privacy=Privacy.PUBLIC)).crawl.id
        end_crawl(live.service, number, "https://good.example/", "<title>Bread</title>")
        path = f"/s/{crawls.get(live.service, owner, number).public_id}/report.pdf"
    module, name = (downloads, "to_pdf") if kind == "report" else (site_files, "typeset")
    made = getattr(module, name)

    def ends_meanwhile(*arguments: object) -> bytes:
        body: bytes = made(*arguments)
        if kind == "report":
            share_links.set_access(live.service, owner, REPORTS, number, Privacy.PRIVATE, None)
        else:
            share_links.set_access(live.service, owner, CRAWLS, number, Privacy.PRIVATE, None)
        return body

    monkeypatch.setattr(module, name, ends_meanwhile)
    assert live.client().guest().get(path).status == 404


def _take_back(world: World, change: str) -> None:
    """Take the role of the worker back, or remove the person."""
    person = world.people["worker"].caller.user_id
    with world.live.service.store.write() as session:
        if change == "role":
            session.roles.revoke(session.projects.ensure(world.people["owner"].caller.account_id, HELD, 0), person)
        else:
            session.people.remove(person)


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    opened = Service.open(samples.settings(tmp_path))
    yield opened
    opened.close()


OPEN, MINE, LOCKED = (Privacy.PUBLIC, None), (Privacy.PRIVATE, None), (Privacy.PASSWORD, "first password 1")


@pytest.mark.parametrize(
    ("earlier", "later", "is_ended", "is_shown"),
    [
        (LOCKED, (Privacy.PASSWORD, "second password 2"), False, False),
        (LOCKED, LOCKED, False, True),
        (LOCKED, LOCKED, True, False),
        (LOCKED, OPEN, False, False),
        (MINE, OPEN, False, False),
        (MINE, LOCKED, False, False),
        (OPEN, OPEN, False, True),
        (OPEN, LOCKED, False, True),
        (OPEN, OPEN, True, False),
        (OPEN, LOCKED, True, False),
    ],
)
def test_a_comparison_shows_guests_what_both_links_allow(
    service: Service, earlier: tuple[Privacy, str | None], later: tuple[Privacy, str | None], *, is_ended: bool, is_shown: bool
) -> None:
    caller = samples.owner(service)
    first, second = (_ended_crawl(service, caller, *access) for access in (earlier, later))
    if is_ended:
        with service.store.write() as session:
            session.crawls.change(first, 1, link_expires_at=int(now().timestamp()) - 1)
    shared = crawls.get(service, caller, second)
    for is_owner in (True, False):
        access = CrawlAccess(Decision.ALLOWED, is_owner, crawl=shared)
        found = crawl_access.compared_crawl(service, access, first)
        assert (found is not None) is (is_owner or is_shown)
        assert [one.id for one, _ in crawl_access.earlier_crawls(service, access)] == ([first] if is_owner or is_shown else [])


def test_passwords_hashed_by_an_earlier_version_are_equal_once_a_guest_used_them(service: Service) -> None:
    caller = samples.owner(service)
    first, second = (_ended_crawl(service, caller, *LOCKED) for _ in range(2))
    with service.store.write() as session:
        session.crawls.change(first, 1, password_hash=service.passwords.hash(str(LOCKED[1])))  # with a random salt
    access = CrawlAccess(Decision.ALLOWED, crawl=crawls.get(service, caller, second))
    assert crawl_access.compared_crawl(service, access, first) is None
    earlier = crawls.get(service, caller, first).public_id
    assert unlocking.unlock(service, CRAWLS, earlier, "another password", "192.0.2.1") is None
    assert crawl_access.compared_crawl(service, access, first) is None
    assert unlocking.unlock(service, CRAWLS, earlier, str(LOCKED[1]), "192.0.2.1") is not None
    assert crawl_access.compared_crawl(service, access, first) is not None


def test_equal_passwords_have_equal_hashes_in_one_account_only(service: Service) -> None:
    callers = samples.owner(service), samples.owner(service, "other@example.com")
    made = [_ended_crawl(service, caller, *LOCKED) for caller in callers]
    with service.store.read() as session:
        one, other = (session.crawls.by_id(number) for number in made)
    assert one is not None
    assert other is not None
    assert one.password_hash != other.password_hash


def _ended_crawl(service: Service, caller: Caller, privacy: Privacy, password: str | None) -> int:
    number = crawls.create(service, caller, NewCrawl("https://example.com/", privacy=privacy, password=password)).crawl.id
    end_crawl(service, number, "https://example.com/", "<title>Bread</title>")
    return number
