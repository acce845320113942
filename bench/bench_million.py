"""Measure lists, filters, searches, counts, creation and deletion with a million reports, on SQLite and PostgreSQL.

Results are milliseconds in the store, including SQLAlchemy: median and maximum of several rounds, after a warm-up of each statement; for a
list the page and its total together, as in a request, and each alone.
``make bench ARGS="million --rounds 9"`` creates both databases in a temporary directory (11 GB each); with ``--keep DIRECTORY`` they
remain there for the next run.
"""

import argparse
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from million import ACCOUNT, BIG_PROJECT, Size, World, fill_postgresql, fill_sqlite
from msgspec.structs import replace

from findable.clock import monotonic_s
from findable.service import housekeeping
from findable.service.projects.change_overview import changed_pages
from findable.service.reports.report_lists import EXACT_UP_TO
from findable.store.postgres import PostgresStore
from findable.store.project_statements import ProjectFilter
from findable.store.report_list_queries import sort_key
from findable.store.rows import Position, Selection
from findable.store.setback_statements import ChangeScope
from findable.store.sqlite import SqliteStore
from findable.store.store_protocol import Session, Store
from findable.vocabulary import Verdict
from findable.worker.worker_loop import PURGE_PAUSE_S

ROOT = Path(__file__).resolve().parent.parent
SORTS = ("id", "generated_at", "url", "result")
TERMS = {
    "search, in a thousandth": "shop-a260.",
    "search, in one": "-777777",
    "search, in a tenth": "lumen",
    "search, in none": "zzzznope",
    "search, in none, of frequent parts": "pricing-pricing-pricing-1",
    "search, two letters": "ab",
    "search, in all": "www.",
}
WRITER_PAUSE_S = 0.002
WRITES_ALONE = 500


def measure(options: argparse.Namespace) -> dict[str, Any]:
    size = Size(options.reports, max(20, options.reports // 50), options.findings, options.analysis_bytes)
    with tempfile.TemporaryDirectory(prefix="findable-million-") as folder:
        place = options.keep or Path(folder)
        return {
            "reports": size.reports,
            "sqlite": with_sqlite(place, size, options.rounds),
            "postgresql": with_postgresql(options.database_url, size, options.rounds),
        }


def with_sqlite(place: Path, size: Size, rounds: int) -> dict[str, Any]:
    path = place / f"{size.reports}.db"
    told: dict[str, Any] = {}
    if not path.exists():
        started = monotonic_s()
        fill_sqlite(path, World(size))
        told["filled_s"] = round(monotonic_s() - started)
    store = SqliteStore(path)
    try:
        return told | all_of(store, rounds)
    finally:
        store.close()


def with_postgresql(url: str, size: Size, rounds: int) -> dict[str, Any]:
    with server_at(url) as place:
        store = PostgresStore(place)
        with store.read() as session:
            is_filled = bool(session.reports.select(Selection(ACCOUNT, limit=1)))
        told: dict[str, Any] = {}
        if not is_filled:
            started = monotonic_s()
            fill_postgresql(place, World(size))
            told["filled_s"] = round(monotonic_s() - started)
        try:
            return told | all_of(store, rounds)
        finally:
            store.close()


@contextmanager
def server_at(url: str) -> Iterator[str]:
    """Yield that URL, or the URL of a database on a new server that ends with the block."""
    if url:
        yield url
        return
    sys.path.append(str(ROOT))
    from tests.postgresql import Server, programs

    place = programs()
    if place is None:
        raise SystemExit("there is no PostgreSQL here: install it, or name a database with --database-url")
    server = Server(place)
    try:
        server.stop()
        server.start(fsync="on", synchronous_commit="on", full_page_writes="on", shared_buffers="1GB", max_wal_size="4GB")
        yield server.empty_database()
    finally:
        server.remove()


def all_of(store: Store, rounds: int) -> dict[str, Any]:
    return {
        "lists": lists(store, rounds),
        "others": others(store, rounds),
        "create": creation(store, rounds),
        "delete_report": deletion(store, rounds),
        "delete_project": project_deleted(store),
    }


# --- lists


def lists(store: Store, rounds: int) -> dict[str, dict[str, Any]]:
    return {name: page_of(store, selection, rounds) for name, selection in selections(store)}


def selections(store: Store) -> Iterator[tuple[str, Selection]]:
    """Return common selections, and the slowest ones."""
    base = Selection(ACCOUNT, limit=11)
    for sort in SORTS:
        for descending in (True, False):
            first = replace(base, sort=sort, descending=descending)
            name = f"by {sort} {'down' if descending else 'up'}"
            yield f"{name}, first page", first
            yield f"{name}, deepest page", replace(first, position=deepest(store, first))
    yield "page 1,000 by number", replace(base, offset=9_990)
    wide, narrow = BIG_PROJECT, 15_000
    filters: dict[str, dict[str, Any]] = {
        "large project": {"project_id": wide},
        "small project": {"project_id": narrow},
        "result bad": {"result": "bad"},
        "status done": {"status": "done"},
        "status failed": {"status": "failed"},
        "status queued": {"status": "queued"},
        "frequent check failed": {"check": frequent(store)[0], "verdict": Verdict.FAILED},
        "rare check failed": {"check": frequent(store)[1], "verdict": Verdict.FAILED},
        "check passed": {"check": frequent(store)[0], "verdict": Verdict.PASSED},
        "since an hour": {"since": newest(store) - 3600},
        "since a month": {"since": newest(store) - 30 * 86_400},
        "since ever": {"since": 1},
        "bad and failing": {"result": "bad", "check": frequent(store)[0], "verdict": Verdict.FAILED},
        "large project and bad": {"project_id": wide, "result": "bad"},
        "large project and search": {"project_id": wide, "search": "lumen"},
        **{name: {"search": term} for name, term in TERMS.items()},
    }
    for name, values in filters.items():
        for sort in SORTS:
            one = replace(base, sort=sort, descending=sort != "url", **values)
            yield f"{name}, by {sort}", one
            last = deepest(store, one)
            if sort == "id" and last is not None:
                yield f"{name}, by id, deepest page", replace(one, position=last)


def deepest(store: Store, selection: Selection) -> Position | None:
    """Return the cursor before the last page; None if there is only one page."""
    with store.read() as session:
        rows = session.reports.select(replace(selection, descending=not selection.descending, limit=12))
    row = rows[-1] if len(rows) == 12 else None
    return None if row is None else Position(sort_key(row, selection), row.id)


def frequent(store: Store) -> tuple[str, str]:
    """Return the check that most reports fail, and one that few fail."""
    with store.read() as session:
        found = sorted(session.findings.failing(ACCOUNT, Verdict.FAILED, 1_000_000), key=lambda one: one.reports)
    return found[-1].check, found[0].check


def newest(store: Store) -> int:
    with store.read() as session:
        return session.reports.select(Selection(ACCOUNT, limit=1))[0].updated_at


def page_of(store: Store, selection: Selection, rounds: int) -> dict[str, Any]:
    """Measure rows and total in one transaction, as in a request, then each in a separate one."""
    found: list[int] = []

    def rows(session: Session) -> None:
        session.reports.select(selection)

    def total(session: Session) -> None:
        found.append(session.reports.count(selection, EXACT_UP_TO + 1))

    def timing(*questions: Callable[[Session], None]) -> tuple[float, float]:
        def work() -> None:
            with store.read() as session:
                for question in questions:
                    question(session)

        return timed(work, rounds)

    middle, slowest = timing(rows, total)
    return {"ms": middle, "slowest_ms": slowest, "page_ms": timing(rows)[0], "total_ms": timing(total)[0], "total": found[0]}


def timed(work: Callable[[], object], rounds: int) -> tuple[float, float]:
    """Return median and maximum in milliseconds."""
    work()
    took = []
    for _ in range(rounds):
        started = time.perf_counter()
        work()
        took.append(1000 * (time.perf_counter() - started))
        if sum(took) > 5000:
            break
    return round(statistics.median(took), 2), round(max(took), 2)


def others(store: Store, rounds: int) -> dict[str, float]:
    """Measure the list of projects, and the pages over all projects."""
    with store.read() as session:
        checked, _ = frequent(store)
        last = session.projects.select(ACCOUNT, sort="created_at", descending=False, limit=12)[-1]
        projects, searched = session.projects, ProjectFilter("a19", "a19")
        works: dict[str, Callable[[], object]] = {
            "projects, first page": lambda: projects.select(ACCOUNT, sort="created_at", descending=True, limit=11),
            "projects, deepest page": lambda: projects.select(
                ACCOUNT, sort="created_at", descending=True, limit=11, position=Position(last.created_at, last.id)
            ),
            "projects by name": lambda: projects.select(ACCOUNT, sort="project", descending=False, limit=11),
            "projects, search": lambda: projects.select(ACCOUNT, sort="project", descending=False, limit=11, chosen=searched),
            "projects, search, count": lambda: projects.count(ACCOUNT, searched, EXACT_UP_TO + 1),
            "project by name": lambda: projects.by_name(ACCOUNT, "blog-b1.example"),
            "one report": lambda: session.reports.by_id(777),
            "which checks fail": lambda: session.findings.failing(ACCOUNT, Verdict.FAILED, 1001),
            "projects that fail a check": lambda: session.findings.by_project(ACCOUNT, checked, Verdict.FAILED, 2001),
            "what got worse": lambda: changed_pages(session, ChangeScope(ACCOUNT), 0, 2**40),
            "trends of 50 projects": lambda: [session.scores.history(number, 12, of_site=False) for number in range(1, 51)],
        }
        return {name: timed(work, rounds)[0] for name, work in works.items()}


# --- writes


def creation(store: Store, rounds: int) -> dict[str, float]:
    """Measure the creation of a report and its job, until it is on disk."""
    took = []
    for number in range(rounds * 5):
        started = time.perf_counter()
        with store.write() as session:
            add(session, f"https://www.new.example/{started}", number)
        took.append(1000 * (time.perf_counter() - started))
    return {"middle_ms": round(statistics.median(took), 2), "slowest_ms": round(max(took), 2)}


def add(session: Any, url: str, number: int) -> int:
    report = session.reports.add(
        {
            "public_id": f"{time.time_ns():022d}",
            "account_id": ACCOUNT,
            "project_id": session.projects.ensure(ACCOUNT, "new.example", 1),
            "url": url,
            "scheme_guessed": 0,
            "privacy": 0,
            "status": "queued",
            "created_at": number,
            "updated_at": number,
        }
    )
    session.jobs.add(ACCOUNT, report_id=report, host="new.example", fresh_site=0, created_at=number)
    return int(report)


def writes_alone(store: Store) -> dict[str, float]:
    """Measure the writes of `project_deleted` without a purge."""
    took = []
    for number in range(WRITES_ALONE):
        started = time.perf_counter()
        with store.write() as session:
            add(session, f"https://www.new.example/alone/{number}", number)
        took.append(1000 * (time.perf_counter() - started))
        time.sleep(WRITER_PAUSE_S)
    return summarize(took)


def deletion(store: Store, rounds: int) -> dict[str, float]:
    took = []
    with store.read() as session:
        rows = session.reports.select(Selection(ACCOUNT, status="done", limit=rounds * 5))
    for row in rows:
        started = time.perf_counter()
        with store.write() as session:
            session.reports.delete(row, int(time.time()))
        took.append(1000 * (time.perf_counter() - started))
    return {"middle_ms": round(statistics.median(took), 2), "slowest_ms": round(max(took), 2)}


class PurgeService:
    """Part of a service that housekeeping needs; records how long each transaction blocks others."""

    def __init__(self, store: Store) -> None:
        self.store = self
        self.held_ms: list[float] = []
        self._store = store

    @contextmanager
    def write(self) -> Iterator[Any]:
        """Record the time from getting the lock until the transaction is on disk."""
        with ExitStack() as until_written:
            session = until_written.enter_context(self._store.write())
            begun: list[float] = [] if self._store.is_shared else [time.perf_counter()]
            look = session.reports.of_project

            def of_project(project_id: int, limit: int) -> list[int]:
                found = look(project_id, limit)  # on PostgreSQL the first statement that waits for the account
                begun.append(time.perf_counter())
                return found

            session.reports.of_project = of_project  # type: ignore[method-assign]  # a method measured by another
            yield session
            until_written.close()
            self.held_ms.append(1000 * (time.perf_counter() - begun[0]) if begun else 0)


def project_deleted(store: Store, project: int = BIG_PROJECT) -> dict[str, Any]:
    """Delete and purge the project of 10,000 reports while another thread writes continuously."""
    took: list[float] = []
    ended = threading.Event()

    def write() -> None:
        number = 0
        while not ended.is_set():
            number += 1
            started = time.perf_counter()
            with store.write() as session:
                add(session, f"https://www.new.example/w/{number}", number)
            took.append(1000 * (time.perf_counter() - started))
            time.sleep(WRITER_PAUSE_S)

    alone = writes_alone(store)
    with store.read() as session:
        victim = session.projects.by_id(ACCOUNT, project)
    if victim is None:
        return {}
    writer = threading.Thread(target=write)
    writer.start()
    try:
        started = time.perf_counter()
        with store.write() as session:
            session.projects.mark_deleted(ACCOUNT, project, 1)
        marked_ms = 1000 * (time.perf_counter() - started)
        kept = PurgeService(store)
        started = time.perf_counter()
        while housekeeping.purge_deleted(kept):  # type: ignore[arg-type]  # no other part of a service is used
            time.sleep(PURGE_PAUSE_S)
        purged_s = time.perf_counter() - started
    finally:
        ended.set()
        writer.join()
    return {
        "reports": victim.reports,
        "marked_ms": round(marked_ms, 2),
        "purged_s": round(purged_s, 1),
        "others_held_up_ms": summarize(kept.held_ms),
        "writes_meanwhile": len(took),
        "write_alone_ms": alone,
        "write_ms": summarize(took),
    }


def summarize(took: list[float]) -> dict[str, float]:
    ordered = sorted(took)
    places = {"middle": len(took) // 2, "95_in_100": len(took) * 95 // 100, "99_in_100": len(took) * 99 // 100, "longest": -1}
    return {name: round(ordered[place], 1) for name, place in places.items()}
