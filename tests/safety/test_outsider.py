"""What somebody without rights tries from outside: forms of other sites in odd dress, foreign hosts, planted cookies, paths that climb."""

import re
import socket
import threading
import time
from collections.abc import Callable, Mapping
from http.client import HTTPConnection
from typing import Any
from urllib.parse import quote

import pytest

from findable.service.accounts import sign_in_links
from findable.service.runtime.idempotency import IdempotencyKey
from tests.safety.test_matrix import KNOWN, ROWS, path_of
from tests.safety.world import HOST, PASSWORD, SAME, World, changed
from tests.tiers import FULL
from tests.web.live import Client, Live, raw

EVIL = "https://evil.example"
CROSS_SITE: tuple[dict[str, str], ...] = (
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "Cross-Site"},
    {"Sec-Fetch-Site": "nonsense"},
    {"Sec-Fetch-Site": "cross-site", "Origin": "null"},
    {"Origin": EVIL},
    {"Origin": "null"},
    {"Origin": "http://127.0.0.1:1"},
    {"Origin": ""},
    {"Referer": EVIL},
    {},
)
"""What a browser says of a form of another site; the last two are what old ones say."""
TYPES = (
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "text/plain",
    "application/json",
    "application/json; charset=utf-7",
    "",
    "application/csp-report",
    "*/*",
)
NO_COOKIE_COUNTS = {
    "POST /mcp",  # a key alone, as for the API
    "POST /unsubscribe/{token}",  # a mail program posts it for the reader (RFC 8058); the signed token is the right to
}
PAGES_THAT_CHANGE = tuple(route for route in KNOWN if route.startswith("POST /") and "/api/" not in route and route not in NO_COOKIE_COUNTS)


# --- forms of other sites ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("route", PAGES_THAT_CHANGE)
def test_s74_no_other_site_sends_a_form_for_somebody(world: World, route: str) -> None:
    row = ROWS[route]
    path = path_of(route, world, row)
    sent: Any = row.body(world) if row.body else {}
    body = dict(sent) if isinstance(sent, Mapping) else sent
    owner = world.browser("owner")
    bearer = Client(owner.port, world.people["owner"].key, owner.cookies, "")
    before = world.stored()
    for headers in CROSS_SITE:
        assert owner.post(path, body, headers).status == 403, headers
        assert bearer.post(path, body, headers).status == 403, headers  # a key beside the cookie opens no door
    assert not changed(before, world.stored())


@pytest.mark.parametrize("content_type", TYPES)
def test_s74_no_content_type_leads_past_the_origin(world: World, content_type: str) -> None:
    owner = world.browser("owner")
    path = f"/r/{world.private['public_id']}/privacy"
    before = world.stored()
    for body in (b"privacy=0", b'{"privacy": 0}', b'--x\r\nContent-Disposition: form-data; name="privacy"\r\n\r\n0\r\n--x--\r\n'):
        headers = {"Content-Type": content_type, "Sec-Fetch-Site": "cross-site"}
        assert owner.post(path, body, headers).status == 403
    for verb in ("X-HTTP-Method-Override", "X-Method-Override", "X-HTTP-Method"):
        assert owner.get(path, {verb: "POST", **SAME}).status == 405
    assert owner.post(f"{path}?_method=DELETE", b"", {"Sec-Fetch-Site": "cross-site"}).status == 403
    assert not changed(before, world.stored())


def test_s74_s75_the_interface_takes_no_cookie_and_answers_no_credentials(world: World) -> None:
    owner = world.browser("owner")
    for headers in ({}, {"Origin": EVIL}, {"Origin": "null"}, {"Origin": owner_origin(world)}):
        reply = owner.post("/api/v1/reports", {"url": "https://good.example/"}, headers)
        assert reply.status == 401
        assert reply.headers["Access-Control-Allow-Origin"] == "*"
        assert reply.headers["Access-Control-Allow-Credentials"] is None
        page = owner.get(f"/r/{world.private['public_id']}", headers)
        assert page.headers["Access-Control-Allow-Origin"] is None
    preflight = owner.request("OPTIONS", "/account", None, {"Origin": EVIL, "Access-Control-Request-Method": "POST"})
    assert preflight.headers["Access-Control-Allow-Origin"] is None


def owner_origin(world: World) -> str:
    return world.live.service.settings.base_url


# --- cookies ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "cookie",
    [
        "findable=",
        "findable=../../etc/passwd",
        "findable=%00",
        'findable="{token}x"',
        "findable={upper}",
        "findable={token}; findable=",
        "findable={short}",
        "__Host-findable={token}",
        "Findable={token}",
        " findable\t={short}",
        "findable=" + "a" * 5000,
        "findable=é\x80",
    ],
)
def test_s66_no_cookie_but_the_session_opens(world: World, cookie: str) -> None:
    token = world.people["owner"].session.token
    sent = cookie.replace("{token}", token).replace("{upper}", token.swapcase()).replace("{short}", token[:-1])
    client = Client(world.live.port, prefix="")
    assert client.get("/account", {"Cookie": sent}).status == 303


def test_s56_an_unlocked_page_opens_no_other(world: World) -> None:
    guest = world.browser("nobody")
    one, other = world.locked["public_id"], world.report(privacy=2, password=PASSWORD)["public_id"]
    reply = guest.post(f"/r/{one}", {"password": PASSWORD}, SAME)
    name, _, value = reply.headers["Set-Cookie"].partition(";")[0].partition("=")
    assert name == f"unlock-{one}"
    opened = Client(guest.port, cookies={name: value}, prefix="")
    assert opened.get(f"/r/{one}/report.json").status == 200
    for planted in ({f"unlock-{other}": value}, {f"unlock-{other}": value, name: value}, {f"unlock-{other}": "9" * 12 + ".00"}):
        tossed = Client(guest.port, cookies=planted, prefix="")
        assert tossed.get(f"/r/{other}/report.json").headers["Location"] == f"/r/{other}"
    expiry, _, signature = value.partition(".")
    for forged in (f"{int(expiry) + 1}.{signature}", f"{expiry}.{signature[:-1]}", f"{expiry}.", f".{signature}", f"{expiry}.{signature}0"):
        assert Client(guest.port, cookies={name: forged}, prefix="").get(f"/r/{one}/report.json").status == 303


# --- hosts and proxies ------------------------------------------------------------------------------------------------

FORWARDED: tuple[dict[str, str], ...] = (
    {"Host": "evil.example"},
    {"Host": "evil.example:443"},
    {"X-Forwarded-Host": "evil.example"},
    {"X-Forwarded-Server": "evil.example"},
    {"X-Host": "evil.example"},
    {"Forwarded": "host=evil.example;proto=https"},
    {"X-Forwarded-Proto": "https", "X-Forwarded-Port": "443"},
    {"X-Forwarded-Prefix": "/evil.example"},
    {"X-Original-URL": "/account"},
    {"X-Rewrite-URL": "/account"},
)


@pytest.mark.parametrize("headers", FORWARDED)
def test_s77_s78_no_header_changes_where_our_links_lead(world: World, headers: dict[str, str]) -> None:
    owner, guest, program = world.browser("owner"), world.browser("nobody"), world.program("owner")
    public = f"/r/{world.public['public_id']}"
    for client, path in (
        (guest, "/"),
        (guest, public),
        (guest, f"{public}/report.json"),
        (guest, "/account"),
        (guest, "/sign-in?next=/account"),
        (owner, "/account/people"),
        (program, "/api/v1/reports"),
        (program, f"/api/v1/reports/{world.public['id']}"),
        (guest, "/api/v1/openapi.json"),
        (guest, "/api/v1/nothing"),
    ):
        reply, usual = client.get(path, headers), client.get(path)
        whole = reply.body + b"".join(f"{name}: {value}\n".encode() for name, value in reply.headers.items())
        assert b"evil.example" not in whole, path
        assert (reply.status, reply.headers["Location"], reply.headers["ETag"]) == (
            usual.status,
            usual.headers["Location"],
            usual.headers["ETag"],
        )
    invited = owner.post("/account/people/invite", {"role": "member", "email": ""}, {**SAME, **headers})
    assert f"{owner_origin(world)}/invitation/" in invited.text
    assert "evil.example" not in invited.text


def test_s78_what_public_pages_keep_depends_on_nothing_unsaid(world: World) -> None:
    """What a cache may keep is the same whoever asked first, or says in Vary what it depends on."""
    public = f"/r/{world.public['public_id']}"
    guest = world.browser("nobody")
    for path in (public, *(f"{public}/{name}" for name in ("report.json", "report.csv", "report.md", "badge.svg", "icon.png", "card.png"))):
        usual = guest.get(path)
        assert "Cookie" in usual.headers["Vary"]
        assert usual.headers["Cache-Control"] == "no-cache"
        for headers in (
            *FORWARDED,
            {"Accept": "text/x-evil"},
            {"User-Agent": "evil"},
            {"X-Request-Id": "evil"},
            {"Accept-Encoding": "evil"},
        ):
            assert guest.get(path, headers).body == usual.body, (path, headers)
        assert guest.get(f"{path}?utm_source=evil&x=%3Cscript%3E").body == usual.body


# --- paths and headers ------------------------------------------------------------------------------------------------

CLIMBING = (
    "..", "../..", "..%2f..%2fetc%2fpasswd", "%2e%2e/%2e%2e/etc/passwd", "..\\..\\etc\\passwd", "%2e%2e%5c", "....//....//etc/passwd",
    "%00", "style.css%00.js", "/etc/passwd", "%252e%252e%252f", "%c0%ae%c0%ae/", "~root", "file:///etc/passwd", "a" * 5000, "%ff%fe", "con", "*",
)  # fmt: skip


@pytest.mark.parametrize("climbing", CLIMBING)
def test_s86_no_path_climbs(world: World, climbing: str) -> None:
    """`make test` tries each name in a third of the paths, and each path with a third of the names."""
    before = world.stored()
    templates = sorted({route.partition(" ")[2] for route in KNOWN if "{" in route})
    for template in templates if FULL else {"/static/{name}", *templates[CLIMBING.index(climbing) % 3 :: 3]}:
        path = re.sub(r"\{[a-z_:]+\}", lambda _: climbing, template)
        assert "{" not in path
        client = world.program("owner") if template.startswith("/api/") else world.browser("owner")
        text = raw(world.live.port, head_of(client, path))
        status = int(text[:3])
        expected = (200, 303, 400, 401, 404, 405, 410, 414, 422)
        assert status in expected, (path, text[:200])
        assert b"root:" not in text
        assert b"[tool" not in text
        if template == "/static/{name}":
            assert status in (400, 404), path
    assert not changed(before, world.stored())


def head_of(client: Client, path: str) -> bytes:
    lines = [f"GET {path} HTTP/1.1", "Host: a", "Connection: close"]
    if client.key:
        lines.append(f"Authorization: Bearer {client.key}")
    if client.cookies:
        lines.append("Cookie: " + "; ".join(f"{name}={value}" for name, value in client.cookies.items()))
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


SPLIT = "x\r\nSet-Cookie: planted=1\r\n\r\n<script>"


def test_s80_nothing_sent_to_us_becomes_a_header_of_ours(world: World) -> None:
    owner, guest, program = world.browser("owner"), world.browser("nobody"), world.program("owner")
    split = quote(SPLIT)
    replies = [
        guest.get(f"/sign-in?next={split}"),
        guest.get(f"/sign-in?next=/{split}"),
        guest.get(f"/account/{split}"),
        guest.get(f"/account?x={split}"),
        guest.get(f"/r/{split}"),
        owner.get(f"/batches/{split}"),
        owner.get(f"/?cursor={split}"),
        owner.post(
            f"/r/{world.private['public_id']}/accepted/{split}", {"reason": "x", "scope": "report", "until": "", "pattern": ""}, SAME
        ),
        program.get(f"/api/v1/reports?search={split}"),
        program.get(f"/api/v1/reports?cursor={split}"),
        program.get(f"/api/v1/projects/{split}"),
        program.post("/api/v1/reports", {"url": f"https://good.example/{SPLIT}"}, {"Prefer": "wait=0"}),
    ]
    for reply in replies:
        assert reply.status < 500
        assert "planted=1" not in (reply.headers["Set-Cookie"] or "")
        for name, value in reply.headers.items():
            assert "\r" not in value, name
            assert "\n" not in value, name
    assert guest.get("/", {"X-Request-Id": "a b<script>"}).headers["X-Request-Id"] != "a b<script>"


# --- idempotency ------------------------------------------------------------------------------------------------------


def test_s48_an_idempotency_key_of_somebody_else_replays_nothing(world: World) -> None:
    owner, stranger, writer = (world.program(name) for name in ("owner", "stranger", "writer"))
    fields, headers = {"url": f"https://{HOST}/idempotent", "privacy": 1}, {"Idempotency-Key": "shared-key"}
    made = [client.post("/api/v1/reports", fields, headers) for client in (owner, stranger, writer, owner)]
    assert [reply.status for reply in made] == [201] * 4
    ids = [reply.json["data"]["id"] for reply in made]
    assert len(set(ids)) == 3
    assert (ids[3], made[3].headers["Idempotent-Replayed"]) == (ids[0], "true")
    assert [reply.headers["Idempotent-Replayed"] for reply in made[:3]] == [None] * 3
    assert owner.post("/api/v1/reports", {**fields, "privacy": 0}, headers).status == 422
    assert IdempotencyKey("k" * 255, "x").key  # the longest that is taken
    for key in ("k" * 256, "a\x01b", "é"):
        assert owner.post("/api/v1/reports", fields, {"Idempotency-Key": key}).status == 400


def test_f22_s48_a_replay_after_privacy_changed_goes_to_the_owner_alone(world: World) -> None:
    fields, headers = {"url": f"https://{HOST}/replayed"}, {"Idempotency-Key": "kept-reply"}
    owner = world.program("owner")
    report = owner.post("/api/v1/reports", fields, headers).json["data"]
    assert owner.delete(f"/api/v1/reports/{report['id']}").status == 200
    again = owner.post("/api/v1/reports", fields, headers)
    assert (again.status, again.headers["Idempotent-Replayed"]) == (201, None)
    assert again.json["data"]["id"] != report["id"]


# --- many addresses ---------------------------------------------------------------------------------------------------

PRIVATE = (
    "http://127.0.0.1/",
    "http://[::1]/",
    "http://169.254.169.254/latest/",
    "http://10.0.0.1/",
    "http://localhost/",
    "file:///etc/passwd",
)


def test_s22_a_batch_reaches_no_private_address(world: World) -> None:
    owner, program = world.browser("owner"), world.program("owner")
    made = program.post("/api/v1/batches", {"urls": "\n".join(PRIVATE)})
    if made.status == 202:
        number = made.json["data"]["id"]
        members = program.get(f"/api/v1/batches/{number}/reports").json["data"]
        assert len(members) == len(PRIVATE)
        assert all(member["status"] == "refused" for member in members)
    else:
        assert made.status == 422
    for sitemap in PRIVATE:
        assert program.post("/api/v1/batches", {"sitemap": sitemap}).status == 422
    assert owner.post("/reports", {"url": "\n".join(PRIVATE[:2]), "privacy": "0"}, SAME).status in (303, 422)
    with_reports = program.get("/api/v1/reports?per_page=100").json["data"]
    assert not [one for one in with_reports if re.search(r"127\.0\.0\.1|169\.254|10\.0\.0\.1|localhost|\[::1\]|passwd", one["url"])]


# --- time -------------------------------------------------------------------------------------------------------------


def quickest_s(work: Callable[[str], object], *values: str) -> list[float]:
    found = []
    for value in values:
        times = []
        for _ in range(3):
            started_s = time.process_time()  # the service runs in this process
            work(value)
            times.append(time.process_time() - started_s)
        found.append(min(times))
    return found


@pytest.mark.parametrize(
    "text", ["a" * 2000, "a" * 1999 + "!", "%" * 2000, "_" * 2000, "(a+)+$" * 300, "\\" * 2000, "' OR 1=1 --" * 100, "*" * 2000, '"' * 2000]
)
def test_s30_s71_no_search_takes_long(world: World, text: str) -> None:
    assert world.public
    program, owner = world.program("owner"), world.browser("owner")
    usual, slow = quickest_s(lambda value: program.get(f"/api/v1/reports?search={quote(value)}"), "a", text)
    assert slow < usual + 0.5
    usual, slow = quickest_s(lambda value: owner.get(f"/?search={quote(value)}"), "a", text)
    assert slow < usual + 0.5


# --- connections ------------------------------------------------------------------------------------------------------


def test_s76_what_is_smuggled_behind_a_request_is_not_answered_as_another(world: World) -> None:
    port = world.live.port
    smuggled = b"GET /account HTTP/1.1\r\nHost: a\r\n\r\n"
    for head in (
        b"GET /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"POST /sign-out HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n",
        b"POST /sign-out HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n",
        b"POST /sign-out HTTP/1.1\r\nHost: a\r\nContent-Length: +5\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nHost : a\r\n\r\n",
    ):
        found = answers_to(port, head + smuggled)
        assert found.count(b"HTTP/1.1 303") == 0, head


def answers_to(port: int, data: bytes) -> bytes:
    received = b""
    with socket.create_connection(("127.0.0.1", port), timeout=3) as connection:
        connection.sendall(data)
        try:
            while chunk := connection.recv(65536):
                received += chunk
        except TimeoutError:
            pass
    return received


def test_s92_idle_connections_keep_nobody_out(world: World) -> None:
    port = world.live.port
    idle = [HTTPConnection("127.0.0.1", port, timeout=5) for _ in range(300)]
    try:
        for connection in idle:
            connection.connect()
        assert world.browser("nobody").get("/healthz").status == 200
        assert world.browser("owner").get("/account").status == 200
    finally:
        for connection in idle:
            connection.close()


def test_s67_s68_many_takers_of_one_link_are_one(live: Live) -> None:
    email = live.email()
    path = f"/sign-in/{sign_in_links.create(live.service, email).url.rpartition('/')[2]}"
    codes: list[int] = []
    threads = [threading.Thread(target=lambda: codes.append(Client(live.port, prefix="").post(path, b"", SAME).status)) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(codes) == [303] + [410] * 19
