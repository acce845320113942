"""Measure GET /reports with many stored reports over 100 keep-alive connections, compared with a handler with the same statements.

One report is created normally and its row copied. The handler (`bare_list.py`), this tree and, with ``--before TREE``, another tree
with its own environment are put under load alternately on the same machine. CPU is the server's per request; p99 is measured at the client.
"""

import argparse
import asyncio
import os
import signal
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from service import Client, descendants, findable_command, free_port, running

from findable.demo import demo_site

CONNECTIONS = 100
ROUND_S = 3.0
PATH = "/api/v1/reports"


def measure(options: argparse.Namespace) -> dict[str, Any]:
    trees = {"list": None} | ({"before": options.before} if options.before else {})
    with ExitStack() as stack:
        servers: dict[str, tuple[int, int, str]] = {}
        for name, tree in trees.items():
            data_dir = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            key = prepare(data_dir, options.reports, tree)
            service = stack.enter_context(running(data_dir, tree=tree))
            servers[name] = (service.process.pid, service.port, key)
            if name == "list":
                pid, port = stack.enter_context(bare_server(data_dir / "findable.db", f"http://127.0.0.1:{service.port}"))
                servers["handler"] = (pid, port, key)
                if Client(service.port, key).send("GET", PATH) != Client(port, key).send("GET", PATH):
                    raise SystemExit("the handler returns another list")
        found: dict[str, list[dict[str, float]]] = {name: [] for name in servers}
        for _ in range(options.rounds):
            for name, server in servers.items():
                found[name].append(asyncio.run(load(*server)))
    numbers = {name: median_round(rounds) for name, rounds in found.items()}
    return {
        "reports": options.reports,
        "connections": CONNECTIONS,
        **numbers,
        "list_to_handler": ratios(numbers["list"], numbers["handler"]),
        **({"list_to_before": ratios(numbers["list"], numbers["before"])} if "before" in numbers else {}),
    }


def prepare(data_dir: Path, reports: int, tree: Path | None) -> str:
    """Fill a database with a service of that tree, and return an API key."""
    with demo_site.serve_site(0) as origin, running(data_dir, tree=tree, allow_targets=urlsplit(origin).netloc) as service:
        key = service.key()
        Client(service.port, key).send("POST", "/api/v1/reports?wait=60", urlencode({"url": f"{origin}/"}))
    multiply(data_dir / "findable.db", reports)
    # Otherwise the service fills its search index during the measurement.
    subprocess.run(
        [*findable_command(tree), "db", "vacuum"],
        env=os.environ | {"FINDABLE_DATA_DIR": str(data_dir)},
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return key


def ratios(one: dict[str, float], other: dict[str, float]) -> dict[str, float]:
    return {name: round(one[name] / other[name], 2) for name in one}


def median_round(rounds: list[dict[str, float]]) -> dict[str, float]:
    return {name: round(statistics.median(one[name] for one in rounds), 3) for name in rounds[0]}


def multiply(database: Path, count: int) -> None:
    """Copy the report that many times, each copy with its own URL and id."""
    with closing(sqlite3.connect(database)) as connection, connection:
        names = [row[1] for row in connection.execute("PRAGMA table_info(report)")]
        own = {
            "id": "n.i",
            "public_id": "printf('%022d', n.i)",
            "url": "'https://www.example.com/section-' || (n.i % 100) || '/page-' || n.i",
            "created_at": "r.created_at + n.i",
            "generated_up": "r.generated_up + n.i",
            "generated_down": "r.generated_down + n.i",
        }
        columns = ", ".join(own.get(name, f"r.{name}") for name in names)
        connection.execute(
            f"WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < {count}) "
            f"INSERT INTO report ({', '.join(names)}) SELECT {columns} FROM n, report r WHERE r.id = 1"
        )
        for table in ("account", "project"):
            for column in ("reports", "good", "decent", "bad"):
                connection.execute(f"UPDATE {table} SET {column} = {column} * {count}")
        # Otherwise the daily look for old runs is measured too.
        connection.execute("UPDATE project SET measured_at = unixepoch()")
        connection.execute("ANALYZE")


@contextmanager
def bare_server(database: Path, base_url: str) -> Iterator[tuple[int, int]]:
    """Start the baseline, which returns URLs of that service, and yield its process id and port."""
    port = free_port()
    command = [sys.executable, "-m", "granian", "--interface", "asgi", "--port", str(port), "--log-level", "error", "bare_list:app"]
    process = subprocess.Popen(
        command,
        cwd=Path(__file__).parent,
        env=os.environ | {"BENCH_DATABASE": str(database), "BENCH_BASE": base_url},
        start_new_session=True,
    )
    try:
        for _ in range(1000):
            with socket.socket() as one:
                if one.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.01)
        yield process.pid, port
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)


# --- load


async def load(pid: int, port: int, key: str) -> dict[str, float]:
    """Return requests per second, CPU milliseconds of the server per request, and the response times."""
    request = f"GET {PATH} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {key}\r\nAccept: application/json\r\n\r\n".encode()
    took: list[float] = []
    connections = await asyncio.gather(*(asyncio.open_connection("127.0.0.1", port) for _ in range(CONNECTIONS)))
    await asyncio.gather(*(send(*connection, request) for connection in connections))  # everything that is created once now exists
    before_ms, started_s = cpu_ms(pid), time.monotonic()
    await asyncio.gather(*(repeat(*connection, request, started_s + ROUND_S, took) for connection in connections))
    elapsed_s, used_ms = time.monotonic() - started_s, cpu_ms(pid) - before_ms
    for _, writer in connections:
        writer.close()
    percentiles = statistics.quantiles(took, n=100)
    return {
        "requests_per_second": round(len(took) / elapsed_s, 1),
        "cpu_ms": round(used_ms / len(took), 3),
        "p50_ms": round(1000 * percentiles[49], 1),
        "p99_ms": round(1000 * percentiles[98], 1),
    }


async def repeat(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: bytes, until_s: float, took: list[float]) -> None:
    while time.monotonic() < until_s:
        sent_s = time.monotonic()
        await send(reader, writer, request)
        took.append(time.monotonic() - sent_s)


async def send(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: bytes) -> None:
    """Send one request and read its whole response."""
    writer.write(request)
    head = await reader.readuntil(b"\r\n\r\n")
    if not head.startswith(b"HTTP/1.1 200"):
        raise SystemExit(head.decode())
    length = next(int(line.split(b":")[1]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length"))
    await reader.readexactly(length)


def cpu_ms(pid: int) -> float:
    """Return the CPU milliseconds of a process and its descendants so far."""
    ticks = 0
    for one in [pid, *descendants(pid)]:
        fields = Path(f"/proc/{one}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return 1000 * ticks / os.sysconf("SC_CLK_TCK")
