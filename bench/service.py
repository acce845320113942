"""Start a separate service for a measurement as an operator would, send it HTTP requests, and end it."""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

READY_S = 60
EMAIL = "bench@example.com"


@dataclass
class Running:
    """A running service."""

    process: "subprocess.Popen[str]"
    port: int
    data_dir: Path
    ready_ms: float
    environment: dict[str, str]
    tree: Path | None = None

    def key(self) -> str:
        """Return a new API key."""
        self.command("accounts", "create", EMAIL)
        return self.command("keys", "create", EMAIL)

    def command(self, *words: str) -> str:
        """Return the output of a command that uses the data of the running service."""
        command = [*findable_command(self.tree), *words]
        told = subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=60, check=True)
        return told.stdout.strip()


class Client:
    """A keep-alive connection to the service."""

    def __init__(self, port: int, key: str) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=90)
        self.headers = {"Authorization": f"Bearer {key}", "Accept": "application/json"}

    def send(self, method: str, path: str, body: str | None = None) -> tuple[int, Any]:
        """Send a request; return status and decoded body."""
        headers = self.headers | ({"Content-Type": "application/x-www-form-urlencoded"} if body else {})
        self.connection.request(method, path, body, headers)
        answer = self.connection.getresponse()
        return answer.status, json.loads(answer.read())


def findable_command(tree: Path | None = None) -> list[str]:
    """Return the command of this tree, or of another one with its environment."""
    return [str((tree / ".venv" / "bin" if tree else Path(sys.executable).parent) / "findable")]


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@contextmanager
def running(data_dir: Path, *, tree: Path | None = None, **settings: str) -> Iterator[Running]:
    """``findable serve`` with SQLite in that directory, without a rate limit, until the block ends."""
    port = free_port()
    environment = {name: value for name, value in os.environ.items() if not name.startswith("FINDABLE_")}
    environment |= {"FINDABLE_DATA_DIR": str(data_dir), "FINDABLE_PORT": str(port), "FINDABLE_RATE_LIMIT": "0"}
    environment |= {f"FINDABLE_{name.upper()}": value for name, value in settings.items()}
    started_ns = time.perf_counter_ns()
    with (data_dir / "serve.log").open("w+", encoding="utf-8") as log:
        process = subprocess.Popen(
            [*findable_command(tree), "serve"], env=environment, stdout=log, stderr=subprocess.STDOUT, text=True, start_new_session=True
        )
        try:
            wait_until_ready(process, port, data_dir / "serve.log")
            yield Running(process, port, data_dir, (time.perf_counter_ns() - started_ns) / 1e6, environment, tree)
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)


def wait_until_ready(process: "subprocess.Popen[str]", port: int, log: Path) -> None:
    deadline = time.monotonic() + READY_S
    while time.monotonic() < deadline:
        if process.poll() is not None:
            break
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", "/api/v1/openapi.json")
            if connection.getresponse().status == http.HTTPStatus.OK:
                return
        except OSError:
            time.sleep(0.01)
    raise SystemExit(f"the service did not start:\n{log.read_text(encoding='utf-8')}")


def memory_mb(pid: int) -> float:
    """Return the proportional memory (PSS) in MB of a process and its descendants."""
    return sum(pss_kb(one) for one in [pid, *descendants(pid)]) / 1024


def descendants(pid: int) -> list[int]:
    children = [int(text) for path in Path(f"/proc/{pid}/task").glob("*/children") for text in path.read_text(encoding="ascii").split()]
    return [*children, *(below for child in children for below in descendants(child))]


def pss_kb(pid: int) -> int:
    found = re.search(r"^Pss:\s+(\d+) kB", Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii"), re.MULTILINE)
    return int(found[1]) if found else 0
