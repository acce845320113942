"""Count the requests of bots in generated access logs, compared with a reader that matches one pattern on each line.

The floor only looks up the user agent of each line. Memory is measured over a log whose URLs are always new.
"""

import argparse
import io
import re
import resource
import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, date, datetime
from functools import lru_cache
from ipaddress import ip_address, ip_network
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from findable.formats.access_logs.log_blocks import LogBlocks
from findable.log_import import Hits, LogOptions, LogTotals, read_log
from tests.logs import generated_log

LINES = 400_000
FORMATS = ("combined", "nginx-main", "json of nginx", "w3c of IIS", "alb")
_LINE = re.compile(rb'(\S+) \S+ \S+ \[(\d\d/\w{3}/\d{4}):[^\]]*\] "([A-Z]+) (\S+)[^"]*" (\d{3}) \S+ "(?:[^"\\]|\\.)*" "((?:[^"\\]|\\.)*)"')
_NETWORKS = [ip_network(f"{prefix}0/24") for _, prefix, _, _ in generated_log.BOTS.values()]
_TOKENS = re.compile(rb"googlebot|bingbot|gptbot|claudebot|claude-user|semrushbot")


@lru_cache(maxsize=65_536)
def one_verdict(ip: bytes) -> bool:
    return any(ip_address(ip.decode()) in network for network in _NETWORKS)


@lru_cache(maxsize=4096)
def one_day(text: bytes) -> date:
    return datetime.strptime(text.decode(), "%d/%b/%Y").replace(tzinfo=UTC).date()


def one_pattern(log: bytes) -> None:
    """Match one pattern on each line of a combined log, and verify and count the bots."""
    hits: Counter[tuple[Any, ...]] = Counter()
    known: dict[bytes, Any] = {}
    for line in io.BytesIO(log):
        found = _LINE.match(line)
        if found is None:
            continue
        ip, day, _, url, status, agent = found.groups()
        if agent not in known:
            known[agent] = _TOKENS.search(agent.lower())
        if bot := known[agent]:
            hits[one_day(day), bot[0], one_verdict(ip), status[:1], url] += 1


def user_agents(log: bytes) -> None:
    """Look up the user agent of each line, which is the least that a reader in Python must do."""
    known: dict[bytes, int] = {}
    for line in log.split(b"\n"):
        agent = line.rpartition(b' "')[2]
        known[agent] = known.get(agent, 0) + 1


def resident_mb(rounds: int) -> list[int]:
    """Read a log of 100,000 lines a round; return the resident memory after each tenth of the rounds."""
    made, _ = generated_log.requests(100_000)
    log = generated_log.written("combined", made)
    found: list[int] = []
    blocks = iter(range(rounds))
    pending = [b""]

    def read(count: int) -> bytes:
        if not pending[0]:
            number = next(blocks, None)
            if number is None:
                return b""
            if number % max(1, rounds // 10) == 0:
                found.append(int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() // 1_000_000)
            pending[0] = log.replace(b"/page-", b"/p%d-" % number)
        block, pending[0] = pending[0][:count], pending[0][count:]
        return block

    read_log(LogBlocks(read), LogOptions(hosts=(generated_log.HOST,)), generated_log.ranges(), discard)
    return found


def discard(_hits: Hits, _totals: LogTotals) -> None:
    """Discard a part of the hits."""


def product(log: bytes) -> None:
    """Read a log as `findable logs` does."""
    read_log(LogBlocks(io.BytesIO(log).read), LogOptions(hosts=(generated_log.HOST,)), generated_log.ranges(), discard)


def lines_per_cpu_s(count: Callable[[bytes], None], log: bytes) -> float:
    started = time.process_time()
    count(log)
    return LINES / (time.process_time() - started)


def measure(options: argparse.Namespace) -> dict[str, Any]:
    made, _ = generated_log.requests(LINES)
    plain = generated_log.written("combined", made)
    logs = {name: generated_log.written(name, made) for name in FORMATS}
    logs |= {f"combined, {name}": compress(plain) for name, compress in generated_log.COMPRESSIONS.items() if name}
    baseline: list[float] = []
    floor: list[float] = []
    speeds: dict[str, list[float]] = {name: [] for name in logs}
    for _ in range(options.rounds):
        baseline.append(lines_per_cpu_s(one_pattern, plain))
        floor.append(lines_per_cpu_s(user_agents, plain))
        for name, log in logs.items():
            speeds[name].append(lines_per_cpu_s(product, log))
    best = max(baseline)
    with get_context("spawn").Pool(1) as pool:
        memory = pool.apply(resident_mb, (options.log_rounds,))
    return {
        "lines": LINES,
        "one_pattern_lines_per_cpu_s": round(best),
        "formats": {name: {"lines_per_cpu_s": round(max(found)), "ratio": round(max(found) / best, 2)} for name, found in speeds.items()},
        "floor_ratio": round(max(floor) / best, 2),
        "resident_mb_by_tenth": memory,
        "lines_for_memory": options.log_rounds * 100_000,
    }
