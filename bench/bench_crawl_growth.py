"""Measure a crawl of ``--crawl-pages`` pages over HTTP while it runs: memory of each process, and the CPU time of its first and last pages.

``findable crawl`` and the service crawl the same site, one after the other. Memory is the highest resident memory of a process;
pages of the first of ``--kilobytes``.
"""

import argparse
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from bench_crawl import serve_site
from bench_queue import tree_cpu_s
from service import Client, descendants, running

EACH_S = 1.0
WINDOWS = 10
MAX_RATE, SERVICE_RATE = 50, 20


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Crawl the site with the command, then with the service."""
    pages = options.crawl_pages
    with serve_site(pages, options.kilobytes[0]) as url, tempfile.TemporaryDirectory() as name:
        return {"command": _by_command(url, pages, Path(name)), "service": _by_service(url, pages, Path(name))}


def _by_command(url: str, pages: int, folder: Path) -> dict[str, Any]:
    file = folder / "crawl.sqlite"
    limits = ("--pages", str(pages), "--rate", str(MAX_RATE), "--connections", "4", "--confirm-after", "0", "--render", "never")
    return watched([sys.executable, "-m", "findable", "crawl", url, *limits, "--store", str(file)], file)


def watched(command: list[str], file: Path) -> dict[str, Any]:
    """Run a command that writes the crawl ``file``; return its figures."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        watch = _Watch(process.pid, file)
        while (ended := os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)) is None:
            watch.look()
            time.sleep(EACH_S)
        _, _, usage = os.wait4(ended.si_pid, 0)
        process.returncode = 0
    return watch.found(usage.ru_utime + usage.ru_stime)


def _by_service(url: str, pages: int, folder: Path) -> dict[str, Any]:
    with running(folder, allow_targets=urlsplit(url).netloc) as service:
        client = Client(service.port, service.key())
        limits = {"pages": pages, "rate": SERVICE_RATE, "connections": 4, "render": "never"}
        _, created = client.send("POST", "/api/v1/crawls", urlencode({"url": url, **limits}))
        number = created["data"]["id"]
        watch = _Watch(service.process.pid, folder / f"crawls/{number}.sqlite")
        while client.send("GET", f"/api/v1/crawls/{number}")[1]["data"]["status"] not in ("done", "failed", "stopped"):
            watch.look()
            time.sleep(EACH_S)
        return watch.found(tree_cpu_s(service.process.pid))


class _Watch:
    """Progress, CPU time and memory of a crawl.

    Args:
        pid: process of the crawl, which starts the others.
        file: file of the crawl.
    """

    def __init__(self, pid: int, file: Path) -> None:
        self._pid, self._file = pid, file
        self._seen: list[tuple[int, float, float]] = []
        """Pages, seconds of CPU and megabytes of the first process."""
        self._most: Counter[str] = Counter()

    def look(self) -> None:
        """Note the progress."""
        try:
            cpu_s, resident = tree_cpu_s(self._pid), {pid: _memory_mb(pid, "VmHWM") for pid in (self._pid, *descendants(self._pid))}
            now_mb = _memory_mb(self._pid, "VmRSS")
        except OSError:  # a process has ended meanwhile
            return
        for pid, most in resident.items():
            kind = "main" if pid == self._pid else "largest_child"
            self._most[kind] = max(self._most[kind], round(most))
        self._most["children"] = max(self._most["children"], len(resident) - 1)
        self._seen.append((self._count(), cpu_s, now_mb))

    def _count(self) -> int:
        if not self._file.exists():
            return 0
        try:
            with closing(sqlite3.connect(f"file:{self._file}?mode=ro", uri=True, timeout=5)) as database:
                return int(database.execute("SELECT count(*) FROM crawl_page").fetchone()[0])
        except sqlite3.OperationalError:  # the tables do not exist yet
            return self._seen[-1][0] if self._seen else 0

    def found(self, cpu_s: float) -> dict[str, Any]:
        """Return the figures of an ended crawl."""
        return {
            "pages": self._seen[-1][0],
            "bytes": self._file.stat().st_size,
            "cpu_s": round(cpu_s, 1),
            "cpu_s_after_the_last_page": round(cpu_s - self._at(self._seen[-1][0])[1], 1),
            "cpu_ms_per_page": self._windows(lambda first, last: 1000 * (last[1] - first[1]) / max(1, last[0] - first[0])),
            "memory_mb": self._windows(lambda _first, last: last[2]),
            "most": dict(self._most),
        }

    def _windows(self, value: Callable[[tuple[int, float, float], tuple[int, float, float]], float]) -> list[float]:
        """Return a value of each tenth of the pages that were crawled."""
        crawled = self._seen[-1][0]
        ends = [self._at(crawled * window // WINDOWS) for window in range(WINDOWS + 1)]
        return [round(value(first, last), 1) for first, last in pairwise(ends)]

    def _at(self, pages: int) -> tuple[int, float, float]:
        return next(seen for seen in self._seen if seen[0] >= pages)


def _memory_mb(pid: int, name: str) -> float:
    found = re.search(rf"^{name}:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text(encoding="ascii"), re.MULTILINE)
    return int(found[1]) / 1024 if found else 0
