"""Start-up: the time and memory of ``findable --version`` and of an idle ``findable serve``."""

import argparse
import os
import resource
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from service import findable_command, memory_mb, running


def measure(options: argparse.Namespace) -> dict[str, Any]:
    rounds = max(3, options.rounds)
    floor, version = [], []
    for _ in range(rounds):
        floor.append(once([sys.executable, "-c", "pass"]))
        version.append(once([*findable_command(), "--version"]))
    started = []
    for _ in range(min(3, rounds)):
        with tempfile.TemporaryDirectory() as data_dir, running(Path(data_dir)) as service:
            time.sleep(1)  # what starts in the background has started
            started.append((service.ready_ms, memory_mb(service.process.pid)))
    return {
        "bare_python": summary(floor),
        "findable_version": summary(version),
        "findable_serve": {
            "ready_ms": round(statistics.median(ready_ms for ready_ms, _ in started)),
            "idle_pss_mb": round(statistics.median(pss_mb for _, pss_mb in started), 1),
        },
    }


def once(command: list[str]) -> tuple[float, float, float]:
    """Wall ms, CPU ms and peak MB of one command."""
    started_ns = time.perf_counter_ns()
    nothing = os.open(os.devnull, os.O_WRONLY)
    child = os.posix_spawn(command[0], command, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, nothing, 1)])
    _, status, used = os.wait4(child, 0)
    wall_ms = (time.perf_counter_ns() - started_ns) / 1e6
    os.close(nothing)
    if status:
        raise SystemExit(f"{command} ended with {status}")
    return wall_ms, 1000 * (used.ru_utime + used.ru_stime), peak_mb(used)


def peak_mb(used: resource.struct_rusage) -> float:
    return used.ru_maxrss / 1024


def summary(runs: list[tuple[float, float, float]]) -> dict[str, float]:
    wall_ms, cpu_ms, peak = (round(statistics.median(column), 1) for column in zip(*runs, strict=True))
    return {"wall_ms": wall_ms, "cpu_ms": cpu_ms, "peak_mb": peak}
