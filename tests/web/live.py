"""The whole service on loopback: real server, real database, real worker; only what pages say is made up."""

import asyncio
import gzip
import http.client
import json
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.server.embed import Server

from findable.capture.rendering import Rendering
from findable.capture.saved import dump
from findable.errors import PageErrorCode, PageUnavailable
from findable.reports.analysis import analyse
from findable.reports.url_patterns import any_matches
from findable.service.accounts import account_admin, api_keys, sign_in_links
from findable.service.reports.report_jobs import AnalysedPage, ReportJob
from findable.service.reports.stored_images import ReportImages, encode_filmstrip
from findable.service.runtime.service import Service
from findable.service.values.caller import SCOPES
from findable.settings import Settings
from findable.web.app import create_app
from findable.worker.delivery_task import DeliveryTask
from findable.worker.page_analyser import PageAnalyser
from findable.worker.worker_loop import Worker
from tests.checks.harness import capture, page

BAD_PAGE = page(head='<meta name="robots" content="noindex">', body="<h2>Nothing much</h2><a href='javascript:alert(1)'>go</a>")
PLAIN_PAGE = page(
    body="<main><h1>Blue widgets</h1><p>" + "Widgets of one blue, made to measure and sent in three days. " * 8 + "</p></main>",
    head='<title>Blue widgets – Example</title><meta name="viewport" content="width=device-width, initial-scale=1">',
)
"""A page that is decent."""
HOSTILE_PAGE = page(
    head="<title>&lt;script&gt;alert(1)&lt;/script&gt; {{7*7}} \u202e</title>",
    body="<h1>\"><img src=x onerror=alert(1)></h1><a href='JaVa\tscript:alert(1)'>x</a><a href='https://elsewhere.example/?a=\"><b>'>y</a>",
)
PATIENCE_S = 120
"""A busy machine is no fault of the service."""
NOT_SEEN = {
    "times-out.example": PageErrorCode.TARGET_TIMEOUT,
    "asks-to-sign-in.example": PageErrorCode.LOGIN_REQUIRED,
    "scripted.example": PageErrorCode.BOT_CHALLENGE,
}


@dataclass
class MadeUp:
    """An analyser of made-up pages. `held` hosts are not answered before the event is set."""

    held: dict[str, threading.Event] = field(default_factory=dict)
    pages: dict[str, str] = field(default_factory=dict)
    """By host; what is not here is a sound page."""
    headers: dict[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    """By host; of the others they are those of a sound page."""
    renderings: dict[str, Rendering] = field(default_factory=dict)
    """By host: what a browser saw."""
    not_seen: dict[str, PageUnavailable] = field(default_factory=dict)
    """By host: why its pages are not seen."""
    results: dict[str, AnalysedPage] = field(default_factory=dict)
    """By host: complete results."""

    async def __call__(self, job: ReportJob, progress: Callable[[str, int, int], None]) -> AnalysedPage:
        host = urlsplit(job.url).hostname or ""
        progress("fetch", 0, 4)
        if host in self.held:
            await asyncio.to_thread(self.held[host].wait)
        if host in self.not_seen:
            raise self.not_seen[host]
        if host in self.results:
            return self.results[host]
        if host in NOT_SEEN:
            raise PageUnavailable(NOT_SEEN[host])
        shown = {"bad.example": BAD_PAGE, "hostile.example": HOSTILE_PAGE}.get(host, PLAIN_PAGE)
        rendering = self.renderings.get(host)
        more = {"headers": self.headers[host]} if host in self.headers else {}
        seen = capture(self.pages.get(host, shown), url=job.url, rendering=rendering, **more)
        film = rendering.film if rendering else None
        images = ReportImages(filmstrip=encode_filmstrip([frame.data for frame in film.frames])) if film else ReportImages()
        return AnalysedPage(dump(seen), analyse(seen, not_for_search=any_matches(job.not_for_search, job.url)), images=images)


@dataclass
class Reply:
    """An answer."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def text(self) -> str:
        return self.body.decode()


@dataclass
class Client:
    """Sends requests, with a key where it has one."""

    port: int
    key: str = ""
    cookies: dict[str, str] = field(default_factory=dict)
    prefix: str = "/api/v1"

    def request(
        self,
        method: str,
        path: str,
        body: bytes | str | Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        **query: Any,
    ) -> Reply:
        sent = dict(headers or {})
        if self.key:
            sent.setdefault("Authorization", f"Bearer {self.key}")
        if self.cookies:
            sent.setdefault("Cookie", "; ".join(f"{name}={value}" for name, value in self.cookies.items()))
        if isinstance(body, Mapping):
            body = urlencode(body)
            sent.setdefault("Content-Type", "application/x-www-form-urlencoded")
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        try:
            connection.request(method, f"{self.prefix}{path}" + (f"?{urlencode(query)}" if query else ""), body, sent)
            answer = connection.getresponse()
            return Reply(answer.status, answer.headers, answer.read())
        finally:
            connection.close()

    def get(self, path: str, headers: Mapping[str, str] | None = None, **query: Any) -> Reply:
        return self.request("GET", path, None, headers, **query)

    def post(self, path: str, body: Any = None, headers: Mapping[str, str] | None = None, **query: Any) -> Reply:
        return self.request("POST", path, body, headers, **query)

    def put(self, path: str, body: Any = None, headers: Mapping[str, str] | None = None, **query: Any) -> Reply:
        return self.request("PUT", path, body, headers, **query)

    def delete(self, path: str, headers: Mapping[str, str] | None = None) -> Reply:
        return self.request("DELETE", path, None, headers)

    def report(self, url: str = "https://good.example/", **fields: Any) -> Any:
        """A finished report."""
        reply = self.post("/reports", {"url": url, **fields}, wait=60)
        assert reply.status == 201, reply.body
        return reply.json["data"]

    def guest(self) -> "Client":
        """The pages, without a key."""
        return Client(self.port, prefix="")


def raw(port: int, data: bytes, *, timeout_s: float = PATIENCE_S) -> bytes:
    """Sends bytes as they are and reads until the answer is complete or the connection ends."""
    with socket.create_connection(("127.0.0.1", port), timeout=timeout_s) as connection:
        connection.sendall(data)
        answer = http.client.HTTPResponse(connection)
        try:
            answer.begin()
        except http.client.HTTPException:
            return b""
        body = answer.read()
        if answer.headers["Content-Encoding"] == "gzip":
            body = gzip.decompress(body)
        return f"{answer.status}\n".encode() + body


@dataclass
class Live:
    """A running service."""

    service: Service
    port: int
    analyser: MadeUp
    _number: int = 0

    def client(self, *, scopes: frozenset[str] = SCOPES, email: str = "") -> Client:
        """A client of a new account, or of that account."""
        if not email:
            self._number += 1
            email = f"user{self._number}@example.com"
            account_admin.create_account(self.service, email)
        return Client(self.port, api_keys.create_key(self.service, email, scopes=scopes).token)

    def email(self) -> str:
        """A new account's."""
        self._number += 1
        email = f"user{self._number}@example.com"
        account_admin.create_account(self.service, email)
        return email

    def signed_in(self, email: str) -> Client:
        """A browser in which that person is signed in."""
        session = sign_in_links.redeem(self.service, sign_in_links.create(self.service, email).url.rpartition("/")[2])
        assert session is not None
        return Client(self.port, cookies={"findable": session.token}, prefix="")


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def run_live(folder: Path, *, real: bool = False, **settings: Any) -> Iterator[Live]:
    """Starts a service in a thread of its own and ends it: the body of a fixture. ``real`` fetches pages as a worker does."""
    port = settings.pop("port", 0) or free_port()
    service = Service.open(Settings(data_dir=folder, port=port, **settings), exclusive=True)
    analyser = MadeUp()
    ready, stop = threading.Event(), threading.Event()

    async def main() -> None:
        fetching = PageAnalyser(service) if real else None
        deliver = DeliveryTask(service) if service.settings.smtp_url else None
        worker = Worker(service, fetching or analyser, deliver=deliver)
        await worker.start()
        server = Server(
            create_app(service),
            port=port,
            interface=Interfaces.ASGINL,
            http=HTTPModes.http1,
            http1_settings=HTTP1Settings(header_read_timeout=2_000, max_buffer_size=64 * 1024),
            websockets=False,
            log_enabled=False,
        )
        serving = asyncio.create_task(server.serve())
        while True:
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.close()
                await writer.wait_closed()
                break
            except OSError:
                await asyncio.sleep(0.01)
        ready.set()
        await asyncio.to_thread(stop.wait)
        server.stop()  # type: ignore[no-untyped-call]  # granian's
        await worker.stop(0)
        if fetching is not None:
            await fetching.close()
        await asyncio.wait([serving], timeout=15)

    thread = threading.Thread(target=asyncio.run, args=(main(),))
    thread.start()
    try:
        assert ready.wait(PATIENCE_S)
        yield Live(service, port, analyser)
    finally:
        for event in analyser.held.values():
            event.set()
        stop.set()
        thread.join(PATIENCE_S)
        service.close()
