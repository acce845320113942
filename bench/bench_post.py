"""Measure POST /reports until its 201, compared with only fetching the same resources with libcurl.

Both request the demonstration site on loopback, alternately. The site records the requests of the report, which are then repeated over
one keep-alive connection, one after another.
"""

import argparse
import statistics
import tempfile
import threading
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import pycurl
from service import Client, memory_mb, running

from findable.demo import demo_site

PAGE = next(iter(demo_site.PAGES))


class Record:
    """Records the requests to the site."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []
        self._lock = threading.Lock()

    def add(self, method: str, path: str) -> None:
        """Record a request; called by the site."""
        with self._lock:
            self.asked.append((method, path))

    def take(self) -> list[tuple[str, str]]:
        """Return the requests since the last call."""
        with self._lock:
            asked, self.asked = self.asked, []
        return asked


def measure(options: argparse.Namespace) -> dict[str, Any]:
    record = Record()
    rounds = max(3, options.rounds)
    posts, floors, requests = [], [], []
    with (
        demo_site.serve_site(0, record.add) as origin,
        tempfile.TemporaryDirectory() as data_dir,
        running(Path(data_dir), allow_targets=urlsplit(origin).netloc) as service,
    ):
        client = Client(service.port, service.key())
        first_ms, first_asked = post(client, origin, record)
        for _ in range(rounds):
            took_ms, asked = post(client, origin, record)
            posts.append(took_ms)
            requests.append(len(asked))
            floors.append(fetch(origin, asked))
            record.take()
        busy_mb = memory_mb(service.process.pid)
    return {
        "first": {"ms": round(first_ms, 1), "requests": len(first_asked)},
        "report_ms": round(statistics.median(posts), 1),
        "fetch_ms": round(statistics.median(floors), 1),
        "requests": statistics.median(requests),
        "difference_ms": round(statistics.median(posts) - statistics.median(floors), 1),
        "pss_mb_after": round(busy_mb, 1),
    }


def post(client: Client, origin: str, record: Record) -> tuple[float, list[tuple[str, str]]]:
    started_ns = time.perf_counter_ns()
    status, answer = client.send("POST", "/api/v1/reports?wait=60", urlencode({"url": origin + PAGE}))
    took_ms = (time.perf_counter_ns() - started_ns) / 1e6
    if status != 201 or answer["data"]["status"] != "done":
        raise SystemExit(f"POST /reports answered {status}: {answer}")
    return took_ms, record.take()


def fetch(origin: str, asked: list[tuple[str, str]]) -> float:
    """Return the milliseconds to make all requests over one connection."""
    handle = pycurl.Curl()
    handle.setopt(pycurl.ACCEPT_ENCODING, "gzip")
    handle.setopt(pycurl.PROXY, "")
    started_ns = time.perf_counter_ns()
    for method, path in asked:
        body = bytearray()
        handle.setopt(pycurl.URL, origin + path)
        handle.setopt(pycurl.NOBODY, method == "HEAD")
        handle.setopt(pycurl.WRITEFUNCTION, body.extend)
        handle.perform()
    took_ms = (time.perf_counter_ns() - started_ns) / 1e6
    handle.close()
    return took_ms
