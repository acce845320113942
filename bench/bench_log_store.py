"""Store the counts of many lines of access logs with many URLs in a project, and measure the database and its lists.

Counts are generated as `findable logs` sends them, day by day, because reading the lines is measured by ``logs``.
"""

import argparse
import random
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from findable.artifacts.tables.bot_ranges import Verification
from findable.capture.bot_hits import HitStatus
from findable.crawl.hit_document import HitGroup, encode_groups
from findable.service.accounts import account_admin
from findable.service.projects import bot_overview, log_imports, projects
from findable.service.projects.log_imports import LogImportCreate
from findable.service.reports import bot_metrics
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.settings import Settings

PROJECT = "example.com"
DAYS = 30
BOT_SHARE = 0.15
"""Share of the lines that are of bots."""
BOTS = (("Googlebot", 50), ("Bingbot", 20), ("GPTBot", 15), ("ClaudeBot", 15))
STATUSES = (HitStatus.OK,) * 17 + (HitStatus.REDIRECT, HitStatus.NOT_MODIFIED, HitStatus.MISSING)
PART_HITS = 100_000
START = datetime(2026, 10, 1, tzinfo=UTC)


def timed_ms(call: Callable[[], object]) -> float:
    started = time.perf_counter()
    call()
    return round((time.perf_counter() - started) * 1000, 1)


def fill(service: Service, caller: Caller, lines: int, urls: int) -> None:
    """Store a log for each day. Half of the requests are of a tenth of the URLs."""
    rng = random.Random(7)
    for n in range(DAYS):
        day = START + timedelta(days=n)
        continues = offset = 0
        left = int(lines * BOT_SHARE / DAYS)
        while left > 0:
            groups: list[HitGroup] = []
            for bot, share in BOTS:
                counts: dict[tuple[str, HitStatus], int] = {}
                for _ in range(min(left, PART_HITS) * share // 100):
                    number = rng.randrange(urls // 10) if rng.random() < 0.5 else rng.randrange(urls)
                    key = f"/c{number % 997}/page-{number}.html", rng.choice(STATUSES)
                    counts[key] = counts.get(key, 0) + 1
                groups.append(
                    HitGroup(day.date(), bot, Verification.VERIFIED, [(url, status, count) for (url, status), count in counts.items()])
                )
            part = LogImportCreate(
                source="web1",
                format="combined",
                head_hash=f"{n:032x}",
                head_bytes=9,
                offset=offset + 9,
                tail_hash=f"{n * 1000 + offset:032x}",
                first_at=int(day.timestamp()),
                last_at=int(day.timestamp()) + 86_399,
                lines=int(min(left, PART_HITS) / BOT_SHARE),
                days=[day.date()],
                hits=encode_groups(groups),
                continues=continues,
                from_offset=offset,
            )
            continues = log_imports.add(service, caller, PROJECT, part).id
            offset += 9
            left -= PART_HITS


def measure(options: argparse.Namespace) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data_dir=Path(folder), **({"database_url": options.database_url} if options.database_url else {}))
        service = Service.open(settings)
        account_admin.create_account(service, "bench@example.com")
        caller = account_admin.owner_caller(service, "bench@example.com")
        projects.make(service, caller, PROJECT)
        started = time.perf_counter()
        fill(service, caller, options.log_lines, options.log_urls)
        filled_s = round(time.perf_counter() - started)
        with service.store.read() as session:
            project = session.projects.by_name(caller.account_id, PROJECT)
            assert project is not None
            stored_urls = session.logs.count_urls(project.id)

        def table() -> object:
            with service.store.read() as session:
                return bot_metrics.bot_table(session, project.id)

        reads: dict[str, Callable[[], object]] = {
            "requests by day": lambda: log_imports.days(service, caller, PROJECT),
            "URLs with most requests": lambda: log_imports.urls(service, caller, PROJECT),
            "URLs of one bot": lambda: log_imports.urls(service, caller, PROJECT, bot="Bingbot"),
            "page Bots": lambda: bot_overview.get(service, caller, PROJECT),
            "columns of pages": table,
        }
        found = {
            "lines": options.log_lines,
            "urls_in_the_logs": options.log_urls,
            "urls_stored": stored_urls,
            "filled_s": filled_s,
            "database_mb": round(sum(file.stat().st_size for file in Path(folder).glob("findable.db*")) / 1e6),
            "ms_first_and_again": {name: [timed_ms(read), timed_ms(read)] for name, read in reads.items()},
        }
        service.close()
        return found
