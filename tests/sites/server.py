"""Small nasty web sites on loopback: a raw HTTP/1.1 server on a thread of its own, with everything a real server can do wrong."""

import asyncio
import contextlib
import ssl
import threading
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Any

from tests.counted_connections import CountedConnection, close_server, end_connections

CERTIFICATES = Path(__file__).parent / "certs"
AUTHORITY = CERTIFICATES / "authority.pem"
"""Signed good, expired and wrong_host; a client that trusts it accepts the first."""
STOP_ROUNDS = 20
"""Looks at what still runs when a site ends; a handshake that is never finished is left to the loop."""
TLS_RECORD = b"\x16"
"""The first byte of a client that takes us for a server of TLS."""


@dataclass(frozen=True)
class Request:
    """One request as it came in."""

    method: str
    target: str
    """Path and query as sent."""
    headers: dict[str, str]
    """Names in lower case; the last of equal names."""
    body: bytes
    host: str
    """The Host header."""
    connection: int
    """Number of the connection it came on."""
    at_s: float
    """time.monotonic() when its head was complete."""

    @property
    def path(self) -> str:
        return self.target.partition("?")[0]


class Wire:
    """The open connection, for a handler that writes raw bytes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.keep = False
        """Set by a handler that wrote a complete answer and leaves the connection open."""

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    def reset(self) -> None:
        """Ends the connection with RST where the system does so for unread or lingering data."""
        import socket
        import struct

        raw = self.writer.get_extra_info("socket")
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()


Handler = Callable[[Request, Wire], Awaitable[None]]
HeaderLines = Iterable[tuple[str, str]]


@dataclass
class Page:
    """A canned answer."""

    body: bytes
    status: int = 200
    headers: Sequence[tuple[str, str]] = ()
    delay_s: float = 0.0


def answer_bytes(page: Page, *, head_only: bool = False) -> bytes:
    """The whole answer on the wire; Content-Type and Content-Length are added where they are not given."""
    reason = HTTPStatus(page.status).phrase if page.status in HTTPStatus._value2member_map_ else "Unknown"
    lines = [f"HTTP/1.1 {page.status} {reason}"]
    given = {name.lower() for name, _ in page.headers}
    lines += [f"{name}: {value}" for name, value in page.headers]
    if "content-type" not in given:
        lines.append("Content-Type: text/html; charset=utf-8")
    if "content-length" not in given and "transfer-encoding" not in given:
        lines.append(f"Content-Length: {len(page.body)}")
    head = ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")
    return head if head_only else head + page.body


@dataclass
class Site:
    """A running site. Answers 404 where nothing is registered. All methods may be called from the test's thread."""

    host: str = "127.0.0.1"
    name: str = ""
    """The name in `base`, where it is not the address."""
    certificate: str = ""
    """Name of a file in tests/sites/certs: good, expired, wrong_host, self_signed; empty for plain http."""
    greeting: bytes = b""
    """Sent as soon as a connection is open, which is closed then."""
    tls: ssl.SSLContext | None = None
    requests: list[Request] = field(default_factory=list)
    connections_count: int = 0
    open_count: int = 0
    peak_open_count: int = 0
    port: int = 0
    _routes: dict[str, Page | Handler] = field(default_factory=dict)
    _arrival: threading.Condition = field(default_factory=threading.Condition)
    _fallback: Page | Handler = field(default_factory=lambda: Page(b"<!doctype html><title>Not found</title><h1>Not found</h1>", 404))

    @property
    def base(self) -> str:
        """``http://127.0.0.1:PORT``, without a slash at the end."""
        host = self.name or (f"[{self.host}]" if ":" in self.host else self.host)
        return f"{'https' if self.tls else 'http'}://{host}:{self.port}"

    def url(self, path: str = "/") -> str:
        return self.base + path

    def page(
        self,
        path: str,
        body: bytes | str = b"",
        *,
        status: int = 200,
        headers: HeaderLines = (),
        delay_s: float = 0.0,
        content_type: str = "",
    ) -> str:
        """Registers an answer for that path (query aside, or with it for that query only) and returns its URL."""
        data = body.encode() if isinstance(body, str) else body
        lines = (*headers, ("Content-Type", content_type)) if content_type else tuple(headers)
        self._routes[path] = Page(data, status, lines, delay_s)
        return self.url(path)

    def change(self, path: str, old: str, new: str) -> None:
        """Replaces a piece of a registered page."""
        page = self._routes[path]
        assert isinstance(page, Page)
        assert old.encode() in page.body, old
        self._routes[path] = Page(page.body.replace(old.encode(), new.encode()), page.status, page.headers, page.delay_s)

    def copy(self, path: str, to: str) -> None:
        """Registers the answer of a path for another one too."""
        self._routes[to] = self._routes[path]

    def redirect(self, path: str, location: str, status: int = 302) -> str:
        return self.page(path, b"", status=status, headers=[("Location", location)])

    def raw(self, path: str, *parts: bytes | float) -> str:
        """Registers bytes that are sent as they stand; a number waits that many seconds; then the connection is closed."""

        async def send(_request: Request, wire: Wire) -> None:
            for part in parts:
                if isinstance(part, bytes):
                    await wire.send(part)
                else:
                    await asyncio.sleep(part)

        return self.handler(path, send)

    def handler(self, path: str, handler: Handler) -> str:
        """Registers a coroutine that writes the answer itself."""
        self._routes[path] = handler
        return self.url(path)

    def wrap(self, wrapped: Callable[[str, Page], Handler]) -> None:
        """Replaces all registered answers by handlers that know them."""
        for path, page in list(self._routes.items()):
            if isinstance(page, Page):
                self._routes[path] = wrapped(path, page)

    def fallback(self, handler: Page | Handler) -> None:
        """What answers where nothing is registered."""
        self._fallback = handler

    def asked(self, path: str) -> list[Request]:
        """The requests for that path, in order."""
        return [request for request in self.requests if request.path == path]

    def wait_for_requests(self, count: int, timeout_s: float = 10.0) -> None:
        """Blocks until so many requests came in."""
        with self._arrival:
            assert self._arrival.wait_for(lambda: len(self.requests) >= count, timeout_s)

    # --- the thread ---------------------------------------------------------------------------------------------------

    def start(self) -> "Site":
        if self.certificate:
            self.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.tls.load_cert_chain(CERTIFICATES / f"{self.certificate}.pem", CERTIFICATES / f"{self.certificate}.key")
        ready = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(ready,), daemon=True, name="test site")
        self._thread.start()
        assert ready.wait(60)
        return self

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._stopping.set)
        self._thread.join(60)

    def _run(self, ready: threading.Event) -> None:
        asyncio.run(self._serve(ready))

    async def _serve(self, ready: threading.Event) -> None:
        self._loop = asyncio.get_running_loop()
        self._loop.set_exception_handler(lambda _loop, _context: None)  # a client that goes away is what these sites are for
        self._stopping = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._transports: set[Any] = set()
        server = await self._loop.create_server(self._protocol, self.host, self.port, ssl=self.tls, backlog=512)
        self.port = server.sockets[0].getsockname()[1]
        ready.set()
        await self._stopping.wait()
        await close_server(server)
        for _ in range(STOP_ROUNDS):
            others = asyncio.all_tasks() - {asyncio.current_task()}  # also connections that were accepted and have not begun
            if not others:
                break
            for task in self._tasks:
                task.cancel()
            await asyncio.wait(others, timeout=0.01)
        await end_connections(self._transports)

    def _protocol(self) -> asyncio.StreamReaderProtocol:
        made = CountedConnection(asyncio.StreamReader(), self._connected)
        made.transports = self._transports
        return made

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self.connections_count += 1
        self.open_count += 1
        self.peak_open_count = max(self.peak_open_count, self.open_count)
        number = self.connections_count
        try:
            if self.greeting:
                await Wire(reader, writer).send(self.greeting)
                return
            while await self._one_request(number, Wire(reader, writer)):
                pass
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, asyncio.CancelledError):
            pass
        finally:
            self.open_count -= 1
            self._tasks.discard(task)
            with contextlib.suppress(OSError, RuntimeError):
                writer.close()

    async def _one_request(self, number: int, wire: Wire) -> bool:
        begun = await wire.reader.readexactly(1)
        if begun == TLS_RECORD:
            await wire.send(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")
            return False
        head = (begun + await wire.reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head.rstrip("\r\n").split("\r\n")
        method, target, _ = first.split(" ", 2)
        headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        body = await wire.reader.readexactly(int(headers.get("content-length", 0)))
        request = Request(method, target, headers, body, headers.get("host", ""), number, time.monotonic())
        with self._arrival:
            self.requests.append(request)
            self._arrival.notify_all()
        route = self._routes.get(target) or self._routes.get(request.path) or self._fallback
        if isinstance(route, Page):
            if route.delay_s:
                await asyncio.sleep(route.delay_s)
            await wire.send(answer_bytes(route, head_only=method == "HEAD"))
            return headers.get("connection", "").lower() != "close"
        await route(request, wire)
        return wire.keep


# --- handlers worth having --------------------------------------------------------------------------------------------


def drip(data: bytes, *, head: bytes = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", pause_s: float = 0.1) -> Handler:
    """The head at once, then the body byte by byte."""

    async def send(_request: Request, wire: Wire) -> None:
        await wire.send(head)
        for value in data:
            await wire.send(bytes([value]))
            await asyncio.sleep(pause_s)

    return send


def endless(head: bytes, block: bytes) -> Handler:
    """The head, then the same block until the client goes away."""

    async def send(_request: Request, wire: Wire) -> None:
        await wire.send(head)
        while True:
            await wire.send(block)

    return send


def silent(seconds: float = 60.0) -> Handler:
    """Reads the request and says nothing."""

    async def wait(_request: Request, _wire: Wire) -> None:
        await asyncio.sleep(seconds)

    return wait


def resetting(_request: Request, wire: Wire) -> Awaitable[None]:
    """Resets the connection instead of answering."""

    async def reset() -> None:
        wire.reset()

    return reset()


def in_turn(*answers: Page | Handler) -> Handler:
    """The first answer to the first request, and so on; the last one is repeated."""
    left = list(answers)

    async def send(request: Request, wire: Wire) -> None:
        answer = left.pop(0) if len(left) > 1 else left[0]
        if isinstance(answer, Page):
            if answer.delay_s:
                await asyncio.sleep(answer.delay_s)
            await wire.send(answer_bytes(answer, head_only=request.method == "HEAD"))
            wire.keep = True
        else:
            await answer(request, wire)

    return send


def dynamic(make: Callable[[Request], Page]) -> Handler:
    """An answer computed from the request."""

    async def send(request: Request, wire: Wire) -> None:
        page = make(request)
        if page.delay_s:
            await asyncio.sleep(page.delay_s)
        await wire.send(answer_bytes(page, head_only=request.method == "HEAD"))
        wire.keep = True

    return send
