"""`findable serve` as it is started: a process of its own."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.web.live import Client, free_port, raw

ROOT = Path(__file__).parents[2]


@dataclass
class Served:
    """A running service and its first key."""

    process: subprocess.Popen[str]
    port: int
    key: str
    log: Path

    @property
    def client(self) -> Client:
        return Client(self.port, self.key)

    def end(self, number: int = signal.SIGTERM, timeout_s: float = 30) -> int:
        self.process.send_signal(number)
        return self.process.wait(timeout_s)


def start(folder: Path, *, port: int = 0, key: str = "", **settings: str) -> Served:
    port = port or free_port()
    given = {f"FINDABLE_{name.upper()}": value for name, value in settings.items()}
    environment = {**os.environ, "FINDABLE_DATA_DIR": str(folder / "data"), "PYTHONPATH": str(ROOT / "src"), **given}
    log = folder / "log.txt"
    with log.open("a") as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "findable", "serve", "--port", str(port)],
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env=environment,
            cwd=folder,
        )
    assert process.stdout is not None
    known = key
    said = ""
    for line in process.stdout:
        said += line
        key = key or next(iter(re.findall(r"API key: +(\S+)", line)), "")
        if ("ready" if known else "A new link") in line:
            break
    assert "Findable is ready at" in said, log.read_text()
    return Served(process, port, key, log)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    one = start(tmp_path)
    yield one
    one.process.kill()
    one.process.wait()
    assert one.process.stdout is not None
    one.process.stdout.close()


@pytest.fixture
def silent_site() -> Iterator[int]:
    """A port that accepts connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def pss_bytes(pid: int) -> int:
    children = [int(child) for task in Path(f"/proc/{pid}/task").iterdir() for child in (task / "children").read_text().split()]
    found = re.search(r"^Pss:\s+(\d+) kB", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.MULTILINE)
    assert found
    return int(found[1]) * 1024 + sum(map(pss_bytes, children))


def test_an_idle_service_is_small_and_answers(served: Served) -> None:
    assert served.client.get("/reports").status == 200
    served.client.guest().get("/docs/checks")
    assert pss_bytes(served.process.pid) < 150_000_000


def test_f30_sigterm_ends_in_order(served: Served) -> None:
    served.client.get("/reports")
    started = time.monotonic()
    assert served.end() == 0
    assert time.monotonic() - started < 40


def test_s76_broken_requests(served: Served) -> None:
    port = served.port
    assert raw(port, b"GET /healthz HTTP/1.1\r\n\r\n").startswith(b"400")
    assert raw(port, b"GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n").startswith(b"400")
    assert raw(port, b"GET /healthz HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n").startswith(b"400")
    assert raw(port, b"POST /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\nContent-Length: 5\r\n\r\nabcdef").startswith(b"400")
    assert raw(port, b"GET /healthz HTTP/1.1\r\nHost: a\r\nX: " + b"a" * 1_000_000 + b"\r\n\r\n").startswith(b"431")
    assert raw(port, b"TRACE /healthz HTTP/1.1\r\nHost: a\r\n\r\n").startswith(b"405")
    assert raw(port, b"GET /healthz HTTP/1.0\r\n\r\n").startswith(b"200")
    assert raw(port, b"GET /\xc3\xbc HTTP/1.1\r\nHost: a\r\n\r\n").startswith(b"404")


def test_s76_a_connection_with_two_lengths_is_closed(served: Served) -> None:
    with socket.create_connection(("127.0.0.1", served.port), timeout=10) as connection:
        connection.sendall(b"POST /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nG")
        received = b""
        while chunk := connection.recv(65536):
            received += chunk
        assert received.count(b"HTTP/1.1") == 1


@pytest.mark.slow
def test_s76_slow_heads_and_bodies_are_given_up(served: Served) -> None:
    def head() -> float:
        return until_closed(b"GET / HTTP/1.1\r\nHost: a\r\n")

    def body() -> float:
        head = f"POST /api/v1/reports HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {served.key}\r\nContent-Length: 100\r\n\r\nurl"
        return until_closed(head.encode())

    def until_closed(data: bytes) -> float:
        started = time.monotonic()
        with socket.create_connection(("127.0.0.1", served.port), timeout=20) as connection:
            connection.sendall(data)
            connection.recv(65536)
        return time.monotonic() - started

    with ThreadPoolExecutor(2) as pool:
        times = [pool.submit(job) for job in (head, body)]
        assert all(8 < found.result() < 15 for found in times)


@pytest.mark.slow
def test_f31_a_request_that_never_ends_does_not_keep_the_service(served: Served) -> None:
    with socket.create_connection(("127.0.0.1", served.port), timeout=20) as connection:
        head = f"POST /api/v1/reports HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {served.key}\r\nContent-Length: 100\r\n\r\nurl"
        connection.sendall(head.encode())
        served.client.get("/reports")
        assert served.end() == 0


def test_f31_a_long_poll_is_answered_when_the_service_ends(tmp_path: Path, silent_site: int) -> None:
    one = start(tmp_path, allow_targets=f"127.0.0.1:{silent_site}")
    with ThreadPoolExecutor(1) as pool:
        made = pool.submit(one.client.post, "/reports", {"url": f"http://127.0.0.1:{silent_site}/"})
        while one.client.get("/reports").json["meta"]["total"] == 0:
            pass
        one.process.send_signal(signal.SIGTERM)
        assert made.result().status == 202
    one.process.send_signal(signal.SIGTERM)
    assert one.process.wait(30) == 0
    assert one.process.stdout is not None
    one.process.stdout.close()


def test_f3_kill_9_loses_no_report(tmp_path: Path, silent_site: int) -> None:
    one = start(tmp_path, allow_targets=f"127.0.0.1:{silent_site}")
    made = one.client.post("/reports", {"url": f"http://127.0.0.1:{silent_site}/"}, wait=0)
    assert made.status == 202
    one.end(signal.SIGKILL)
    assert one.process.stdout is not None
    one.process.stdout.close()
    two = start(tmp_path, key=one.key, allow_targets=f"127.0.0.1:{silent_site}")
    again = two.client.get(f"/reports/{made.json['data']['id']}").json["data"]
    assert again["status"] in ("queued", "running")
    two.end(signal.SIGKILL)
    assert two.process.stdout is not None
    two.process.stdout.close()


def test_f41_a_port_in_use_is_named_at_once(served: Served, tmp_path: Path) -> None:
    environment = {**os.environ, "FINDABLE_DATA_DIR": str(tmp_path / "other"), "PYTHONPATH": str(ROOT / "src")}
    started = time.monotonic()
    command = [sys.executable, "-m", "findable", "serve", "--port", str(served.port)]
    second = subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=20)
    assert second.returncode != 0
    assert "--port" in second.stderr
    assert "in use" in second.stderr
    assert time.monotonic() - started < 20


def test_s81_the_log_keeps_secrets_out_and_one_line_a_request(served: Served) -> None:
    guest = served.client.guest()
    guest.get("/sign-in/secret-token-123")
    guest.get("/a%0d%0ab%1b%5b31m%E2%80%AE")
    served.client.get("/reports", search="private words")
    assert served.end() == 0
    log = served.log.read_text()
    assert "secret-token-123" not in log
    assert served.key not in log
    assert "private words" not in log
    assert r"GET /a\r\nb\x1b[31m\u202e 404" in log
    assert "\x1b" not in log
