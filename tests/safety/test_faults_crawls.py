"""Faults while a crawl is stored, settled or judged again: a full disk of PostgreSQL, a database that goes away, kills of the worker."""

import asyncio
import hashlib
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec
import psycopg
import pytest

from findable.capture.crawl import CrawlEnd
from findable.crawl.state import CrawlState
from findable.errors import CrawlUnreadable, Unavailable
from findable.service.crawls import crawl_access, crawl_jobs, crawl_lists, crawls
from findable.service.crawls.crawl_lists import PageQuery
from findable.service.crawls.crawl_stores import stored_crawls
from findable.service.projects import projects
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.crawl_values import CrawlFailure, CrawlStatus, CrawlView, NewCrawl
from findable.service.values.project_values import ProjectChanges
from findable.worker import crawl_task, store_writes
from findable.worker.report_worker import ReportWorker
from tests.cli.conftest import Run
from tests.conftest import new_database
from tests.crawl.page_rows import page_rows
from tests.crawl_sites import html, make_shop, text
from tests.postgresql import UNPRIVILEGED, Server
from tests.safety.test_faults_disk import fill
from tests.service import samples
from tests.sites.server import Site
from tests.tiers import sampled
from tests.worked_crawls import counted
from tests.worker.processes import eventually, stub_service, until

END_S = 90
SIZE = "48m"
KILLS = 4
STEPS = ("crawl_settled", "crawl_report")
"""Tables that are written when settling begins, and when it ends."""


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name, value in (
        (crawls, "FREE_BYTES", 0),
        (crawls, "CONFIRM_AFTER_S", 0.05),
        (crawl_task, "MIN_FREE_BYTES", 0),
        (store_writes, "PAUSE_S", 0.1),
        (store_writes, "TRIES", 10_000),
        (crawl_jobs, "WAIT_S", 0),
        (crawl_jobs, "MAX_LOSS_POINTS", 20_000),
    ):
        monkeypatch.setattr(module, name, value)


@pytest.fixture
def small(postgresql: Server) -> Iterator[tuple[str, Path]]:
    """A new database on a file system of its own, and the folder of that."""
    folder = Path(tempfile.mkdtemp(prefix="findable-small-", dir="/tmp"))
    folder.chmod(0o755)
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "findable-tests", folder], check=False, capture_output=True)
    if mounted.returncode:
        pytest.skip("tmpfs cannot be mounted here")
    space = folder / "space"
    space.mkdir()
    os.chown(space, pwd.getpwnam(UNPRIVILEGED).pw_uid, -1)
    postgresql.execute(f"CREATE TABLESPACE small LOCATION '{space}'")
    postgresql.execute("CREATE DATABASE small TEMPLATE template TABLESPACE small")
    try:
        yield postgresql.url("small"), folder
    finally:
        postgresql.drop(postgresql.url("small"))
        postgresql.execute("DROP TABLESPACE small")
        subprocess.run(["umount", folder], check=True)
        folder.rmdir()


@contextmanager
def opened(folder: Path, url: str, rate: float = 200.0) -> Iterator[tuple[Service, Caller]]:
    given: dict[str, Any] = {"allow_targets": ("127.0.0.1",), "analysis_processes": 1, "crawl_rate": rate}
    with closing(Service.open(samples.settings(folder, database_url=url, **given))) as service:
        yield service, samples.owner(service)


@asynccontextmanager
async def working(service: Service) -> AsyncIterator[None]:
    worker = ReportWorker(service)
    await worker.start()
    try:
        yield
    finally:
        await worker.stop(10)


async def ended(service: Service, caller: Caller, crawl_id: int) -> CrawlView:
    assert await service.wait_until_crawled(crawl_id, END_S)
    return await service.run(crawls.get, caller, crawl_id)


def made(service: Service, caller: Caller, site: Site, rate: float = 200.0, pages: int = 1000) -> int:
    return crawls.create(service, caller, NewCrawl(site.url("/"), rate=rate, pages=pages)).crawl.id


def digest(service: Service, caller: Caller, crawl_id: int) -> str:
    """The settled crawl in the order of its URLs, without times."""
    with crawl_access.open_crawl(service, caller, crawl_id) as crawl, crawl.store.reading() as connection:
        rows = [msgspec.structs.replace(row, first_byte_ms=0.0, requested_at=None) for row in page_rows(connection, crawl.state)]
    return hashlib.sha256(msgspec.json.encode(rows)).hexdigest()


def require_equal(service: Service, caller: Caller, disturbed: CrawlView, calm: CrawlView) -> None:
    assert (disturbed.status, disturbed.ended_by, disturbed.failure) == (CrawlStatus.DONE, CrawlEnd.COMPLETE, None)
    assert (disturbed.score, disturbed.findings, counted(disturbed)) == (calm.score, calm.findings, counted(calm))
    assert digest(service, caller, disturbed.id) == digest(service, caller, calm.id)


@contextmanager
def held(url: str, crawl_id: int, table: str) -> Iterator[Callable[[], bool]]:
    """Keeps others from writing a table of the crawl; yields whether somebody waits for it."""
    with psycopg.connect(url) as connection, psycopg.connect(url, autocommit=True) as watching:
        name = f"crawl_{crawl_id}.{table}"
        connection.execute(f"LOCK TABLE {name} IN EXCLUSIVE MODE".encode())
        waiting = f"SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = '{name}'::regclass".encode()

        def is_wanted() -> bool:
            row = watching.execute(waiting).fetchone()
            return row is not None and row[0] > 0

        yield is_wanted


needs_mount = pytest.mark.skipif(os.geteuid() != 0 or shutil.which("mount") is None, reason="mount makes a small file system, as root only")


@pytest.mark.full
@needs_mount
def test_f9_a_crawl_waits_while_the_disk_of_postgresql_is_full(
    small: tuple[str, Path], tmp_path: Path, site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    make_shop(site)
    url, folder = small

    async def story(service: Service, caller: Caller) -> tuple[CrawlView, CrawlView]:
        async with working(service):
            crawl_id = made(service, caller, site, rate=20.0)
            await eventually(lambda: service.crawl_events.progress(crawl_id) is not None)
            ballast = await asyncio.to_thread(fill, folder)
            await eventually(lambda: any("is paused: " in message for message in caplog.messages))
            assert (await service.run(crawls.get, caller, crawl_id)).status is CrawlStatus.RUNNING
            ballast.unlink()
            disturbed = await ended(service, caller, crawl_id)
            return disturbed, await ended(service, caller, made(service, caller, site))

    with opened(tmp_path, url) as (service, caller):
        disturbed, calm = asyncio.run(story(service, caller))
        require_equal(service, caller, disturbed, calm)
    assert any("No space left" in message or "disk of the database is full" in message for message in caplog.messages)


@pytest.mark.full
@needs_mount
@pytest.mark.parametrize("table", STEPS)
def test_f9_settling_waits_while_the_disk_of_postgresql_is_full(
    small: tuple[str, Path], tmp_path: Path, site: Site, table: str, caplog: pytest.LogCaptureFixture
) -> None:
    make_shop(site)
    url, folder = small

    async def story(service: Service, caller: Caller) -> tuple[CrawlView, CrawlView]:
        async with working(service):
            crawl_id = made(service, caller, site, rate=50.0)
            await eventually(lambda: service.crawl_events.progress(crawl_id) is not None)
            with held(url, crawl_id, table) as is_wanted:
                await eventually(is_wanted)
                ballast = await asyncio.to_thread(fill, folder)
            await eventually(lambda: any("is paused: " in message for message in caplog.messages))
            assert (await service.run(crawls.get, caller, crawl_id)).status is CrawlStatus.SETTLING
            ballast.unlink()
            disturbed = await ended(service, caller, crawl_id)
            return disturbed, await ended(service, caller, made(service, caller, site))

    with opened(tmp_path, url) as (service, caller):
        disturbed, calm = asyncio.run(story(service, caller))
        require_equal(service, caller, disturbed, calm)
    assert any("No space left" in message or "disk of the database is full" in message for message in caplog.messages)


@pytest.mark.full
@pytest.mark.parametrize("table", STEPS)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGQUIT])
def test_f6_settling_waits_while_the_database_is_away(
    postgresql: Server, tmp_path: Path, site: Site, table: str, number: int, caplog: pytest.LogCaptureFixture
) -> None:
    make_shop(site)
    url = postgresql.database()

    def is_told() -> bool:
        return any("is paused: " in message or "cannot be stored yet" in message for message in caplog.messages)

    async def story(service: Service, caller: Caller) -> tuple[CrawlView, CrawlView]:
        async with working(service):
            crawl_id = made(service, caller, site, rate=50.0)
            await eventually(lambda: service.crawl_events.progress(crawl_id) is not None)
            with suppress(psycopg.OperationalError), held(url, crawl_id, table) as is_wanted:
                await eventually(is_wanted)
                requests = len(site.requests)
                reading = service.crawl_home.open(crawl_id)
                await asyncio.to_thread(postgresql.stop, number)
            with pytest.raises(Unavailable):
                reading.counts()
            with pytest.raises(Unavailable):
                service.crawl_home.open(crawl_id)
            await eventually(is_told)
            await asyncio.to_thread(postgresql.start)
            disturbed = await ended(service, caller, crawl_id)
            assert [request.target for request in site.requests[requests:]] == []
            return disturbed, await ended(service, caller, made(service, caller, site))

    with opened(tmp_path, url) as (service, caller):
        disturbed, calm = asyncio.run(story(service, caller))
        require_equal(service, caller, disturbed, calm)
    postgresql.drop(url)
    assert not any(message.startswith("crawl ") and message.endswith(" failed") for message in caplog.messages)


@pytest.mark.full
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_f3_kills_while_a_crawl_is_judged_again_change_nothing(
    request: pytest.FixtureRequest, tmp_path: Path, site: Site, kind: str
) -> None:
    make_shop(site)
    request.param = kind
    with new_database(request, tmp_path) as url, opened(tmp_path, url) as (service, caller):
        options = ("--real", "--database", url, "--slice", 10, "--judged", 3, "--lost-after", 2, "--heartbeat", 0.5)

        def state(crawl_id: int) -> CrawlState:
            with closing(service.crawl_home.open(crawl_id)) as store:
                found = store.state()
            assert found is not None
            return found

        def work(crawl_id: int) -> CrawlView:
            with stub_service(tmp_path, *options):
                until(lambda: crawls.get(service, caller, crawl_id).is_finished, END_S)
            return crawls.get(service, caller, crawl_id)

        first = work(made(service, caller, site))
        changes = ProjectChanges(extractors={"Heading": "h1"}, segments={"Products": "/product/*"})
        projects.update(service, caller, first.project, changes)
        with closing(service.crawl_home.open(first.id, writable=True)) as store:  # as an earlier version left it
            store.save_state(msgspec.structs.replace(state(first.id), ruleset="2026-01"))
        crawls.rescore(service, caller, first.id)
        requests, judged_to = len(site.requests), [0]
        for _ in range(KILLS):
            with stub_service(tmp_path, *options):
                until(lambda: state(first.id).judged_to > judged_to[-1])
            judged_to.append(state(first.id).judged_to)
            assert crawls.get(service, caller, first.id).is_rescoring
        again = work(first.id)
        assert judged_to == sorted(set(judged_to))
        assert len(site.requests) == requests
        assert again.finished_at == first.finished_at
        require_equal(service, caller, again, work(made(service, caller, site)))


def make_stores(site: Site, pages: int) -> None:
    """A site of so many pages: a start page, lists of a hundred, and what they list."""
    names = [f"{text(str(n), 2).replace(' ', '-')}-{n}" for n in range(pages - pages // 100 - 1)]
    lists = [names[start : start + 100] for start in range(0, len(names), 100)]
    links = "".join(f'<li><a href="/shelf/{listed[0]}">{listed[0]}</a></li>' for listed in lists)
    site.page("/", html("Home of the stores", f"<ul>{links}</ul>", description="All shelves."))
    for listed in lists:
        links = "".join(f'<li><a href="/product/{name}">{name}</a></li>' for name in listed)
        site.page(f"/shelf/{listed[0]}", html(f"Shelf of {listed[0]}", f"<p>{text(listed[0])}</p><ul>{links}</ul>"))
        for name in listed:
            site.page(f"/product/{name}", html(f"Product {name}", f'<p>{text(name)}</p><p><a href="/shelf/{listed[0]}">Back</a></p>'))


def require_unharmed_by_kills(postgresql: Server, folder: Path, site: Site, *, pages: int, kills: int) -> None:
    """A crawl by three workers, of which the one at it is killed again and again, against one by a single worker."""
    make_stores(site, pages)
    url = postgresql.database()
    options = ("--real", "--database", url, "--slice", max(10, pages // 100), "--lost-after", 3, "--heartbeat", 0.5)
    rate = 200.0 if pages < 1000 else 1000.0

    with opened(folder, url, rate=rate) as (service, caller), psycopg.connect(url, autocommit=True) as connection, ExitStack() as stack:

        def at_it() -> "subprocess.Popen[str] | None":
            """The process that has the crawl."""
            row = connection.execute("SELECT worker FROM job WHERE kind = 'crawl' AND state = 'running'").fetchone()
            return next((process for process in running if row is not None and f"-{process.pid}-" in row[0]), None)

        def work(crawl_id: int) -> CrawlView:
            until(lambda: crawls.get(service, caller, crawl_id).is_finished, END_S + pages / 5)
            return crawls.get(service, caller, crawl_id)

        running = [stack.enter_context(stub_service(folder, *options)) for _ in range(3)]
        crawl_id = made(service, caller, site, rate, pages + 1000)
        before = len(site.requests)
        for n in range(kills):
            requests = before + (n + 1) * pages // (kills + 1)
            until(lambda requests=requests: len(site.requests) >= requests and at_it() is not None, END_S + pages / 5)  # type: ignore[misc]  # the default binds the number of this turn
            victim = at_it() or running[0]
            victim.kill()
            running[running.index(victim)] = stack.enter_context(stub_service(folder, *options))
        disturbed = work(crawl_id)
        for process in running[1:]:
            process.kill()
        calm = work(made(service, caller, site, rate, pages + 1000))
        assert calm.counts["pages"] > 0.99 * pages
        require_equal(service, caller, disturbed, calm)
    postgresql.drop(url)


@pytest.mark.full
def test_f3_a_crawl_by_workers_that_are_killed_is_that_of_one_worker(postgresql: Server, tmp_path: Path, site: Site) -> None:
    require_unharmed_by_kills(postgresql, tmp_path, site, pages=300, kills=3)


@pytest.mark.endurance
def test_f3_20000_pages_by_workers_that_are_killed_are_those_of_one_worker(postgresql: Server, tmp_path: Path, site: Site) -> None:
    require_unharmed_by_kills(postgresql, tmp_path, site, pages=20_000, kills=20)


def damage(path: Path, kept_bytes: int) -> None:
    """Overwrite a store with random bytes behind its first ones, and remove its log."""
    for ending in ("-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)
    with path.open("r+b") as file:
        file.seek(kept_bytes)
        file.write(os.urandom(path.stat().st_size - kept_bytes))


def test_f12_a_running_crawl_whose_store_is_damaged_fails_at_once_with_its_code(
    tmp_path: Path, site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    make_shop(site)
    service = Service.open(samples.settings(tmp_path, allow_targets=("127.0.0.1",), analysis_processes=1, crawl_rate=200.0))
    caller = samples.owner(service)
    first, second = (made(service, caller, site, pages=5) for _ in range(2))
    path = tmp_path / "crawls" / f"{first}.sqlite"
    path.parent.mkdir()
    path.write_bytes(os.urandom(50_000))

    async def story() -> tuple[CrawlView, CrawlView]:
        async with working(service):
            return await ended(service, caller, first), await ended(service, caller, second)

    failed, done = asyncio.run(story())
    assert (failed.status, failed.failure) == (CrawlStatus.FAILED, CrawlFailure.STORAGE_DAMAGED)
    assert done.status is CrawlStatus.DONE
    assert sum(f"crawl {first} failed, because its store cannot be read: " in message for message in caplog.messages) == 1
    assert stored_crawls(service).damaged == (first,)
    service.close()


def test_f12_a_crawl_that_lost_its_store_while_it_was_settled_is_crawled_again(tmp_path: Path, site: Site) -> None:
    make_shop(site)
    service = Service.open(samples.settings(tmp_path, allow_targets=("127.0.0.1",), analysis_processes=1, crawl_rate=200.0))
    caller = samples.owner(service)
    crawl_id = made(service, caller, site, pages=5)
    with service.store.write() as session:
        session.crawls.change(crawl_id, 1, status=CrawlStatus.SETTLING.value)

    async def story() -> CrawlView:
        async with working(service):
            return await ended(service, caller, crawl_id)

    view = asyncio.run(story())
    assert (view.status, view.failure) == (CrawlStatus.DONE, None)
    service.close()


@pytest.mark.parametrize("kept_bytes", sampled([0, 4096]))
def test_f12_damage_of_a_finished_crawl_is_told_once_and_its_report_stays(
    tmp_path: Path, site: Site, findable: Run, caplog: pytest.LogCaptureFixture, kept_bytes: int
) -> None:
    make_shop(site)
    settings = samples.settings(tmp_path / "data", allow_targets=("127.0.0.1",), analysis_processes=1, crawl_rate=200.0)
    service = Service.open(settings)
    caller = samples.owner(service)

    async def crawled(crawl_id: int) -> CrawlView:
        async with working(service):
            return await ended(service, caller, crawl_id)

    before = asyncio.run(crawled(made(service, caller, site, pages=20)))
    assert before.status is CrawlStatus.DONE
    service.close()
    damage(tmp_path / "data" / "crawls" / f"{before.id}.sqlite", kept_bytes)
    examined = findable("doctor", FINDABLE_PORT="18769", FINDABLE_BROWSER="none")
    assert examined.returncode == 1
    assert f"crawls: the pages of crawl {before.id} are damaged: delete and crawl again, or restore from a backup" in examined.stdout

    service = Service.open(settings)
    caplog.clear()
    path = tmp_path / "data" / "crawls" / f"{before.id}.sqlite"
    kept, _ = path.read_bytes(), path.write_bytes(b"")
    assert (stored_crawls(service).damaged, stored_crawls(service).missing) == ((), (before.id,)), "an empty file has lost its pages"
    path.write_bytes(kept)
    assert (stored_crawls(service).damaged, stored_crawls(service).missing) == ((before.id,), ())
    for _ in range(2):
        with pytest.raises(CrawlUnreadable) as caught:
            crawl_lists.pages(service, caller, before.id, PageQuery())
    assert (caught.value.status, caught.value.slug) == (500, "crawl_unreadable")
    assert sum("cannot be read: " in message for message in caplog.messages) == 1
    assert crawls.get(service, caller, before.id).score == before.score
    after = asyncio.run(crawled(made(service, caller, site, pages=20)))
    assert (after.status, after.score) == (CrawlStatus.DONE, before.score), "the damaged earlier crawl does not fail the next one"
    service.close()
