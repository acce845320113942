"""Run a service under load for half an hour: reports of a loopback site are created, read, listed, regenerated and deleted.

    .venv/bin/python bench/soak.py          # 30 minutes
    .venv/bin/python bench/soak.py 180      # seconds

Prints a line for each of twenty time spans. The exit code is 1 if memory, descriptors or latency grew.
"""

import argparse
import contextlib
import statistics
import sys
import tempfile
import threading
import time
from collections import defaultdict
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from service import Client, memory_mb, running

from findable.demo import demo_site

SPANS = 20
MAKERS, READERS = 3, 2
KEPT = 40
"""Number of newest reports that each creating thread does not delete."""
MEMORY_GROWS, LATENCY_GROWS, DESCRIPTORS_GROW = 1.25, 2.0, 20
COLUMNS = (
    "seconds",
    "reports",
    "requests",
    "read p50",
    "read p99",
    "list p99",
    "delete p99",
    "made p50",
    "memory MB",
    "descriptors",
    "threads",
    "disk MB",
)


@dataclass
class Span:
    """Measurements of one time span."""

    reports: int
    requests: int
    read_ms: float
    read_p99_ms: float
    list_p99_ms: float
    delete_p99_ms: float
    made_ms: float
    memory_mb: float
    descriptors: int
    threads: int
    disk_mb: float


class Measurements:
    """Response times by kind of request since the last call of `take`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._times: dict[str, list[float]] = defaultdict(list)
        self.failures: list[str] = []

    def send(self, kind: str, client: Client, method: str, path: str, body: str | None = None) -> dict[str, object]:
        """Send a request and record its time; an unexpected status is a failure."""
        started = time.perf_counter()
        status, answer = client.send(method, path, body)
        with self._lock:
            self._times[kind].append(1000 * (time.perf_counter() - started))
            if status not in (200, 201, 202):
                self.failures.append(f"{method} {path}: {status}")
        found: dict[str, object] = answer
        return found

    def take(self) -> dict[str, list[float]]:
        """Return the times and reset them."""
        with self._lock:
            times, self._times = self._times, defaultdict(list)
        return times


def make(measured: Measurements, client: Client, origin: str, stop: threading.Event) -> None:
    """Create reports one after another, regenerate some, and delete the oldest."""
    made: list[object] = []
    pages = tuple(demo_site.PAGES)
    number = 0
    while not stop.is_set():
        number += 1
        body = urlencode({"url": f"{origin}{pages[number % len(pages)]}"})
        answer = measured.send("made", client, "POST", "/api/v1/reports?wait=60", body)
        data = answer["data"]
        assert isinstance(data, dict)
        made.append(data["id"])
        if number % 5 == 0:
            measured.send("again", client, "PUT", f"/api/v1/reports/{data['id']}?wait=60", "results=1")
        if len(made) > KEPT:
            measured.send("delete", client, "DELETE", f"/api/v1/reports/{made.pop(0)}")


def read(measured: Measurements, client: Client, stop: threading.Event) -> None:
    """List reports and read them, with short pauses."""
    while not stop.wait(0.05):
        answer = measured.send("list", client, "GET", "/api/v1/reports?per_page=25&sort_by=generated_at")
        rows = answer["data"]
        assert isinstance(rows, list)
        for row in rows[:3]:
            measured.send("read", client, "GET", f"/api/v1/reports/{row['id']}")


def memory_of(pid: int) -> float:
    """Return the megabytes of the service and its processes; retried if one of them ends meanwhile."""
    while True:
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            return memory_mb(pid)


def p99(times: list[float]) -> float:
    """Return the 99th percentile; 0 without values."""
    return statistics.quantiles(times, n=100)[98] if len(times) > 1 else sum(times)


def read_span(measured: Measurements, pid: int, data_dir: Path) -> Span:
    """Return the measurements of one span."""
    times = measured.take()
    descriptors = len(list(Path(f"/proc/{pid}/fd").iterdir()))
    threads = len(list(Path(f"/proc/{pid}/task").iterdir()))
    disk = sum(path.stat().st_size for path in data_dir.glob("findable.db*") if path.suffix != ".reserve")
    return Span(
        len(times["made"]) + len(times["again"]),
        sum(map(len, times.values())),
        statistics.median(times["read"] or [0]),
        p99(times["read"]),
        p99(times["list"]),
        p99(times["delete"]),
        statistics.median(times["made"] or [0]),
        memory_of(pid),
        descriptors,
        threads,
        disk / 1_000_000,
    )


def growth(spans: list[Span]) -> list[str]:
    """Return the values that grew from the second quarter to the last; the first is the warm-up."""
    quarter = max(1, len(spans) // 4)
    early, late = spans[quarter : 2 * quarter], spans[-quarter:]

    def medians(name: str) -> tuple[float, float]:
        first, last = (statistics.median(getattr(span, name) for span in part) for part in (early, late))
        return first, last

    found = []
    for name, most in (("memory_mb", MEMORY_GROWS), ("read_p99_ms", LATENCY_GROWS), ("list_p99_ms", LATENCY_GROWS)):
        first, last = medians(name)
        if last > first * most:
            found.append(f"{name} grew from {first:.1f} to {last:.1f}")
    first, last = medians("descriptors")
    if last > first + DESCRIPTORS_GROW:
        found.append(f"descriptors grew from {first:.0f} to {last:.0f}")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seconds", nargs="?", type=int, default=1800)
    seconds = parser.parse_args().seconds
    measured, stop, spans = Measurements(), threading.Event(), list[Span]()
    with ExitStack() as stack:
        origin = stack.enter_context(demo_site.serve_site(0))
        data_dir = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        service = stack.enter_context(running(data_dir, allow_targets=urlsplit(origin).netloc))
        key = service.key()
        work = [threading.Thread(target=make, args=(measured, Client(service.port, key), origin, stop)) for _ in range(MAKERS)]
        work += [threading.Thread(target=read, args=(measured, Client(service.port, key), stop)) for _ in range(READERS)]
        stack.callback(stop.set)
        for thread in work:
            thread.start()
        print("  ".join(f"{name:>11}" for name in COLUMNS), flush=True)
        started = time.monotonic()
        for number in range(1, SPANS + 1):
            time.sleep(max(0.0, started + seconds * number / SPANS - time.monotonic()))
            span = read_span(measured, service.process.pid, data_dir)
            spans.append(span)
            values = (round(time.monotonic() - started), *vars(span).values())
            print("  ".join(f"{value:>11.1f}" if isinstance(value, float) else f"{value:>11}" for value in values), flush=True)
        stop.set()
        for thread in work:
            thread.join()
    found = growth(spans) + measured.failures[:10]
    print("\n".join(found) or "nothing grew, nothing failed")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
