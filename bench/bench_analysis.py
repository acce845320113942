"""Measure the time and memory of one page, from bytes to its report, by step.

Times are CPU time of this process on one core, the median of all rounds. Each page gets the responses that its extra
requests might have had (200 for every URL), so that no check is skipped because they are missing.
"""

import argparse
import contextlib
import ctypes
import gc
import gzip
import os
import re
import statistics
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import turbohtml

from findable.artifacts.registry import Absent, Artifacts, gather
from findable.artifacts.request_targets import find_targets
from findable.capture.capture import Capture
from findable.capture.page import PageCapture, PageProbes
from findable.capture.response import Certificate, Headers, Hop, ProbeResponse, Response, Timing, Tls
from findable.capture.site import SiteCapture
from findable.checks.engine import runnable_checks
from findable.checks.runner import run
from findable.reports.analysis import analyse
from findable.reports.facts import facts_of
from findable.reports.scoring import Row, Score
from findable.vocabulary import FETCHED
from findable.worker.pool_child import collect_between_calls

ORIGIN = "https://www.example.com"
CAPTURED_AT = "2026-11-01T12:00:00Z"
LARGEST = 5
LARGE_BYTES = 200_000
"""Minimum size of pages whose memory is measured: on smaller ones the steps of the allocator dominate."""
SHOWN = 10


def measure(options: argparse.Namespace) -> dict[str, Any]:
    captures = [saved_page(path) for path in sorted(options.pages.rglob("*")) if re.search(r"\.html?(\.gz)?$", path.name)]
    if not captures:
        raise SystemExit(f"no *.html or *.html.gz in {options.pages}")
    for capture in captures[:5]:  # imports, compiled patterns, word lists
        analyse(capture)
    collect_between_calls()
    timed = [page_ms(capture, options.rounds) for capture in captures]
    return {
        "pages": len(captures),
        "page_bytes_median": statistics.median(len(capture.page.response.body) for capture in captures),
        "parse_ms": spread([page["parse"] for page in timed]),
        "checked_ms": spread([page["checked"] for page in timed]),
        "report_ms": spread([page["report"] for page in timed]),
        "checked_to_parse": {
            "median_page": round(statistics.median(page["checked"] / page["parse"] for page in timed), 2),
            "all_pages": round(sum(page["checked"] for page in timed) / sum(page["parse"] for page in timed), 2),
        },
        "report_to_parse": {
            "median_page": round(statistics.median(page["report"] / page["parse"] for page in timed), 2),
            "all_pages": round(sum(page["report"] for page in timed) / sum(page["parse"] for page in timed), 2),
        },
        "pages_per_second_and_core": {
            "parse": round(1000 * len(timed) / sum(page["parse"] for page in timed), 1),
            "checked": round(1000 * len(timed) / sum(page["checked"] for page in timed), 1),
            "report": round(1000 * len(timed) / sum(page["report"] for page in timed), 1),
        },
        **shares(captures),
        "memory": memory(captures),
    }


def spread(values: list[float]) -> dict[str, float]:
    ordered = sorted(values)
    return {
        "median": round(statistics.median(ordered), 2),
        "p90": round(ordered[int(len(ordered) * 0.9) - 1], 2),
        "max": round(ordered[-1], 2),
    }


# --- the pages


def saved_page(path: Path) -> Capture:
    raw = path.read_bytes()
    return capture_of(gzip.decompress(raw) if path.suffix == ".gz" else raw, path.name.split(".")[0])


def capture_of(body: bytes, name: str) -> Capture:
    """Return the page as if fetched from a healthy server, with a response for each of its URLs."""
    url = f"{ORIGIN}/{name}"
    headers = Headers(
        (("content-type", "text/html; charset=utf-8"), ("cache-control", "max-age=300"), ("strict-transport-security", "max-age=31536000"))
    )
    hop = Hop(url, 200, headers, "2", Timing(10, 20, 30, 160, 200), "93.184.215.14")
    leaf = Certificate(
        "CN=www.example.com", "CN=CA", ("www.example.com",), "2026-09-01T00:00:00Z", "2027-03-01T00:00:00Z", "ecdsa-with-SHA256", "EC", 256
    )
    response = Response(url, (hop,), body, len(body) // 5, content_encoding="br", tls=Tls("TLSv1.3", chain=(leaf,)))
    site = SiteCapture(
        ORIGIN,
        CAPTURED_AT,
        answer(f"{ORIGIN}/robots.txt", "text/plain", b"User-agent: *\nDisallow: /admin\n"),
        home=answer(f"{ORIGIN}/", "text/html", b"<!doctype html><title>Example</title><h1>Example</h1>"),
        favicon=answer(f"{ORIGIN}/favicon.ico", "image/x-icon"),
    )
    targets = find_targets(gather(PageCapture(CAPTURED_AT, response)), response.final_url)
    probes = PageProbes(
        assets=tuple(answer(asset.url, TYPES.get(asset.kind.value, "image/png")) for asset in targets.assets),
        links=tuple(answer(link, "text/html") for link in (*targets.links_internal, *targets.links_external)),
        alternates=tuple(answer(link, "text/html") for link in targets.alternates),
    )
    return Capture(PageCapture(CAPTURED_AT, response, probes), site)


TYPES = {"stylesheet": "text/css", "script": "text/javascript", "font": "font/woff2"}


def answer(url: str, content_type: str, body: bytes = b"") -> ProbeResponse:
    hop = Hop(url, 200, Headers((("content-type", content_type), ("cache-control", "max-age=31536000"))), "2", Timing())
    return ProbeResponse(url, hops=(hop,), body=body, wire_bytes=len(body), total_bytes=len(body) or 20_000)


# --- time


def page_ms(capture: Capture, rounds: int) -> dict[str, float]:
    """Return the CPU milliseconds of each processing step of the page, measured alternately."""
    text = capture.page.response.body.decode("utf-8", "replace").replace("\r\n", "\n")
    ways: dict[str, Callable[[], object]] = {
        "parse": lambda: turbohtml.parse(text, positions=True, scripting=True, allow_declarative_shadow_roots=False),
        "checked": lambda: check_page(capture),
        "report": lambda: analyse(capture).to_bytes(),
    }
    found: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, way in ways.items():
            started_ns = time.process_time_ns()
            made = way()
            found[name].append((time.process_time_ns() - started_ns) / 1e6)
            del made
    return {name: statistics.median(values) for name, values in found.items()}


def check_page(capture: Capture) -> int | None:
    """Gather artifacts, run all static checks and score, as a crawl does with a page."""
    results = run(gather(*capture.roots), runnable_checks(FETCHED))
    return Score(tuple(Row(result.check.id, result.check.importance, result.finding.verdict) for result in results)).score


class TimedArtifacts(Artifacts):
    """Records the time of each artifact, without that of the artifacts it is derived from."""

    def __init__(self, capture: Capture) -> None:
        super().__init__(*capture.roots)
        self.spent_ns: Counter[str] = Counter()
        self._inner_ns = [0]

    def _make(self, kind: type) -> Any:
        self._inner_ns.append(0)
        started_ns = time.process_time_ns()
        made = super()._make(kind)
        took_ns = time.process_time_ns() - started_ns
        self.spent_ns[kind.__name__] += took_ns - self._inner_ns.pop()
        self._inner_ns[-1] += took_ns
        return made


def shares(captures: list[Capture]) -> dict[str, Any]:
    """Return the share of the report's time by artifact, check and fact, over all pages."""
    artifacts: Counter[str] = Counter()
    checks: Counter[str] = Counter()
    facts_ns = 0
    for capture in captures:
        timed = TimedArtifacts(capture)
        for item in runnable_checks(FETCHED):
            values = timed.arguments(item.parameters)
            if isinstance(values, Absent):
                continue
            started_ns = time.process_time_ns()
            with contextlib.suppress(ValueError):  # run although a check that it depends on failed, so that it may find nothing
                item.function(**values)
            checks[item.id] += time.process_time_ns() - started_ns
        before_ns = sum(timed.spent_ns.values())
        started_ns = time.process_time_ns()
        facts_of(timed)
        facts_ns += time.process_time_ns() - started_ns - (sum(timed.spent_ns.values()) - before_ns)
        artifacts.update(timed.spent_ns)
    total_ns = sum(artifacts.values()) + sum(checks.values()) + facts_ns

    def top(counter: Counter[str]) -> dict[str, str]:
        return {name: f"{100 * spent_ns / total_ns:.1f} %" for name, spent_ns in counter.most_common(SHOWN)}

    return {
        "share": {
            "artifacts": f"{100 * sum(artifacts.values()) / total_ns:.1f} %",
            "checks": f"{100 * sum(checks.values()) / total_ns:.1f} %",
            "facts": f"{100 * facts_ns / total_ns:.1f} %",
        },
        "most_expensive_artifacts": top(artifacts),
        "most_expensive_checks": top(checks),
    }


# --- memory


def memory(captures: list[Capture]) -> dict[str, Any] | None:
    """Return the peak memory of gathering and checking a page as a multiple of its bytes, each page in a separate process."""
    large = [capture for capture in captures if len(capture.page.response.body) >= LARGE_BYTES]
    largest = sorted(large, key=lambda capture: -len(capture.page.response.body))[:LARGEST]
    if not largest:
        return None
    multiples = [in_child(capture) / len(capture.page.response.body) for capture in largest]
    return {
        "pages": [len(capture.page.response.body) for capture in largest],
        "peak_to_page_bytes": {"median": round(statistics.median(multiples), 1), "max": round(max(multiples), 1)},
    }


def in_child(capture: Capture) -> int:
    """Return the bytes by which the peak of a forked child's resident memory exceeds its start."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            os.write(writing, str(peak_bytes(capture)).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as told:
        text = told.read()
    os.waitpid(child, 0)
    return int(text)


def peak_bytes(capture: Capture) -> int:
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # resets the peak
    before = memory_line("VmRSS")
    check_page(capture)
    return memory_line("VmHWM") - before


def memory_line(name: str) -> int:
    found = re.search(rf"{name}:\s+(\d+) kB", Path("/proc/self/status").read_text(encoding="ascii"))
    return int(found[1]) * 1024 if found else 0
