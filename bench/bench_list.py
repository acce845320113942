"""GET /reports with many stored reports, against a bare ASGI callable with one SQL query on the same server and database.

One report is made the usual way and its row copied. Both are asked in turn, over four kept connections; besides requests/s the
CPU time of the server per request is told, which does not depend on what else the machine does.
"""

import argparse
import os
import signal
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from service import Client, descendants, free_port, running

from findable.demo import site

CONNECTIONS = 4
ROUND_S = 2.0
PATHS = {
    "first_page": "/api/v1/reports",
    "hundred_a_page": "/api/v1/reports?per_page=100",
    "search": "/api/v1/reports?search=page-777",
    "by_result": "/api/v1/reports?sort_by=result&sort=asc",
}


def measure(options: argparse.Namespace) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        data_dir = Path(folder)
        with site.served(0) as origin, running(data_dir, allow_targets=urlsplit(origin).netloc) as service:
            key = service.key()
            Client(service.port, key).ask("POST", "/api/v1/reports?wait=60", urlencode({"url": f"{origin}/"}))
        multiply(data_dir / "findable.db", options.reports)
        with running(data_dir) as service, bare(data_dir / "findable.db") as (floor_pid, floor_port):
            total = Client(service.port, key).ask("GET", "/api/v1/reports")[1]["meta"]["total"]
            authorization = f"Authorization: Bearer {key}\r\nAccept: application/json\r\n"
            ours, floor = [], []
            for _ in range(options.rounds):
                floor.append(load(floor_pid, floor_port, "/", ""))
                ours.append(load(service.process.pid, service.port, PATHS["first_page"], authorization))
            found = {name: load(service.process.pid, service.port, path, authorization) for name, path in PATHS.items()}
    return {
        "reports": total,
        "bare": middle(floor),
        "list": middle(ours),
        "list_to_bare": {
            "requests_per_second": round(middle(floor)["requests_per_second"] / middle(ours)["requests_per_second"], 2),
            "cpu": round(middle(ours)["cpu_ms"] / middle(floor)["cpu_ms"], 2),
        },
        "paths": found,
    }


def middle(rounds: list[dict[str, float]]) -> dict[str, float]:
    return {name: round(statistics.median(one[name] for one in rounds), 3) for name in rounds[0]}


def multiply(database: Path, count: int) -> None:
    """So many copies of the one report, with addresses and ids of their own."""
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
        connection.execute("ANALYZE")


@contextmanager
def bare(database: Path) -> Iterator[tuple[int, int]]:
    """Process id and port of the floor."""
    port = free_port()
    command = [sys.executable, "-m", "granian", "--interface", "asgi", "--port", str(port), "--log-level", "error", "bare_list:app"]
    process = subprocess.Popen(
        command, cwd=Path(__file__).parent, env=os.environ | {"BENCH_DATABASE": str(database)}, start_new_session=True
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


def load(pid: int, port: int, path: str, headers: str) -> dict[str, float]:
    """Requests per second and CPU milliseconds of the server for each."""
    request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{headers}\r\n".encode()
    counts = [0] * CONNECTIONS
    with socket.create_connection(("127.0.0.1", port)) as one:
        ask(one, request)  # what is made once is made
    before_ms, started = cpu_ms(pid), time.monotonic()
    threads = [threading.Thread(target=repeat, args=(port, request, started + ROUND_S, counts, index)) for index in range(CONNECTIONS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    took_s, asked = time.monotonic() - started, sum(counts)
    return {"requests_per_second": round(asked / took_s, 1), "cpu_ms": round((cpu_ms(pid) - before_ms) / asked, 3)}


def repeat(port: int, request: bytes, until: float, counts: list[int], index: int) -> None:
    with socket.create_connection(("127.0.0.1", port)) as one:
        while time.monotonic() < until:
            ask(one, request)
            counts[index] += 1


def ask(connection: socket.socket, request: bytes) -> None:
    """Sends one request and reads its whole answer."""
    connection.sendall(request)
    data = b""
    while b"\r\n\r\n" not in data:
        data += receive(connection)
    head, _, body = data.partition(b"\r\n\r\n")
    if not head.startswith(b"HTTP/1.1 200"):
        raise SystemExit(data.decode())
    length = next(int(line.split(b":")[1]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length"))
    left = length - len(body)
    while left > 0:
        left -= len(receive(connection))


def receive(connection: socket.socket) -> bytes:
    data = connection.recv(65536)
    if not data:
        raise SystemExit("the server closed the connection")
    return data


def cpu_ms(pid: int) -> float:
    """CPU time of a process and all below it so far."""
    ticks = 0
    for one in [pid, *descendants(pid)]:
        fields = Path(f"/proc/{one}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return 1000 * ticks / os.sysconf("SC_CLK_TCK")
