"""What happens to a service whose surroundings fail it: descriptors, connections, the log, memory. F33, F34, F35, F43."""

import asyncio
import os
import resource
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Executable, func, select, update

from findable.clock import now
from findable.service.accounts import account_admin, api_keys
from findable.service.accounts.callers import authenticate_key
from findable.service.projects import projects, schedules
from findable.service.runtime.service import Service
from findable.service.values.schedule_values import ScheduleCreate, ScheduledWork, ScheduleOptions
from findable.settings import Settings
from findable.store.schema.project_tables import project
from findable.store.schema.site_tables import crawl, schedule
from findable.web.server import HEADER_DEADLINE_MS
from tests.external import needs
from tests.sites.server import Page, Site, dynamic
from tests.tiers import sampled
from tests.web.live import free_port
from tests.web.served import Served, command_of, environment_of, served_by
from tests.worker.processes import until

CROWD = 5000
NEEDS_PRLIMIT = needs("prlimit")


@contextmanager
def room_for(sockets: int) -> Iterator[int]:
    """Raises our own limit on descriptors; how many sockets there is room for."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = sockets + 500
    limit = max(soft, wanted if hard == resource.RLIM_INFINITY else min(hard, wanted))
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
    try:
        yield min(sockets, limit - 500)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def crowd(stack: ExitStack, port: int, count: int) -> int:
    """Connects and says half a word each time; how many were let in."""
    taken = 0
    for _ in range(count):
        connection = stack.enter_context(socket.socket())
        connection.settimeout(0.2)
        with suppress(OSError):
            connection.connect(("127.0.0.1", port))
            connection.sendall(b"GET /hea")
            taken += 1
    return taken


@pytest.mark.full
@NEEDS_PRLIMIT
def test_f34_without_descriptors_the_service_goes_on_and_recovers(tmp_path: Path) -> None:
    with served_by(tmp_path, ("prlimit", "--nofile=128:128")) as one:
        with ExitStack() as stack:
            crowd(stack, one.port, 100)
            descriptors = len(list(Path(f"/proc/{one.process.pid}/fd").iterdir()))
            assert descriptors < 110  # some are left for the database and for what is fetched
            assert one.process.poll() is None
        until(lambda: one.healthy)
        assert one.client.get("/reports").status == 200
        made = one.client.post("/reports", {"url": "http://127.0.0.1:1/"})
        assert made.status == 422
        assert one.end() == 0
        assert "Too many open files" not in one.log.read_text()


async def health_s(port: int) -> float:
    started = time.monotonic()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    assert (await reader.read()).startswith(b"HTTP/1.1 200")
    writer.close()
    return time.monotonic() - started


@pytest.mark.full
def test_f35_five_thousand_connections_do_not_keep_health_from_being_asked(tmp_path: Path) -> None:
    with served_by(tmp_path) as one, room_for(CROWD) as many:

        async def ask() -> list[float]:
            async def idle(number: int) -> asyncio.StreamWriter:
                _, writer = await asyncio.open_connection("127.0.0.1", one.port)
                if number % 2:
                    writer.write(b"GET /healthz HTTP/1.1\r\nHo")
                return writer

            writers = []
            times = []
            for begin in range(0, many, 250):
                writers += await asyncio.gather(*map(idle, range(begin, min(begin + 250, many))))
                times.append(await health_s(one.port))
            for writer in writers:
                writer.close()
            return times

        times = asyncio.run(ask())
        assert max(times) < HEADER_DEADLINE_MS / 1000  # not by idle ones being closed
        assert one.client.get("/reports").status == 200


@pytest.mark.parametrize("how", sampled(["closed", "full", "gone", "unread"], 0))
def test_f43_the_log_and_the_terminal_may_fail(tmp_path: Path, how: str) -> None:
    reading, writing = os.pipe()
    wrapper = ("sh", "-c", 'exec "$@" >&- 2>&-', "sh") if how == "closed" else ()
    stdout = os.open("/dev/full", os.O_WRONLY) if how == "full" else writing
    if how == "gone":
        os.close(reading)
    with served_by(tmp_path, wrapper, stdout=stdout, rate_limit=0) as one:
        for n in range(300):
            assert one.client.get(f"/reports/{n}{'0' * 300}").status == 404
        assert one.client.get("/reports").status == 200
        if how == "closed":
            held = {str(Path(f"/proc/{one.process.pid}/fd/{number}").readlink()) for number in (1, 2)}
            assert held == {"/dev/null"}
        assert one.end() == 0
    for descriptor in {reading, writing, stdout}:
        with suppress(OSError):
            os.close(descriptor)


@pytest.mark.full
def test_f43_a_first_start_that_nobody_hears_is_one(tmp_path: Path) -> None:
    port = 0
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with Path("/dev/full").open("w") as full:
        process = subprocess.Popen(command_of(port), stdout=full, stderr=full, env=environment_of(tmp_path), cwd=tmp_path)
    one = Served(process, port, "", tmp_path / "log")  # type: ignore[arg-type]  # its output is not read as text
    try:
        until(lambda: one.healthy)
        done = subprocess.run(
            [sys.executable, "-m", "findable", "accounts", "link", "owner@localhost"],
            env=environment_of(tmp_path),
            capture_output=True,
            text=True,
            check=False,
        )
        assert "/sign-in/" in done.stdout, done.stderr
        assert one.end() == 0
    finally:
        process.kill()
        process.wait()


SITES, CRAWLS_AT_ONCE = 60, 5
IMPATIENT = """
import sys
from findable.cli.main import main
from findable.service.projects import due_schedules
from findable.worker import worker_loop
due_schedules.SLOT_RETRY_S, due_schedules.LEASE_S, worker_loop.ALERTS_EVERY_S = 1, 10, 0.5
sys.exit(main())
"""


@pytest.mark.full
def test_f3_f14_sixty_sites_of_one_hour_are_crawled_once_in_that_night(database_url: str, tmp_path: Path, site: Site) -> None:
    """The processes that crawl are killed after 10, 25 and 40 crawls: with SQLite the service, with PostgreSQL also another worker."""
    site.fallback(dynamic(lambda request: Page(f"<!doctype html><title>Page {request.path}</title><h1>Bread</h1>".encode())))
    targets = (f"127.0.0.1:{site.port}", f"[::1]:{site.port}")
    names = [f"site{number}.localhost:{site.port}" for number in range(SITES)]
    in_twelve_hours, log_path = f"{(now().hour + 12) % 24:02}:00", tmp_path / "log.txt"
    with ExitStack() as stack:
        service = stack.enter_context(
            closing(Service.open(Settings(data_dir=tmp_path / "data", database_url=database_url, allow_targets=targets)))
        )
        account_admin.create_account(service, "a@example.com")
        caller = authenticate_key(service, api_keys.create_key(service, "a@example.com").token)
        for name in names:
            projects.make(service, caller, f"http://{name}/")
            one = ScheduleOptions(url=f"http://{name}/", pages=1, rate=20.0)
            schedules.create(service, caller, ScheduleCreate(project=name, what=ScheduledWork.CRAWL, at=in_twelve_hours, settings=one))
        planned = _rows(service, select(schedule.c.id, schedule.c.planned_at).order_by(schedule.c.id))
        with service.store.write() as session:
            night = schedule.c.planned_at - 86_400
            session.schedules._connection.execute(update(schedule).values(planned_at=night, due_at=night))

        def ended() -> int:
            """Return how many crawls have ended; never more than five have not, and no process ended by itself."""
            assert all(process.poll() is None for process in running), log_path.read_text()[-3000:]
            (unfinished, finished), *_ = _rows(
                service, select(func.count() - func.count(crawl.c.finished_at), func.count(crawl.c.finished_at))
            )
            assert unfinished <= CRAWLS_AT_ONCE
            return int(finished)

        def begin(command: str) -> "subprocess.Popen[str]":
            options = ("--port", str(free_port())) if command == "serve" else ()
            given = environment_of(
                tmp_path, database_url=database_url, allow_targets=",".join(targets), browser="none", report_concurrency=2
            )
            log = stack.enter_context(log_path.open("a"))
            process = subprocess.Popen([sys.executable, "-c", IMPATIENT, command, *options], stdout=log, stderr=log, text=True, env=given)
            stack.callback(process.wait)
            stack.callback(process.kill)
            return process

        commands = ["serve", "worker"] if service.store.is_shared else ["serve"]
        running = [begin(command) for command in commands]
        for ended_before, victims in ((10, running[:1]), (25, running[-1:]), (40, running)):
            until(lambda ended_before=ended_before: ended() >= ended_before, 300)  # type: ignore[misc]  # the default binds the number of this turn
            for place, process in enumerate(running):
                if process in victims:
                    process.kill()
                    process.wait()
                    running[place] = begin(commands[place])
        assert ended() < SITES
        until(lambda: ended() >= SITES, 300)
        for process in running:
            process.terminate()
        assert [process.wait(60) for process in running] == [0] * len(running)
        crawled = _rows(service, select(project.c.name, crawl.c.url, crawl.c.status).join_from(crawl, project))
        assert sorted(crawled) == sorted((name, f"http://{name}/", "done") for name in names)
        after = _rows(service, select(schedule.c.id, schedule.c.planned_at).order_by(schedule.c.id))
        assert after == planned, "each schedule ran once, and runs next at its next hour"
        assert _rows(service, select(schedule.c.id).where(schedule.c.last_crawl.is_(None) | schedule.c.last_problem.is_not(None))) == []


def _rows(service: Service, query: Executable) -> list[tuple[Any, ...]]:
    with service.store.read() as session:
        return [tuple(row) for row in session.schedules._connection.execute(query)]
