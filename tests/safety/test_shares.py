"""One guest, or one account, that asks for much at once: a part of every place is left for everybody else."""

import asyncio
import http.client
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest

from findable.export.pdf import to_pdf
from findable.export.report_csv import list_rows
from findable.service.accounts import api_keys, sessions
from findable.service.reports.batch_sitemaps import SitemapSlots
from findable.service.runtime.slots import Slots, limit_per_caller
from findable.web import middleware
from findable.web.api import operation
from findable.web.client_address import network_at
from findable.web.pages.project import project_csv
from findable.web.pages.result import files
from tests.safety.world import SAME
from tests.sites.server import Request, Site, Wire
from tests.web.live import Client, Live, Reply, run_live

SOON_S = 30.0
SLOTS = 4
GREEDY, BESIDE, OTHER = "198.51.100.7", "198.51.100.200", "203.0.113.9"
"""A guest, somebody of the same network, and somebody of another."""


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A service behind a proxy, which says who asks; the tests are the proxy."""
    folder = tmp_path_factory.mktemp("shares")
    yield from run_live(folder, rate_limit=0, trusted_proxies=("127.0.0.1",), waiting_slots=SLOTS, allow_targets=("127.0.0.1",))


def asked_from(client: Client, address: str, path: str, headers: dict[str, str] | None = None) -> Reply:
    return client.get(path, {"X-Forwarded-For": address, **(headers or {})})


def until(true: Callable[[], bool]) -> None:
    ends_s = time.monotonic() + SOON_S
    while not true():
        assert time.monotonic() < ends_s
        time.sleep(0.02)


# --- who is who -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("198.51.100.7", "198.51.100.0/24"),
        ("2001:db8:1:2ff::1", "2001:db8:1:200::/56"),
        ("127.0.0.1", ""),
        ("::ffff:127.0.0.1", ""),
        ("::1", ""),
        ("", ""),
        ("nonsense", ""),
    ],
)
def test_a_proxy_that_nobody_named_is_no_guest(address: str, network: str) -> None:
    assert network_at(address) == network


def test_places_leave_a_quarter_to_others_and_are_given_back() -> None:
    places = Slots(8)
    assert [places.acquire("greedy") for _ in range(7)] == [True] * 6 + [False]
    assert [places.acquire("other") for _ in range(3)] == [True, True, False]
    assert not places.acquire("")
    for who in ("greedy", "other"):
        places.release(who)
    assert (places.taken_count, places.is_free("greedy"), places.is_free("")) == (6, True, True)
    assert [Slots(1).acquire("alone"), Slots(0).acquire("alone")] == [True, False]
    assert [Slots(8).acquire("") for _ in range(8)] == [True] * 8


# --- requests ---------------------------------------------------------------------------------------------------------


@contextmanager
def unfinished(port: int, address: str, count: int, length: str) -> Iterator[None]:
    """Forms that are begun and never sent."""
    with ExitStack() as stack:
        for _ in range(count):
            connection = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=SOON_S))
            connection.sendall(f"POST /sign-in HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: {address}\r\n{length}\r\n\r\n".encode())
        yield


def test_s76_s92_who_sends_no_bodies_keeps_out_nobody_of_another_network(live: Live) -> None:
    guest = Client(live.port, prefix="")
    many = middleware.MAX_LOAD // (1 + middleware.UNDECLARED_LOAD)
    with (
        unfinished(live.port, GREEDY, many, "Transfer-Encoding: chunked"),
        unfinished(live.port, BESIDE, middleware.MAX_LOAD - many, "Content-Length: 9"),
    ):
        until(lambda: asked_from(guest, BESIDE, "/robots.txt").status == 429)
        refused = asked_from(guest, GREEDY, "/robots.txt")
        assert (refused.status, refused.headers["Retry-After"], refused.json["code"]) == (429, "1", "quota_exceeded")
        assert {asked_from(guest, OTHER, path).status for path in ("/", "/robots.txt", "/sign-in", "/healthz")} == {200}
        assert asked_from(guest, GREEDY, "/healthz").status == 200
    until(lambda: asked_from(guest, GREEDY, "/robots.txt").status == 200)


# --- PDFs -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def drawing(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[list[str], threading.Event]]:
    """URLs of the reports that are being drawn; nothing is done before the event is set."""
    begun: list[str] = []
    gate = threading.Event()

    def held(report: Any, sheet: Any) -> bytes:
        begun.append(report.requested_url)
        gate.wait(SOON_S)
        return to_pdf(report, sheet)

    monkeypatch.setattr("findable.web.pages.report.downloads.to_pdf", held)
    yield begun, gate
    gate.set()


def test_s92_one_network_has_one_pdf_at_a_time_and_others_do_not_wait_for_it(
    live: Live, drawing: tuple[list[str], threading.Event]
) -> None:
    begun, gate = drawing
    client = live.client()
    guest, private = client.guest(), client.report(privacy=1)
    urls = ["https://good.example/", "https://good.example/of-others"]
    path, of_others = (f"/r/{client.report(url)['public_id']}/report.pdf" for url in urls)
    with ThreadPoolExecutor(4) as pool:
        first = [pool.submit(asked_from, guest, address, path) for address in (GREEDY, BESIDE, GREEDY)]
        until(lambda: len(begun) == 1)
        other = pool.submit(asked_from, guest, OTHER, of_others)
        until(lambda: len(begun) == 2)
        assert begun == urls
        # Both places are taken: whoever may see nothing is told so, and waits for nobody.
        for missing in (f"/r/{private['public_id']}/report.pdf", f"/r/{'A' * 22}/report.pdf"):
            began_s = time.monotonic()
            assert asked_from(guest, GREEDY, missing).status == 404
            assert time.monotonic() - began_s < files.PDF_WAIT_S
        assert len(begun) == 2
        gate.set()
        assert {future.result().status for future in (*first, other)} == {200}


# --- streams, and requests that wait ----------------------------------------------------------------------------------


@pytest.fixture
def held(live: Live) -> Iterator[threading.Event]:
    event = live.analyser.held["held.example"] = threading.Event()
    yield event
    event.set()


def followed(stack: ExitStack, live: Live, address: str, path: str) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", live.port, timeout=SOON_S)
    stack.callback(connection.close)
    connection.request("GET", f"{path}/events", headers={"X-Forwarded-For": address})
    answer = connection.getresponse()
    if answer.status == 200:
        assert answer.fp.readline()  # it has its place
    return answer.status


def test_s92_one_network_follows_some_reports_and_leaves_room(live: Live, held: threading.Event) -> None:
    made = live.client().post("/reports", {"url": "https://held.example/"}, wait=0).json["data"]
    path = f"/r/{made['public_id']}"
    with ExitStack() as stack:
        most = limit_per_caller(SLOTS)
        assert [followed(stack, live, address, path) for address in (GREEDY, BESIDE) * most][: most + 1] == [200] * most + [503]
        assert followed(stack, live, OTHER, path) == 200
    until(lambda: not live.service.streams.taken_count)


def test_s92_one_account_waits_for_some_reports_and_leaves_room(live: Live, held: threading.Event) -> None:
    greedy, other = live.client(), live.client()
    url = "https://held.example/"
    with ThreadPoolExecutor(SLOTS) as pool:
        waiting = [pool.submit(greedy.post, "/reports", {"url": url}) for _ in range(limit_per_caller(SLOTS))]
        until(lambda: live.service.waiting_count == len(waiting))
        assert greedy.post("/reports", {"url": url}).status == 202
        assert other.post("/reports", {"url": url}, wait=0).status == 202
        waiting.append(pool.submit(other.post, "/reports", {"url": url}))
        until(lambda: live.service.waiting_count == len(waiting))
        held.set()
        assert {future.result().status for future in waiting} == {201}


def test_s92_one_account_reads_some_sitemaps_and_leaves_room(live: Live, site: Site) -> None:
    greedy, other = live.client(), live.client()
    gate = threading.Event()

    async def slow(_request: Request, wire: Wire) -> None:
        await asyncio.to_thread(gate.wait, SOON_S)
        await wire.send(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")

    site.handler("/sitemap.xml", slow)
    site.page("/quick.xml", "<urlset><url><loc>https://a.example/</loc></url></urlset>", content_type="application/xml")
    with ThreadPoolExecutor(4) as pool:
        reading = [pool.submit(greedy.post, "/batches", {"sitemap": site.url("/sitemap.xml")}) for _ in range(3)]
        until(lambda: live.service.memory(SitemapSlots).taken_count == len(reading))
        refused = greedy.post("/batches", {"sitemap": site.url("/quick.xml")})
        assert (refused.status, refused.headers["Retry-After"]) == (503, "10")
        assert other.post("/batches", {"sitemap": site.url("/quick.xml")}).status in (202, 422)
        gate.set()
        assert {future.result().status for future in reading} == {422}
    until(lambda: not live.service.memory(SitemapSlots).taken_count)


# --- who loses a right while a request goes on ------------------------------------------------------------------------


@contextmanager
def begun(live: Live, method: str, path: str, headers: dict[str, str], body: bytes) -> Iterator[Callable[[], int]]:
    """A request that was let in and whose body is waited for; it is sent when the status of the answer is asked for."""
    sent = {"Content-Type": "application/x-www-form-urlencoded", "Content-Length": str(len(body)), "Expect": "100-continue", **headers}
    head = f"{method} {path} HTTP/1.1\r\nHost: a\r\n" + "".join(f"{name}: {value}\r\n" for name, value in sent.items())
    with socket.create_connection(("127.0.0.1", live.port), timeout=SOON_S) as connection:
        connection.sendall(f"{head}\r\n".encode())
        assert connection.recv(100).startswith(b"HTTP/1.1 100")

        def status() -> int:
            connection.sendall(body)
            answer = http.client.HTTPResponse(connection)
            answer.begin()
            return answer.status

        yield status


def revoked(live: Live, client: Client) -> str:
    """Revokes the key of the client; the address of its account."""
    account = client.get("/account").json["data"]
    api_keys.revoke_key(live.service, account["email"], account["key"]["prefix"])
    return str(account["email"])


def test_s60_a_key_that_is_revoked_while_its_body_arrives_changes_nothing(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operation, "PROMPT_S", 0.0)
    client = live.client()
    report = client.report(privacy=1)
    key = {"Authorization": f"Bearer {client.key}"}
    with (
        begun(live, "PUT", f"/api/v1/reports/{report['id']}", key, b"privacy=0") as change,
        begun(live, "POST", "/api/v1/reports", key, b"url=https%3A%2F%2Fgood.example%2Flate") as make,
    ):
        owner = live.client(email=revoked(live, client))
        assert [change(), make()] == [401, 401]
    assert owner.get(f"/reports/{report['id']}").json["data"]["privacy"] == 1
    assert owner.get("/reports", search="late").json["data"] == []


def test_s60_a_key_that_is_revoked_while_its_request_waits_is_told_nothing(live: Live, held: threading.Event) -> None:
    client = live.client()
    made = client.post("/reports", {"url": "https://held.example/"}, wait=0).json["data"]
    with ThreadPoolExecutor(3) as pool:
        waiting = [
            pool.submit(client.get, f"/reports/{made['id']}", wait=30),
            pool.submit(client.put, f"/reports/{made['id']}", {"results": 1}, wait=30),
            pool.submit(client.post, "/reports", {"url": "https://held.example/"}, wait=30),
        ]
        until(lambda: live.service.waiting_count == len(waiting))
        revoked(live, client)
        held.set()
        assert [future.result().status for future in waiting] == [401] * 3


def test_s60_s66_who_is_out_while_a_sitemap_is_read_makes_no_batch_of_it(live: Live, site: Site) -> None:
    client = live.client()
    email = client.get("/account").json["data"]["email"]
    browser, gate = live.signed_in(email), threading.Event()

    async def slow(_request: Request, wire: Wire) -> None:
        await asyncio.to_thread(gate.wait, SOON_S)
        body = b"<urlset><url><loc>https://good.example/</loc></url></urlset>"
        await wire.send(b"HTTP/1.1 200 OK\r\nContent-Type: application/xml\r\nContent-Length: %d\r\n\r\n" % len(body) + body)

    at = site.handler("/sitemap.xml", slow)
    with ThreadPoolExecutor(2) as pool:
        sent = [pool.submit(client.post, "/batches", {"sitemap": at}), pool.submit(browser.post, "/reports", {"url": at}, SAME)]
        until(lambda: len(site.asked("/sitemap.xml")) == len(sent))
        revoked(live, client)
        assert browser.post("/sign-out", b"", SAME).status == 303
        gate.set()
        assert [future.result().status for future in sent] == [401, 403]
    assert live.client(email=email).get("/batches").json["data"] == []


@pytest.mark.parametrize("form", ["privacy", "client", "reports"])
def test_s66_a_session_that_ends_while_a_form_arrives_changes_nothing(live: Live, form: str) -> None:
    email = live.email()
    client, browser = live.client(email=email), live.signed_in(email)
    report = client.report(privacy=1)
    path = "/reports" if form == "reports" else f"/r/{report['public_id']}/{form}"
    body = {"privacy": b"privacy=0&password=", "client": b"summary=What+we+saw.", "reports": b"url=https%3A%2F%2Fgood.example%2Flate"}[form]
    cookie = {"Cookie": "; ".join(f"{name}={value}" for name, value in browser.cookies.items()), **SAME}
    with begun(live, "POST", path, cookie, body) as status:
        assert browser.post("/sign-out", b"", SAME).status == 303
        assert status() == (403 if form == "reports" else 303)  # to the page where one signs in again
    assert client.get("/reports", search="late").json["data"] == []
    now = client.get(f"/reports/{report['id']}").json["data"]
    assert (now["privacy"], client.get(f"/reports/{report['id']}/client").json["data"]["summary"]) == (1, "")


def test_s66_a_list_ends_with_the_session_that_asked_for_it(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    email = live.email()
    client, browser = live.client(email=email), live.signed_in(email)
    for number in range(12):
        client.report(f"https://long.example/{number}")
    monkeypatch.setattr(project_csv, "CSV_AT_ONCE", 10)
    path = "/projects/long.example/reports.csv"
    assert len(browser.get(path).text.splitlines()) == 1 + 12

    def rows_and_out(rows: Any, more: Any) -> bytes:
        sessions.sign_out(live.service, browser.cookies["findable"])
        return list_rows(rows, more)

    monkeypatch.setattr("findable.web.pages.project.project_csv.list_rows", rows_and_out)
    assert len(browser.get(path).text.splitlines()) == 1 + 10
    assert browser.get(path).status == 303
