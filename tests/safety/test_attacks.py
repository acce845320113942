"""What an attacker tries against a running service, and what held: one test for each line of docs/explanation/attacks.md that had none."""

import base64
import json
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.safety.world import PASSWORD, SAME, World
from tests.web.live import Live, run_live

SOON_S = 5.0
"""For what takes milliseconds, on a machine that does other things too; what these tests found took a minute."""
LONG = 60_000
"""Characters of a header: the longest that the server takes, less its other lines."""


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    yield from run_live(tmp_path_factory.mktemp("attacks"), rate_limit=0)


@pytest.fixture(scope="module")
def world(live: Live) -> World:
    return World(live, live.service.passwords.hash(PASSWORD))


# --- headers that keep us busy ----------------------------------------------------------------------------------------

SLOW_HEADERS = (
    ("Cookie", 'findable="' + "\\\\" * (LONG // 2) + '"'),
    ("Cookie", 'findable="' + "\\1" * (LONG // 2) + '"'),
    ("Cookie", 'findable="' + '\\"' * (LONG // 2)),
    ("Cookie", "a=b; " * (LONG // 5)),
    ("Cookie", 'a="' * (LONG // 3)),
    ("Accept-Language", "de;q=0.1," * (LONG // 9)),
    ("Accept-Language", "de;" + "q" * LONG),
    ("If-None-Match", 'W/"a",' * (LONG // 6)),
    ("Authorization", "Bearer" + " " * LONG + "\x01"),
    ("Prefer", ",wait" + " " * LONG + "x"),
    ("Accept", "a/b;" + "q=1;" * (LONG // 4)),
    ("Accept-Encoding", "gzip;q=0.1," * (LONG // 11)),
    ("Content-Type", "multipart/form-data" + ';a="\\' * (LONG // 5)),
    ("X-Forwarded-For", "1.1.1.1," * (LONG // 8)),
)


@pytest.mark.parametrize(("name", "value"), SLOW_HEADERS)
def test_s30_s76_no_header_keeps_the_service_busy(world: World, name: str, value: str) -> None:
    sent = {name: value}
    for client, method, path, body in (
        (world.browser("nobody"), "GET", "/account", None),
        (world.browser("nobody"), "GET", f"/r/{world.public['public_id']}", None),
        (world.browser("nobody"), "POST", "/sign-in", b"email=a&password=b"),
        (world.program("owner"), "POST", "/api/v1/reports", b"x=1"),
    ):
        started_s = time.monotonic()
        assert client.request(method, path, body, sent).status < 500
        assert time.monotonic() - started_s < SOON_S, (method, path)


# --- numbers and places that are none ---------------------------------------------------------------------------------

DIGITS = "1" * 5000
"""More than Python makes a number of."""


def test_s70_numbers_of_thousands_of_digits_name_nothing(world: World) -> None:
    owner, program = world.browser("owner"), world.program("owner")
    page = f"/r/{world.private['public_id']}"
    for client, method, path in (
        (program, "GET", f"/api/v1/projects/{DIGITS}"),
        (program, "DELETE", f"/api/v1/projects/{DIGITS}"),
        (program, "GET", f"/api/v1/reports/{DIGITS}"),
        (program, "GET", f"/api/v1/batches/{DIGITS}"),
        (program, "GET", f"/api/v1/reports/{world.private['id']}/runs/{DIGITS}"),
        (owner, "GET", f"/projects/{DIGITS}"),
        (owner, "GET", f"/batches/{DIGITS}"),
        (owner, "GET", f"{page}?run={DIGITS}"),
        (owner, "GET", f"/account/people/{DIGITS}/remove"),
    ):
        assert client.request(method, path).status == 404, path
    for client, path in (
        (program, f"/api/v1/reports?page={DIGITS}"),
        (program, f"/api/v1/reports?per_page={DIGITS}"),
        (owner, f"/?project={DIGITS}"),
        (owner, f"/findings?check=noindex&project={DIGITS}"),
        (owner, f"{page}/compare?from={DIGITS}&to=1"),
    ):
        assert client.get(path).status < 500, path
    assert owner.post(f"{page}/client", {"link": "stay", "run": DIGITS}, SAME).status == 422


def cursor(*parts: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(parts).encode()).decode().rstrip("=")


@pytest.mark.parametrize("key", ["\ud800", "a\0b", "\udfff" * 1000, "a" * 20_000, 1, None, [], {}, True])
def test_s70_a_cursor_made_by_hand_is_a_place_or_refused(world: World, key: Any) -> None:
    assert world.public
    owner, program = world.browser("owner"), world.program("owner")
    for by, path in (("url", "reports"), ("project", "reports"), ("project", "projects")):
        reply = program.get(f"/api/v1/{path}", sort_by=by, cursor=cursor(by, 1, key, 1, 0))
        assert reply.status in (200, 422), (path, by)
    assert owner.get(f"/?cursor={cursor('url', 1, key, 1, 0)}").status in (200, 400)
    assert owner.get(f"/findings?check=noindex&cursor={cursor('url', 1, key, 1, 0)}").status in (200, 400)


# --- bodies that keep us busy -----------------------------------------------------------------------------------------

MEGABYTES = 3_900_000
"""Just below what a batch may send."""


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        ("application/json", b'{"urls": [' + b"null," * (MEGABYTES // 5) + b"1]}"),
        ("application/json", b'{"urls": [' + b"{}," * (MEGABYTES // 3) + b"1]}"),
        ("application/json", b'{"urls": {"a": [' + b"1," * (MEGABYTES // 2) + b"1]}}"),
        ("application/json", b'{"urls": "' + b"a\\n" * (MEGABYTES // 3) + b'"}'),
        ("application/x-www-form-urlencoded", b"urls=" + b"%0a" * (MEGABYTES // 3)),
        ("application/x-www-form-urlencoded", b"urls=" + b"\r" * MEGABYTES),
    ],
)
def test_s73_no_body_keeps_the_others_waiting(world: World, content_type: str, body: bytes) -> None:
    """While one is read others are answered; it used to be half a minute in which nobody was."""
    program, guest, longest_s, done = world.program("owner"), world.browser("nobody"), 0.0, threading.Event()

    def send() -> None:
        try:
            replies.append(program.post("/api/v1/batches", body, {"Content-Type": content_type}).status)
        finally:
            done.set()

    replies: list[int] = []
    sending = threading.Thread(target=send)
    sending.start()
    while not done.wait(0.05):
        started_s = time.monotonic()
        assert guest.get("/healthz").status == 200
        longest_s = max(longest_s, time.monotonic() - started_s)
    sending.join()
    assert replies[0] in (413, 422)
    assert longest_s < SOON_S


def test_s73_a_list_of_ten_thousand_is_read(world: World) -> None:
    reply = world.program("owner").post("/api/v1/batches", json.dumps({"urls": ["a"] * 10_000}), {"Content-Type": "application/json"})
    assert (reply.status, "1,000" in reply.text) == (422, True)
