"""The programs of docs/how-to/webhooks.md accept what the service signs, and nothing else."""

import http.client
import json
import os
import re
import subprocess
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from standardwebhooks.webhooks import WebhookVerificationError

from findable.notify.outgoing_event import Event, EventScore, EventType, ReportData
from findable.notify.standard_webhooks import secret_of, signed_headers
from findable.notify.webhook_bodies import message_bytes
from tests.external import path_of, program
from tests.web.live import free_port

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "webhooks.md"
SECRET, OLD, OTHER = (secret_of(os.urandom(32)) for _ in range(3))
Accepts = Callable[[Mapping[str, str], bytes], bool]


def code(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)\n```", PAGE.read_text("utf-8"), re.DOTALL)
    assert found is not None
    return found[1]


def check(accepts: Accepts) -> None:
    """The message of a real event is accepted; other bytes, other secrets and old messages are refused."""
    data = ReportData(7, "x", "https://example.com/grün", 2, 71, "decent", EventScore(90, "good"))
    body = message_bytes(Event(EventType.REPORT_WORSE, 1_795_428_000, 1, "report:7:run:2", data, 1, "example.com"), "https://s.example")
    now = int(time.time())

    def headers(at: int = now, *secrets: str) -> Mapping[str, str]:
        return dict(signed_headers("msg_1", at, body, secrets or (SECRET,)))

    assert accepts(headers(), body)
    assert accepts(headers(now, SECRET, OLD), body)
    assert accepts(headers(now, OLD, SECRET), body)
    assert not accepts(headers(now, OTHER), body)
    assert not accepts(headers(), body.replace(b"71", b"99"))
    assert not accepts({**headers(), "webhook-id": "msg_2"}, body)
    assert not accepts({**headers(), "webhook-signature": "v1,"}, body)
    assert not accepts(headers(now - 400), body)
    assert not accepts(headers(now + 400), body)


def test_python() -> None:
    names: dict[str, Any] = {}
    exec(code("python"), names)

    def accepts(headers: Mapping[str, str], body: bytes) -> bool:
        with suppress(WebhookVerificationError):
            return bool(names["event_of"](SECRET, headers, body)["type"] == "report.worse")
        return False

    check(accepts)


@pytest.mark.full
def test_node() -> None:
    node = program("node")
    tail = "const [secret, headers, body] = process.argv.slice(1);console.log(eventOf(secret, JSON.parse(headers), Buffer.from(body)).type)"

    def accepts(headers: Mapping[str, str], body: bytes) -> bool:
        words = [str(node), "-e", f"{code('js')}\n{tail}", SECRET, json.dumps(headers), body.decode()]
        done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0 or "not from Findable, or too old" in done.stderr, done.stderr
        return done.stdout == "report.worse\n"

    check(accepts)


@pytest.mark.skipif(path_of("php") is None, reason="PHP, which nothing else here needs, is not installed")
def test_php(tmp_path: Path) -> None:
    port = free_port()
    (tmp_path / "in.php").write_text(f"<?php\n$secret = '{SECRET}';\n{code('php')}\necho $event['type'];\n", "utf-8")
    server = subprocess.Popen([str(program("php")), "-n", "-S", f"127.0.0.1:{port}", "-t", str(tmp_path)], stderr=subprocess.DEVNULL)

    def accepts(headers: Mapping[str, str], body: bytes) -> bool:
        for _ in range(100):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
            try:
                connection.request("POST", "/in.php", body, dict(headers))
            except ConnectionRefusedError:  # it begins
                time.sleep(0.1)
                continue
            reply = connection.getresponse()
            assert reply.status in (200, 401)
            return reply.status == 200 and reply.read() == b"report.worse"
        return False

    try:
        check(accepts)
    finally:
        server.terminate()
        server.wait(60)
