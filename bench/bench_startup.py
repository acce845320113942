"""Measure the time and memory of ``findable --version``, ``findable audit`` of a loopback page and an idle ``findable serve``.

With ``--before TREE`` the first two are also measured with that tree, alternately.
"""

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

from findable.demo import demo_site


def measure(options: argparse.Namespace) -> dict[str, Any]:
    rounds = max(3, options.rounds)
    commands = {"bare_python": [sys.executable, "-c", "pass"]}
    found: dict[str, list[tuple[float, float, float]]] = {}
    with demo_site.serve_site(0) as origin, tempfile.TemporaryDirectory() as compiled:
        for name, tree in {"": None, "_before": options.before}.items():
            if tree or not name:
                commands[f"findable_version{name}"] = [*findable_command(tree), "--version"]
                commands[f"findable_audit{name}"] = [*findable_command(tree), "audit", f"{origin}/", "--fail-under", "0"]
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        environment["PYTHONPYCACHEPREFIX"] = compiled  # compile the bytecode of both trees, as an installation does
        for command in commands.values():
            run_once(command, environment)
        for name, command in [*commands.items()] * rounds:
            found.setdefault(name, []).append(run_once(command, environment))
    started = []
    for _ in range(min(3, rounds)):
        with tempfile.TemporaryDirectory() as data_dir, running(Path(data_dir)) as service:
            time.sleep(1)  # wait until everything in the background has started
            started.append((service.ready_ms, memory_mb(service.process.pid)))
    return {
        **{name: summary(runs) for name, runs in found.items()},
        "findable_serve": {
            "ready_ms": round(statistics.median(ready_ms for ready_ms, _ in started)),
            "idle_pss_mb": round(statistics.median(pss_mb for _, pss_mb in started), 1),
        },
    }


def run_once(command: list[str], environment: dict[str, str]) -> tuple[float, float, float]:
    """Return wall ms, CPU ms and peak MB of one command."""
    started_ns = time.perf_counter_ns()
    nothing = os.open(os.devnull, os.O_WRONLY)
    child = os.posix_spawn(command[0], command, environment, file_actions=[(os.POSIX_SPAWN_DUP2, nothing, 1)])
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
