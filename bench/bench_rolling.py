"""Measure what a rolling crawl does besides its requests: the copy of the earlier crawl, the choice of pages, and what is no longer linked.

The store is that of bench_settle. The choice is simulated over days at a size of its own: pages that change, some of them with a date in
the sitemap, and the day on which each change is read.
"""

import argparse
import random
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import bench_settle
from msgspec.structs import replace

from findable.crawl.rolling import CarriedPage, DuePages, due_pages, proposed_limit, round_days
from findable.crawl.state import CrawlState
from findable.service.crawls.crawl_run import settle_crawl
from findable.store.carried_pages import remove_unlinked
from findable.store.crawl_file import CrawlFile
from findable.store.crawl_frontier import DONE, Frontier

DAY_S = 86_400
SITE_URLS = 400_000
CHANGES = 500
DATED_SHARE = 0.8
"""Share of the changes that the sitemap declares."""


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Return the CPU seconds of the steps, and the days until changes are read."""
    return {**_store(options.crawl_pages, options.links), "choice": _choice(SITE_URLS, SITE_URLS // 10)}


def _store(pages: int, links: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "earlier.sqlite"
        bench_settle.store_crawl(path, pages, links)
        earlier = CrawlFile(path)
        settled = settle_crawl(earlier)
        file = CrawlFile(Path(folder) / "rolling.sqlite")
        state = CrawlState(settled.typed_url, replace(settled.settings, rolling=pages // 10), started_at="2026-11-02T12:00:00Z")
        file.save_state(replace(state, checks=settled.checks))
        found: dict[str, Any] = {"pages": pages, "links": pages * links}
        began_s, cpu_s = time.monotonic(), time.process_time()
        file.carry_over(earlier)
        found |= {"copy_s": round(time.process_time() - cpu_s, 2), "copy_wall_s": round(time.monotonic() - began_s, 2)}
        cpu_s = time.process_time()

        def choose(known: Sequence[CarriedPage], start: int) -> DuePages:
            return due_pages(known, start, pages // 10, int(time.time()))

        file.queue_due(state.settings.start_url, choose, clicks={}, lastmods={}, has_other_rule=None)
        found["queue_s"] = round(time.process_time() - cpu_s, 2)
        cpu_s = time.process_time()
        taken = 0
        while batch := file.take(32):
            taken += len(batch)
            with file.writing() as connection:
                Frontier(connection, state).set_state([item.number for item in batch], DONE)
        found |= {"taken": taken, "take_ms_per_url": round(1000 * (time.process_time() - cpu_s) / taken, 3)}
        cpu_s = time.process_time()
        with file.writing() as connection:
            remove_unlinked(connection, Frontier(connection, state))
        return {**found, "unlinked_s": round(time.process_time() - cpu_s, 2)}


def _choice(count: int, limit: int) -> dict[str, Any]:
    chance = random.Random(1)
    requested, changed = [0] * count, [0] * count
    changes = chance.sample(range(count), CHANGES)
    planted, dated = set(changes), set(changes[: int(CHANGES * DATED_SHARE)])
    seen: dict[int, int] = {}
    spent_s = 0.0
    days = round_days(count, limit)
    for day in range(1, days + 1):
        pages = [
            CarriedPage(
                number, requested[number], changed[number], 90 if number < count // 20 else 5, 0, number in dated and number not in seen
            )
            for number in range(count)
        ]
        spent_s -= time.process_time()
        due = due_pages(pages, 0, limit, day * DAY_S)
        spent_s += time.process_time()
        for number in (*due.before_new, *due.after_new):
            requested[number] = day * DAY_S
            if number in planted and number not in seen:
                changed[number] = day * DAY_S
            seen.setdefault(number, day)
    undated = [seen[number] for number in changes if number not in dated]
    important = [seen[number] for number in changes if number < count // 20]
    return {
        "urls": count,
        "requests_a_day": limit,
        "cpu_s_per_day": round(spent_s / days, 2),
        "important_seen_day": max(important),
        "dated_seen_day": max(seen[number] for number in dated),
        "undated_seen_day": max(undated),
        "undated_seen_within_10_days": f"{sum(day <= 10 for day in undated)} of {len(undated)}",
        "proposed_requests": proposed_limit(count),
        "proposed_days": round_days(count, proposed_limit(count)),
    }
