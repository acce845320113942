"""Measure the time from an accepted report to its stored result on PostgreSQL with 1, 2 and 4 workers, compared with a bare job table.

Nothing is fetched or checked: every report stores the same real analysis, with its own page. Measured are the costs of queueing
and storing, whether more workers do more work, and how soon the work of a killed worker is taken over; finally the cost of whole
reports of pages on loopback, with 1, 2 and 4 workers. The server is a new one with its default settings: every commit is on disk.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlsplit

import bare_queue
import psycopg
from msgspec.structs import replace
from queue_worker import sample
from service import descendants
from sqlalchemy import Engine, event

from findable.demo import demo_site
from findable.service.accounts import account_admin, api_keys
from findable.service.accounts.callers import authenticate_key
from findable.service.reports import report_jobs, reports
from findable.service.runtime.service import Service
from findable.service.values.report_values import NewReport
from findable.settings import Settings

ROOT = Path(__file__).resolve().parent.parent
WORKERS = (1, 2, 4)
CONCURRENCY = 6
ACCOUNTS = (1, 10)
SAFE = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"}
ROUNDS = 15
LIMIT_S = 600
SIZE = "SELECT pg_database_size(current_database())"


def measure(options: argparse.Namespace) -> dict[str, Any]:
    sys.path.insert(0, str(ROOT))
    from tests.postgresql import Server, programs

    place = programs()
    if place is None:
        raise SystemExit("initdb and postgres are missing: apt-get install postgresql")
    server = Server(place)
    try:
        server.stop()
        server.start(**SAFE, max_connections="200")
        found: dict[str, Any] = {"jobs": options.jobs, "bare_table_jobs_per_s": measure_bare(server, options.jobs)}
        for count in ACCOUNTS:
            found[f"accounts_{count}"] = {
                f"workers_{workers}": measure_findable(server, options.jobs, count, workers) for workers in WORKERS
            }
        found["killed_worker_taken_over_s"] = recovery(server)
        found["statements"] = statements(server)
        found["whole_report"] = {f"workers_{workers}": measure_report(server, options.jobs // 10, workers) for workers in WORKERS}
    finally:
        server.remove()
    return found


def measure_bare(server: Any, jobs: int) -> dict[str, float]:
    """Return jobs per second by number of processes."""
    found = {}
    for workers in WORKERS:
        url = server.empty_database()
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(bare_queue.TABLE)
            connection.cursor().executemany(bare_queue.ADD, [()] * jobs)
            with start_processes("bare_queue.py", workers, url, CONCURRENCY) as processes:
                begun_s = go(processes)
                wait(lambda: connection.execute("SELECT NOT EXISTS (SELECT FROM bare)").fetchone() == (True,))
                found[f"workers_{workers}"] = round(jobs / (time.monotonic() - begun_s), 1)
        server.drop(url)
    return found


def measure_findable(server: Any, jobs: int, account_count: int, workers: int) -> dict[str, float]:
    """Return reports per second: accepted one after another, and from the start of the workers until the last result is stored."""
    url = server.database()
    with tempfile.TemporaryDirectory() as folder:
        accepted_per_s = fill(url, Path(folder), jobs, account_count)
        with (
            psycopg.connect(url, autocommit=True) as connection,
            start_processes("queue_worker.py", workers, url, folder, CONCURRENCY, 0) as processes,
        ):
            begun_s, before_s = go(processes), cpu_s(processes)
            wait(lambda: connection.execute("SELECT NOT EXISTS (SELECT FROM job)").fetchone() == (True,))
            took_s, used_s = time.monotonic() - begun_s, cpu_s(processes) - before_s
            kept = connection.execute("SELECT count(*), count(DISTINCT report_id), count(error) FROM run").fetchone()
    server.drop(url)
    if kept != (jobs, jobs, 0):
        raise SystemExit(f"{jobs} reports, but runs, reports that have one and failures are {kept}")
    return {
        "accepted_per_s": round(accepted_per_s, 1),
        "done_per_s": round(jobs / took_s, 1),
        "worker_cpu_ms_per_report": round(1000 * used_s / jobs, 2),
    }


def recovery(server: Any) -> float:
    """Return the seconds from the loss of a worker until another one has finished its work; the lease is 30 s."""
    url = server.database()
    with tempfile.TemporaryDirectory() as folder, psycopg.connect(url, autocommit=True) as connection:
        fill(url, Path(folder), CONCURRENCY, 1)
        with start_processes("queue_worker.py", 1, url, folder, CONCURRENCY, 60) as lost:
            go(lost)
            wait(lambda: connection.execute("SELECT count(*) FROM job WHERE state = 'running'").fetchone() == (CONCURRENCY,))
            os.kill(lost[0].pid, signal.SIGKILL)
            killed_s = time.monotonic()
            with start_processes("queue_worker.py", 1, url, folder, CONCURRENCY, 0) as other:
                go(other)
                wait(lambda: connection.execute("SELECT NOT EXISTS (SELECT FROM job)").fetchone() == (True,))
                took_s = time.monotonic() - killed_s
    server.drop(url)
    return round(took_s, 1)


def statements(server: Any) -> dict[str, float]:
    """Return the statements and median milliseconds to accept a report, take one and six jobs, and store one and six results."""
    url = server.database()
    counted: dict[str, float] = {}
    took_ms: dict[str, list[float]] = {}
    executed: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        fill(url, Path(folder), 1, 1)
        service = Service.open(Settings(data_dir=Path(folder), secret_key="k" * 40, database_url=url, rate_limit=0))
        seen = sample()
        caller = authenticate_key(service, api_keys.create_key(service, "bench0@example.com").token)
        # Store one outcome for the lookups that happen only once.
        report_jobs.store_outcomes(service, [(job, seen) for job in report_jobs.claim_some(service, "bench", 1)])
        event.listen(Engine, "before_cursor_execute", lambda _1, _2, text, _3, _4, _5: executed.append(text))

        def count(name: str, step: Callable[[], Any]) -> Any:
            executed.clear()
            begun_ns = time.perf_counter_ns()
            done = step()
            took_ms.setdefault(f"{name}_ms", []).append((time.perf_counter_ns() - begun_ns) / 1e6)
            counted[f"{name}_statements"] = len(executed)
            return done

        for at_once in (1, CONCURRENCY):
            for turn in range(ROUNDS):
                for number in range(at_once):
                    new = NewReport(f"https://h{number}.example/{at_once}-{turn}")
                    count("accept_1", lambda new=new: reports.create(service, caller, new))
                jobs = count(f"take_{at_once}", lambda at_once=at_once: report_jobs.claim_some(service, "bench", at_once))
                outcomes = [(job, replace(seen, saved_page=b"%d" % job.id + seen.saved_page)) for job in jobs]
                count(f"keep_{at_once}", lambda outcomes=outcomes: report_jobs.store_outcomes(service, outcomes))
        service.close()
    server.drop(url)
    return counted | {name: round(median(values), 1) for name, values in took_ms.items()}


def measure_report(server: Any, count: int, workers: int) -> dict[str, float]:
    """Return the CPU time of workers and server with their processes, and the storage, of a real report of a page on loopback."""
    url = server.database()
    server_pid = int((server.folder / "data/postmaster.pid").read_text(encoding="ascii").split()[0])
    with demo_site.serve_site(0) as origin, tempfile.TemporaryDirectory() as folder, psycopg.connect(url, autocommit=True) as connection:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("FINDABLE_")}
        given = {"DATABASE_URL": url, "DATA_DIR": folder, "SECRET_KEY": "k" * 40, "ALLOW_TARGETS": urlsplit(origin).netloc}
        environment |= {f"FINDABLE_{name}": value for name, value in given.items()}
        paths = list(demo_site.PAGES)
        fill(url, Path(folder), count, 1, lambda number: f"{origin}{paths[number % len(paths)]}?{number}", (urlsplit(origin).netloc,))
        before = connection.execute(SIZE).fetchone() or (0,)
        server_s, begun_s = tree_cpu_s(server_pid), time.monotonic()
        command = [sys.executable, "-m", "findable", "worker"]
        with ExitStack() as stack:
            running = [stack.enter_context(subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)) for _ in range(workers)]
            for worker in running:
                stack.callback(worker.terminate)
            wait(lambda: connection.execute("SELECT NOT EXISTS (SELECT FROM job)").fetchone() == (True,))
            took_s, worker_s = time.monotonic() - begun_s, sum(tree_cpu_s(worker.pid) for worker in running)
        server_s = tree_cpu_s(server_pid) - server_s
        connection.execute("CHECKPOINT")
        after = connection.execute(SIZE).fetchone() or (0,)
    server.drop(url)
    return {
        "reports": count,
        "reports_per_s": round(count / took_s, 1),
        "worker_cpu_ms": round(1000 * worker_s / count, 1),
        "server_cpu_ms": round(1000 * server_s / count, 1),
        "stored_bytes": round((after[0] - before[0]) / count),
    }


def tree_cpu_s(pid: int) -> float:
    """Return the seconds of CPU time of a process and its descendants, including ended ones."""
    ticks = 0
    for one in [pid, *descendants(pid)]:
        fields = Path(f"/proc/{one}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def address(number: int) -> str:
    return f"https://h{number % 997}.example/{number}"


def fill(
    url: str, folder: Path, jobs: int, account_count: int, address: Callable[[int], str] = address, allowed: tuple[str, ...] = ()
) -> float:
    """Accept that many reports of different hosts; return the number per second."""
    service = Service.open(Settings(data_dir=folder, secret_key="k" * 40, database_url=url, rate_limit=0, allow_targets=allowed))
    callers = []
    for number in range(account_count):
        account_admin.create_account(service, f"bench{number}@example.com")
        callers.append(authenticate_key(service, api_keys.create_key(service, f"bench{number}@example.com").token))
    begun_s = time.monotonic()
    for number in range(jobs):
        reports.create(service, callers[number % account_count], NewReport(address(number)))
    took_s = time.monotonic() - begun_s
    service.close()
    return jobs / took_s


@contextmanager
def start_processes(script: str, count: int, *arguments: object) -> Iterator[list["subprocess.Popen[str]"]]:
    """Yield that many processes, ready to start with `go`, and end them with the block."""
    command = [sys.executable, str(Path(__file__).parent / script), *map(str, arguments)]
    with ExitStack() as stack:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        processes = [stack.enter_context(subprocess.Popen(command, **pipes, text=True)) for _ in range(count)]
        for process in processes:
            stack.callback(process.kill)
            if process.stdout is None or process.stdout.readline() != "ready\n":
                raise SystemExit(f"{script} did not start")
        yield processes


def go(processes: list["subprocess.Popen[str]"]) -> float:
    begun_s = time.monotonic()
    for process in processes:
        if process.stdin is not None:
            process.stdin.write("go\n")
            process.stdin.flush()
    return begun_s


def cpu_s(processes: list["subprocess.Popen[str]"]) -> float:
    """Return the seconds of CPU time that the processes have used."""
    ticks = 0
    for process in processes:
        fields = Path(f"/proc/{process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def wait(condition: Callable[[], bool]) -> None:
    until_s = time.monotonic() + LIMIT_S
    while not condition():
        if time.monotonic() > until_s:
            raise SystemExit(f"not done after {LIMIT_S} s")
        time.sleep(0.02)
