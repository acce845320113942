"""`findable serve` as it is started: a process of its own."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.sites.server import Site
from tests.web.live import raw
from tests.web.served import ROOT, Served, start


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    one = start(tmp_path)
    yield one
    ended(one)


@pytest.fixture(scope="module")
def standing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One service for tests that leave it as it is."""
    one = start(tmp_path_factory.mktemp("standing"))
    yield one
    ended(one)


def ended(one: Served) -> None:
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


def test_s76_broken_requests(standing: Served) -> None:
    port = standing.port
    assert raw(port, b"GET /healthz HTTP/1.1\r\n\r\n").startswith(b"400")
    assert raw(port, b"GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n").startswith(b"400")
    assert raw(port, b"GET /healthz HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n").startswith(b"400")
    assert raw(port, b"POST /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\nContent-Length: 5\r\n\r\nabcdef").startswith(b"400")
    assert raw(port, b"GET /healthz HTTP/1.1\r\nHost: a\r\nX: " + b"a" * 1_000_000 + b"\r\n\r\n").startswith(b"431")
    assert raw(port, b"TRACE /healthz HTTP/1.1\r\nHost: a\r\n\r\n").startswith(b"405")
    assert raw(port, b"GET /healthz HTTP/1.0\r\n\r\n").startswith(b"200")
    assert raw(port, b"GET /\xc3\xbc HTTP/1.1\r\nHost: a\r\n\r\n").startswith(b"404")


def test_s76_a_connection_with_two_lengths_is_closed(standing: Served) -> None:
    with socket.create_connection(("127.0.0.1", standing.port), timeout=60) as connection:
        connection.sendall(b"POST /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nG")
        received = b""
        while chunk := connection.recv(65536):
            received += chunk
        assert received.count(b"HTTP/1.1") == 1


@pytest.mark.full
def test_s76_slow_heads_and_bodies_are_given_up(served: Served) -> None:
    def head() -> float:
        return until_closed(b"GET / HTTP/1.1\r\nHost: a\r\n")

    def body() -> float:
        head = f"POST /api/v1/reports HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {served.key}\r\nContent-Length: 100\r\n\r\nurl"
        return until_closed(head.encode())

    def until_closed(data: bytes) -> float:
        started = time.monotonic()
        with socket.create_connection(("127.0.0.1", served.port), timeout=60) as connection:
            connection.sendall(data)
            connection.recv(65536)
        return time.monotonic() - started

    with ThreadPoolExecutor(2) as pool:
        times = [pool.submit(job) for job in (head, body)]
        assert all(8 < found.result() < 40 for found in times)


@pytest.mark.full
def test_f31_a_request_that_never_ends_does_not_keep_the_service(served: Served) -> None:
    with socket.create_connection(("127.0.0.1", served.port), timeout=60) as connection:
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
    assert one.process.wait(90) == 0
    assert one.process.stdout is not None
    one.process.stdout.close()


def typesetters(pid: int) -> list[int]:
    """Processes below that one which set a PDF."""
    below = [int(child) for task in Path(f"/proc/{pid}/task").iterdir() for child in (task / "children").read_text().split()]
    return [child for child in below if b"findable.sandbox" in Path(f"/proc/{child}/cmdline").read_bytes()]


@pytest.mark.full
def test_f31_a_pdf_that_is_being_made_is_sent_when_the_service_ends(tmp_path: Path, site: Site) -> None:
    site.page("/", "<!doctype html><html lang=en><title>A page</title><h1>A page</h1>")
    one = start(tmp_path, allow_targets="127.0.0.1")
    made = one.client.post("/reports", {"url": site.url("/")}, wait=60)
    assert made.json["data"]["status"] == "done", made.text
    with ThreadPoolExecutor(1) as pool:
        drawn = pool.submit(one.client.guest().get, f"/r/{made.json['data']['public_id']}/report.pdf")
        while not typesetters(one.process.pid):
            assert not drawn.done()
        one.process.send_signal(signal.SIGTERM)
        reply = drawn.result()
    assert (reply.status, reply.body[:5], reply.body.rstrip()[-5:]) == (200, b"%PDF-", b"%%EOF")
    assert one.process.wait(90) == 0
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
    second = subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=90)
    assert second.returncode != 0
    assert "--port" in second.stderr
    assert "in use" in second.stderr
    assert time.monotonic() - started < 90


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


@pytest.mark.full
def test_s80_a_log_in_json_is_one_object_a_line_with_the_id_of_the_request(tmp_path: Path) -> None:
    one = start(tmp_path, "--json-log", metrics_token="a-token-for-who-watches")
    guest = one.client.guest()
    ids = [guest.get(path).headers["X-Request-Id"] for path in ("/healthz", "/a%0d%0ab%1b%5b31m%E2%80%AE", "/readyz")]
    assert one.client.get("/reports", {"X-Request-Id": "of-the-client"}).headers["X-Request-Id"] == "of-the-client"
    assert guest.get("/metrics", {"Authorization": "Bearer a-token-for-who-watches"}).status == 200
    assert one.end() == 0
    assert one.process.stdout is not None
    one.process.stdout.close()
    text = one.log.read_text()
    lines = [json.loads(line) for line in text.splitlines()]
    asked = {line["request_id"]: line for line in lines if line["logger"] == "findable.access"}
    assert asked.keys() >= {*ids, "of-the-client"}
    assert {name: asked[ids[0]][name] for name in ("method", "path", "status", "level")} == {
        "method": "GET",
        "path": "/healthz",
        "status": 200,
        "level": "INFO",
    }
    assert asked["of-the-client"]["milliseconds"] > 0
    assert one.key not in text
    assert "a-token-for-who-watches" not in text


@pytest.mark.full
def test_the_access_log_can_be_left_out(tmp_path: Path) -> None:
    one = start(tmp_path, "--no-access-log")
    one.client.get("/reports")
    assert one.end() == 0
    assert one.process.stdout is not None
    one.process.stdout.close()
    assert "/api/v1/reports" not in one.log.read_text()
