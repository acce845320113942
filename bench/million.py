"""Create a database with a million reports in minutes: 20,000 projects, runs, findings, saved pages and jobs, with a realistic skew.

Rows are written without the store but with the values that it would write, and indexes are created at the end. One account
owns all reports, which is the hardest case for a list. Numbers are drawn with a fixed seed, so that every database is the same.
"""

import json
import random
import sqlite3
import string
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

from findable.checks.engine import all_checks
from findable.store.postgres import PostgresStore
from findable.store.report_columns import AGAINST, VERDICT_PLACE
from findable.store.report_list_queries import rating_keys
from findable.store.rows import NEVER, RESULTS, VERDICTS
from findable.store.search_index_sqlite import drop_search_index, make_search_index
from findable.store.sqlite import SqliteStore
from findable.urls import subject_key

ACCOUNT = 1
START_S = 1_730_000_000
SPREAD_S = 60 * 86_400 * 12
BIG_PROJECT = 1
"""Project that is deleted; it has BIG reports, each with a saved page."""
BIG = 10_000
PAGE_BYTES = 30_000
"""Compressed size of a saved page."""
DONE, FAILED, QUEUED = "done", "failed", "queued"
HOSTS = ("shop", "blog", "news", "docs", "forum", "magazine", "store", "media", "travel", "garden")
WORDS = (
    "river",
    "stone",
    "apple",
    "lumen",
    "quartz",
    "meadow",
    "copper",
    "pricing",
    "winter",
    "harbor",
    "velvet",
    "cedar",
    "anchor",
    "saffron",
)
SECTIONS = ("blog", "products", "en/help", "de/hilfe", "category", "tags", "2025/11", "archive", "about", "shop/item")
COUNTERS = ("reports", "good", "decent", "bad")


@dataclass(frozen=True)
class Size:
    """Amount of data to create."""

    reports: int
    projects: int
    findings: int
    """Mean number per rated report."""
    analysis_bytes: int
    """Compressed size per rated run."""


class World:
    """Generator of the rows by table; every call returns the same rows."""

    def __init__(self, size: Size) -> None:
        self.size = size
        self.checks = sorted(all_checks())
        self._noise = random.Random(7).randbytes(4_000_000)
        self._counts: dict[int, dict[str, int]] = {}
        self._reports = list(self._report_values())

    def tables(self) -> Iterator[tuple[str, Sequence[str], Iterable[Sequence[Any]]]]:
        """Yield name, columns and rows of each table, in the order of their references."""
        total = {name: sum(one[name] for one in self._counts.values()) for name in COUNTERS}
        yield (
            "account",
            ("id", "email", "name", "created_at", *COUNTERS, "projects"),
            [(ACCOUNT, "a@example.com", "A", START_S, *(total[name] for name in COUNTERS), self.size.projects)],
        )
        yield "project", ("id", "account_id", "name", "created_at", *COUNTERS), self._projects()
        yield "check_name", ("id", "name"), list(enumerate(self.checks, 1))
        yield "check_set", ("id", "digest", "not_asked"), [(1, b"all", '["cls", "fcp", "lcp", "load-time", "tbt"]')]
        yield "check_set_member", ("check_id", "set_id"), [(number, 1) for number in range(1, len(self.checks) + 1)]
        yield "blob", ("hash", "data", "created_at"), self._pages()
        yield "report", REPORT, self._report_rows()
        yield "run", RUN, self._runs()
        yield "finding", ("report_id", "check_id", "account_id", "verdict", "result"), self._findings()
        yield "job", JOB, self._jobs()

    def _report_values(self) -> Iterator[tuple[int, int, str, str, str | None, int | None, int]]:
        """Yield (id, project, url, status, result, score, created)."""
        chance = random.Random(1)
        zeroes = dict.fromkeys(COUNTERS, 0)
        self._counts = {number: dict(zeroes) for number in range(1, self.size.projects + 1)}
        paths = [f"{chance.choice(SECTIONS)}/{chance.choice(WORDS)}-{chance.choice(WORDS)}" for _ in range(5000)]
        step = max(1, self.size.reports // BIG)
        for number in range(1, self.size.reports + 1):
            # A tenth of the projects have two thirds of the reports.
            wide = self.size.projects if chance.random() < 0.33 else self.size.projects // 10
            project = BIG_PROJECT if number % step == 0 else 2 + int(chance.random() * (wide - 1))
            kind = chance.random()
            status = FAILED if kind < 0.03 else QUEUED if kind < 0.035 else DONE
            score = int(100 * chance.betavariate(6, 2)) if status == DONE and kind < 0.98 else None
            result = None if score is None else RESULTS[(score >= 50) + (score >= 80)]
            counted = self._counts[project]
            counted["reports"] += 1
            if result:
                counted[result] += 1
            url = f"{name_url(project)}/{paths[int(chance.random() * len(paths))]}-{number}"
            yield number, project, url, status, result, score, START_S + int(number / self.size.reports * SPREAD_S)

    def _projects(self) -> Iterator[Sequence[Any]]:
        for number, counted in self._counts.items():
            yield number, ACCOUNT, name_url(number)[12:], START_S + number, *(counted[name] for name in COUNTERS)

    def _report_rows(self) -> Iterator[Sequence[Any]]:
        summaries = {score: summary_of(score) for score in (None, *range(101))}
        error = '{"code": "target_timeout", "message": "The page did not answer in time.", "retryable": true, "at": null}'
        for number, project, url, status, result, score, created in self._reports:
            rated = status == DONE
            when = created + 5 if rated else None
            previous = score is not None and number % 5 == 0 and number > 20
            yield (
                number,
                f"{number:022d}",
                ACCOUNT,
                project,
                url,
                subject_key(url),
                0,
                0,
                status,
                created,
                created + (5 if rated else 0),
                1 if rated else 0,
                1 if rated else None,
                when,
                result,
                score,
                97 if score is not None else None,
                1 if rated else None,
                summaries[score] if rated else None,
                error if status == FAILED else None,
                number - 20 if previous else None,
                1 if previous else None,
                RESULTS[number % 3] if previous else None,
                number % 101 if previous else None,
                when or NEVER,
                when or 0,
                *rating_keys(result, score).values(),
            )

    def _runs(self) -> Iterator[Sequence[Any]]:
        width, room = self.size.analysis_bytes, len(self._noise)
        for number, project, url, status, result, score, created in self._reports:
            if status == DONE:
                at = number * 7919 % (room - 2 * width)
                size = width // 2 + at % width
                page = _hash(number) if project == BIG_PROJECT else None
                yield (
                    number,
                    number,
                    1,
                    ACCOUNT,
                    url,
                    subject_key(url),
                    "static",
                    created,
                    created + 5,
                    result,
                    score,
                    97,
                    ENGINE,
                    self._noise[at : at + size],
                    page,
                )

    def _pages(self) -> Iterator[Sequence[Any]]:
        room = len(self._noise) - PAGE_BYTES
        for number, project, _, status, *_ in self._reports:
            if project == BIG_PROJECT and status == DONE:
                at = number * 104_729 % room
                yield _hash(number), self._noise[at : at + PAGE_BYTES], START_S

    def _findings(self) -> Iterator[Sequence[Any]]:
        """Yield findings: some checks fail everywhere, most of them rarely."""
        chance = random.Random(2)
        weights = [1 / place for place in range(1, len(self.checks) + 1)]
        shares = (VERDICTS.index(VERDICTS[1]), VERDICTS.index(VERDICTS[1]), 2, 3, 3, 3, 3, 5)
        patterns = []
        for _ in range(2000):
            drawn = set(chance.choices(range(1, len(self.checks) + 1), weights, k=3 * self.size.findings))
            some = sorted(
                chance.sample(sorted(drawn), min(len(drawn), chance.randint(self.size.findings // 2, self.size.findings * 3 // 2)))
            )
            patterns.append([(check, ACCOUNT, shares[(check * 5 + chance.randint(0, 2)) % len(shares)]) for check in some])
        against = {VERDICT_PLACE[verdict] for verdict in AGAINST}
        for number, _, _, status, result, *_ in self._reports:
            place = RESULTS.index(result) + 1 if result else None
            if status == DONE:
                for check, account, verdict in patterns[number * 7919 % len(patterns)]:
                    yield number, check, account, verdict, place if verdict in against else None

    def _jobs(self) -> Iterator[Sequence[Any]]:
        for number, project, _, status, _, _, created in self._reports:
            if status == QUEUED:
                yield "report", number, ACCOUNT, name_url(project)[8:], 0, 0, "queued", created, created


REPORT = [
    "id",
    "public_id",
    "account_id",
    "project_id",
    "url",
    "subject",
    "scheme_guessed",
    "privacy",
    "status",
    "created_at",
    "updated_at",
    "runs",
    "run",
    "generated_at",
    "result",
    "score",
    "coverage",
    "check_set",
    "summary",
    "error",
    "previous_report",
    "previous_run",
    "previous_result",
    "previous_score",
    "generated_up",
    "generated_down",
    "result_up",
    "result_down",
    "worst_down",
]
RUN = [
    "id",
    "report_id",
    "number",
    "account_id",
    "url",
    "subject",
    "profile",
    "started_at",
    "finished_at",
    "result",
    "score",
    "coverage",
    "engine",
    "analysis",
    "saved_hash",
]
JOB = ["kind", "report_id", "account_id", "host", "priority", "fresh_site", "state", "run_at", "created_at"]
ENGINE = '{"profile":"static","ruleset":"2026-11","sources":["page","site"],"version":"0.1.0"}'


def name_url(project: int) -> str:
    """Return ``https://www.`` with the project's name."""
    return f"https://www.{HOSTS[project % len(HOSTS)]}-{string.ascii_lowercase[project % 26]}{project}.example"


def _hash(number: int) -> bytes:
    return number.to_bytes(32, "big")


def summary_of(score: int | None) -> str:
    """Return the summary as the service writes it."""
    names = [
        "indexability",
        "content",
        "links",
        "images",
        "performance",
        "security",
        "structured_data",
        "social",
        "international",
        "mobile",
        "technical",
        "ai",
    ]
    told = {
        "engine": json.loads(ENGINE),
        "judged_as": None,
        "counts": {"failed": 2, "inapplicable": 42, "info": 12, "passed": 79, "unknown": 0, "warned": 1},
        "categories": [{"id": name, "title": name.title(), "score": score} for name in names],
        "title": "Fresh bread from Mill Street, baked overnight and delivered before eight",
        "listing": "can",
        "status": 200,
        "not_for_search": False,
        "basis": [{"content-length": ["short_text", 60]}],
        "final_url": "https://www.shop-a260.example/products/apple-river-260260",
    }
    return json.dumps(told, separators=(",", ":"))


def fill_sqlite(path: Path, world: World) -> None:
    """Create a SQLite database at that path."""
    SqliteStore(path).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for pragma in ("synchronous=OFF", "locking_mode=EXCLUSIVE", "journal_mode=OFF", "foreign_keys=OFF", "cache_size=-400000"):
            connection.execute(f"PRAGMA {pragma}")
        indexes = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL").fetchall()
        connection.execute("BEGIN")
        drop_search_index(connection)
        for name, _ in indexes:
            connection.execute(f"DROP INDEX {name}")
        for table, columns, rows in world.tables():
            places = ", ".join("?" * len(columns))
            connection.executemany(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({places})", rows)
        for _, sql in indexes:
            connection.execute(sql)
        make_search_index(connection)
        connection.execute("COMMIT")
        connection.execute("ANALYZE")
        connection.execute("PRAGMA journal_mode=WAL")


def fill_postgresql(url: str, world: World) -> None:
    """Create a PostgreSQL database at that URL, whose user must be a superuser."""
    PostgresStore(url).close()
    with psycopg.connect(url) as connection:
        run = connection.execute
        run("SET session_replication_role = replica")  # avoids a lookup of each parent row
        run("SET maintenance_work_mem = '512MB'")
        indexes = run(
            "SELECT indexname, indexdef FROM pg_indexes "
            "WHERE schemaname = current_schema() AND (indexname LIKE 'ix%' OR indexname LIKE 'uq_project%')"
        ).fetchall()
        for name, _ in indexes:
            run(f"DROP INDEX {name}".encode())
        for table, columns, rows in world.tables():
            with connection.cursor().copy(f"COPY {table} ({', '.join(columns)}) FROM STDIN".encode()) as copy:
                for row in rows:
                    copy.write_row(row)
            if "id" in columns:
                run(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), (SELECT max(id) FROM {table}))".encode())
        for _, definition in indexes:
            run(definition.encode())
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("VACUUM (ANALYZE)")
