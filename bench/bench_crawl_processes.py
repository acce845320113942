"""Measure the wall time of a crawl with one and two analysis processes, each process limited to a fifth of a core.

On few or busy cores processes wait for each other, and wall time is meaningless. Limited by a control group (as root), the requesting
process and the analysis processes run as if each had a separate slow core. The server of the site is not limited.
"""

import argparse
import asyncio
import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import bench_crawl

from findable.crawl.settings import CrawlSettings
from findable.crawl.state import Phase
from findable.fetch.egress_guard import AllowedTarget, Guard
from findable.fetch.fetcher import Fetcher
from findable.service.crawls.crawl_run import CrawlRun
from findable.store.crawl_file import CrawlFile
from findable.worker.analysis_pool import AnalysisPool

GROUPS = Path("/sys/fs/cgroup/cpu") if Path("/sys/fs/cgroup/cpu").exists() else Path("/sys/fs/cgroup")
PERIOD_US, QUOTA_US = 20_000, 4_000
FIRST, PAGES = 80, 280
"""Number of pages before the measurement begins, and of pages of the site."""
CHILDREN = "findable.worker.pool_child"


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Measure each size alternately with one and two processes."""
    found: dict[str, Any] = {}
    for size in options.kilobytes:
        with bench_crawl.serve_site(PAGES, size) as url:
            times = [(asyncio.run(_per_page(url, 1)), asyncio.run(_per_page(url, 2))) for _ in range(options.rounds)]
        one, two = zip(*times, strict=True)
        found[f"{size} kB"] = {
            "wall_ms_per_page": {"one": round(1000 * statistics.median(one), 1), "two": round(1000 * statistics.median(two), 1)},
            "times_one": round(statistics.median(first / second for first, second in times), 2),
        }
    return found


async def _per_page(url: str, processes: int) -> float:
    """Return the wall seconds per page."""
    with tempfile.TemporaryDirectory() as folder:
        file = CrawlFile(Path(folder) / "crawl.sqlite")
        pool = AnalysisPool(processes, preload=("findable.crawler",))
        async with Fetcher(Guard(allow_targets=[AllowedTarget.parse("127.0.0.1")])) as fetcher:
            run = CrawlRun(file, fetcher, pool)
            state = run.begin(CrawlSettings(url, pages=PAGES, rate=1000.0, confirm_after_s=0.0))
            while state.phase is Phase.START:
                state = await run.work()
            await run.work(FIRST)
            with _limit_processes([os.getpid(), *_children()]):
                started_s = time.monotonic()
                while state.phase in (Phase.START, Phase.DISCOVER):
                    state = await run.work()
                spent_s = time.monotonic() - started_s
        await pool.close()
        file.close()
    return spent_s / (PAGES - FIRST)


def _children() -> Iterator[int]:
    """Yield the ids of the analysis processes."""
    for task in Path(f"/proc/{os.getpid()}/task").iterdir():
        for pid in (task / "children").read_text("ascii").split():
            if CHILDREN in Path(f"/proc/{pid}/cmdline").read_text("utf-8"):
                yield int(pid)


@contextmanager
def _limit_processes(numbers: list[int]) -> Iterator[None]:
    """Limit each process to its share of a core."""
    groups = []
    try:
        for pid in numbers:
            group = GROUPS / f"findable-bench-{pid}"
            group.mkdir()
            groups.append(group)
            if (group / "cpu.max").exists():
                (group / "cpu.max").write_text(f"{QUOTA_US} {PERIOD_US}", "ascii")
            else:
                (group / "cpu.cfs_period_us").write_text(str(PERIOD_US), "ascii")
                (group / "cpu.cfs_quota_us").write_text(str(QUOTA_US), "ascii")
            (group / "cgroup.procs").write_text(str(pid), "ascii")
        yield
    finally:
        for group, pid in zip(groups, numbers, strict=False):
            with suppress(ProcessLookupError):
                (GROUPS / "cgroup.procs").write_text(str(pid), "ascii")
            group.rmdir()
