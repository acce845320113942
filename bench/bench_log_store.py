"""Store the counts of many lines of access logs with many URLs in a project, and measure the database and its lists.

Counts are written day by day as an import writes them, but with all URLs at once, because reading lines is measured by ``logs``.
"""

import argparse
import random
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from itertools import accumulate
from pathlib import Path
from typing import Any

import msgspec

from findable.artifacts.tables.bot_ranges import Verification
from findable.capture.hit_statuses import HitStatus
from findable.crawl.hit_packing import STATUSES
from findable.crawl.hit_urls import HitKind, folded
from findable.crawl.url_keys import text_key, url_key
from findable.service.accounts import account_admin
from findable.service.projects import bot_hits, bot_overview, hit_recounting, projects
from findable.service.runtime.service import Service
from findable.settings import Settings
from findable.store.log_statements import LogImportRow, NewHitUrl

PROJECT = "example.com"
DAYS = 90
BOT_SHARE = 0.15
"""Share of the lines that are of bots."""
BOTS = (
    ("Googlebot", Verification.VERIFIED, 0.38),
    ("Googlebot", Verification.FAKE, 0.04),
    ("Bingbot", Verification.VERIFIED, 0.16),
    ("GPTBot", Verification.VERIFIED, 0.12),
    ("ClaudeBot", Verification.VERIFIED, 0.12),
    ("OAI-SearchBot", Verification.VERIFIED, 0.05),
    ("Applebot", Verification.VERIFIED, 0.05),
    ("SemrushBot", Verification.UNVERIFIED, 0.06),
    ("PerplexityBot", Verification.VERIFIED, 0.02),
)
OF_STATUSES = (HitStatus.OK,) * 84 + (HitStatus.REDIRECT,) * 6 + (HitStatus.NOT_MODIFIED,) * 4 + (HitStatus.MISSING,) * 3
URLS_AT_ONCE = 20_000
ZIPF, SKIPPED = -0.7, 10
"""The URL with rank n is requested in proportion to (n + 10) to the power of -0.7."""
START = date(2026, 9, 1)
EPOCH = date(1970, 1, 1)


def timed_ms(call: Callable[[], object]) -> float:
    started = time.process_time()
    call()
    return round((time.process_time() - started) * 1000, 1)


def new_urls(count: int) -> Iterator[NewHitUrl]:
    for n in range(count):
        path = f"/c{n % 997}/page-{n}.html" if n % 5 else f"/list/{n % 997}?page={n // 997}&s={n % 7}"
        url = f"https://{PROJECT}{path}"
        yield NewHitUrl(url_key(url), url, text_key(folded(url)) if "?" in url else None, HitKind.PAGE.value, (START - EPOCH).days)


def fill(service: Service, project_id: int, lines: int, urls: int) -> None:
    """Store the URLs, and a log for each day."""
    rng, made = random.Random(7), list(new_urls(urls))
    for start in range(0, urls, URLS_AT_ONCE):
        with service.store.write() as session:
            session.logs.add_urls(project_id, made[start : start + URLS_AT_ONCE])
    ids, weights = range(1, urls + 1), list(accumulate((n + SKIPPED) ** ZIPF for n in range(urls)))
    for n in range(DAYS):
        day = START + timedelta(days=n)
        at = int(datetime.combine(day, datetime.min.time(), UTC).timestamp())
        days = msgspec.json.encode([day]).decode()
        log = LogImportRow(0, "web1", "combined", f"{n:032x}", 9, 9, f"{n:032x}", at, at + 86_399, lines // DAYS, 0, 0, days, at + 86_400)
        with service.store.write() as session:
            import_id = session.logs.add_import(project_id, log)
            for bot, verification, share in BOTS:
                count = int(lines * BOT_SHARE / DAYS * share)
                chosen = zip(rng.choices(ids, cum_weights=weights, k=count), rng.choices(OF_STATUSES, k=count), strict=True)
                hits = Counter(number * STATUSES + status for number, status in chosen)
                session.logs.add_day(import_id, (day - EPOCH).days, bot, verification, hits)


def measure(options: argparse.Namespace) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data_dir=Path(folder), **({"database_url": options.database_url} if options.database_url else {}))
        service = Service.open(settings)
        account_admin.create_account(service, "bench@example.com")
        caller = account_admin.owner_caller(service, "bench@example.com")
        projects.make(service, caller, PROJECT)
        with service.store.read() as session:
            project = session.projects.by_name(caller.account_id, PROJECT)
            assert project is not None
        filled_ms = timed_ms(lambda: fill(service, project.id, options.log_lines, options.log_urls))
        with service.store.read() as session:
            stored_urls = session.logs.count_urls(project.id)
        reads: dict[str, Callable[[], object]] = {
            "requests by day": lambda: bot_hits.days(service, caller, PROJECT),
            "URLs with most requests": lambda: bot_hits.urls(service, caller, PROJECT),
            "URLs of one bot": lambda: bot_hits.urls(service, caller, PROJECT, bot="Bingbot"),
            "URLs of another period": lambda: bot_hits.urls(service, caller, PROJECT, START, START + timedelta(days=9)),
            "page Bots": lambda: bot_overview.get(service, caller, PROJECT),
        }
        counted_ms = timed_ms(lambda: hit_recounting.count_project(service, project.id, caller.account_id))
        found = {
            "lines": options.log_lines,
            "urls_stored": stored_urls,
            "filled_cpu_ms": filled_ms,
            "database_mb": round(sum(file.stat().st_size for file in Path(folder).glob("findable.db*")) / 1e6),
            "all_results_counted_cpu_ms": counted_ms,
            "cpu_ms_first_and_again": {name: [timed_ms(read), timed_ms(read)] for name, read in reads.items()},
        }
        service.close()
        return found
