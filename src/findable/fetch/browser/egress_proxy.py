"""The browser's only way out to the network: a proxy on loopback, for one visit, that checks each target with the guard.

Each name is resolved once, and the connection goes to an address that was checked. Refused and unreachable targets look the same from
inside: the connection closes, or the tunnel fails.
"""

import asyncio
import contextlib
import socket
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import ClassVar

from msgspec import Struct, field
from msgspec.structs import replace

from findable.artifacts.page.private_hosts import is_loopback
from findable.fetch.browser.proxy_heads import END, MAX_HEAD_BYTES, ProxyRequest, read_request, remove_cookies, response_head
from findable.fetch.browser.visit_order import EgressLimits
from findable.fetch.egress_guard import Guard
from findable.fetch.resolver import DnsError, Resolver

CONNECT_TIMEOUT_S = 10.0
HEAD_TIMEOUT_S = 30.0
LINGER_S = 2.0
CHUNK_BYTES = 65536
MAX_KEPT_HOSTS = 200
NO_TUNNEL = b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
TUNNEL = b"HTTP/1.1 200 OK\r\n\r\n"
INFORMATIONAL = range(100, 200)


class EgressUse(Struct):
    """Traffic of one visit through the proxy, and the limit that it exceeded."""

    received_bytes: int = 0
    sent_bytes: int = 0
    connections_count: int = 0
    """Connections of the browser, including refused ones."""
    hosts: set[str] = field(default_factory=set)
    refused_targets: Counter[str] = field(default_factory=Counter)
    """Refused ``host:port``, and how often each was refused."""
    exceeded_limit: str = ""
    """Name of the limit that ended the traffic; empty if none did."""


class SealedCookies(Struct, frozen=True):
    """Cookies for one origin. Browsers also send them to other ports of the host: there they are removed, or the connection is refused."""

    host: str
    port: int
    names: tuple[str, ...]


class _Stopped(Exception):
    """Ends a connection that is refused, or that exceeds its limits."""


Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class EgressProxy:
    """Serves one listening socket until it is closed.

    Args:
        listener: a socket on the browser's loopback interface. Closed with the proxy.
        guard: decides which URLs and IP addresses may be reached.
        resolver: resolves names.
        sealed_cookies: cookies that are sent to no other origin.
    """

    _own_ports: ClassVar[set[int]] = set()
    """Ports of all proxies of this process: never reached through a proxy on loopback, even if the guard allows it."""

    def __init__(
        self,
        listener: socket.socket,
        guard: Guard,
        resolver: Resolver,
        limits: EgressLimits | None = None,
        sealed_cookies: SealedCookies | None = None,
    ) -> None:
        self._listener = listener
        self._guard = guard
        self._resolver = resolver
        self._limits = limits or EgressLimits()
        self._sealed = sealed_cookies
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.Task[None]] = set()
        self._is_closed = False
        self.use = EgressUse()
        self.port: int = listener.getsockname()[1]

    async def start(self) -> None:
        """Begin to accept connections of the browser."""
        self._own_ports.add(self.port)
        self._server = await asyncio.start_server(self._accept, sock=self._listener, limit=MAX_HEAD_BYTES)

    async def close(self) -> None:
        """Close every connection, and those that the server has just accepted."""
        self._is_closed = True
        if self._server is not None:
            # asyncio leaves a connection open that it has accepted and whose transport it creates after the server has closed
            asyncio.get_running_loop().remove_reader(self._listener)
            await asyncio.sleep(0)
            self._server.close()
        self._own_ports.discard(self.port)
        for task in tuple(self._open):
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)
        self._listener.close()

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        use, limits = self.use, self._limits
        use.connections_count += 1
        if self._is_closed or use.exceeded_limit or len(self._open) >= limits.open_connections_count:
            writer.transport.abort()
            return
        if use.connections_count > limits.connections_count:
            self._exceed("connections")
            writer.transport.abort()
            return
        task = asyncio.create_task(self._serve((reader, writer)))
        self._open.add(task)

        def end(task: asyncio.Task[None]) -> None:  # not in the task, which may be cancelled before it begins
            self._open.discard(task)
            writer.transport.abort()

        task.add_done_callback(end)

    def _exceed(self, limit: str) -> None:
        """End all traffic of the visit because it exceeded that limit."""
        self.use.exceeded_limit = self.use.exceeded_limit or limit
        for task in self._open:
            task.cancel()

    async def _serve(self, browser: Stream) -> None:
        # A cancelled task is no error: the visit has ended.
        with contextlib.suppress(_Stopped, OSError, EOFError, asyncio.LimitOverrunError, asyncio.CancelledError):
            await self._handle(browser)

    async def _handle(self, browser: Stream) -> None:
        request = read_request(await browser[0].readuntil(END))
        if request is None:
            raise _Stopped
        try:
            request = self._remove_cookies(request)
            site = await self._connect(request.host, request.port)
        except (_Stopped, OSError):
            if request.is_tunnel:
                browser[1].write(NO_TUNNEL)
                await _finish_sending(browser[1])
            raise
        try:
            await (self._tunnel(browser, site) if request.is_tunnel else self._forward(request, browser, site))
        finally:
            site[1].transport.abort()

    def _remove_cookies(self, request: ProxyRequest) -> ProxyRequest:
        """Return the request without the cookies of another origin. Raises _Stopped for a tunnel, whose contents are encrypted."""
        sealed_cookies = self._sealed
        if sealed_cookies is None or request.host != sealed_cookies.host or request.port == sealed_cookies.port:
            return request
        if request.is_tunnel:
            raise _Stopped
        return replace(request, head=remove_cookies(request.head, sealed_cookies.names))

    # --- the guard ----------------------------------------------------------------------------------------------------------

    async def _connect(self, host: str, port: int) -> Stream:
        """Connect to an address that the guard allows. Raises _Stopped and OSError."""
        addresses = await self._checked_addresses(host, port)
        failure: OSError = OSError()
        for address in addresses[:4]:
            try:
                async with asyncio.timeout(CONNECT_TIMEOUT_S):
                    reader, writer = await asyncio.open_connection(address, port, limit=MAX_HEAD_BYTES)
            except (OSError, TimeoutError) as error:
                failure = OSError(str(error))
                continue
            peer = writer.get_extra_info("peername")
            if peer is None or self._guard.check_address(host, port, peer[0]) is not None:  # check the address that the kernel connected to
                writer.transport.abort()
                raise self._refusal(host, port)
            return reader, writer
        raise failure

    async def _checked_addresses(self, host: str, port: int) -> tuple[str, ...]:
        """Resolve the name once and return its IP addresses. Raises _Stopped if the guard refuses one."""
        shown = f"[{host}]" if ":" in host else host
        if self._guard.check_url(f"http://{shown}:{port}/") is not None:
            raise self._refusal(host, port)
        if host not in self.use.hosts:
            if len(self.use.hosts) >= self._limits.hosts_count:
                self._exceed("hosts")
                raise _Stopped
            self.use.hosts.add(host)
        try:
            addresses = await self._resolver.resolve(host)
        except DnsError:
            raise _Stopped from None
        is_own = port in self._own_ports and any(is_loopback(address) for address in addresses)
        if is_own or not addresses or self._guard.check_addresses(host, port, addresses) is not None:
            raise self._refusal(host, port)
        return addresses

    def _refusal(self, host: str, port: int) -> _Stopped:
        place = f"{host}:{port}"
        if place in self.use.refused_targets or len(self.use.refused_targets) < MAX_KEPT_HOSTS:
            self.use.refused_targets[place] += 1
        return _Stopped()

    # --- bytes --------------------------------------------------------------------------------------------------------------

    async def _tunnel(self, browser: Stream, site: Stream) -> None:
        browser[1].write(TUNNEL)
        await _until_either(
            self._copy(browser[0], site[1], self._count_sent), self._copy(site[0], browser[1], self._count_received), linger_s=LINGER_S
        )

    async def _forward(self, request: ProxyRequest, browser: Stream, site: Stream) -> None:
        site[1].write(request.head)
        self._count_sent(len(request.head))
        await _until_either(self._send_body(request, browser, site), self._receive(browser, site), linger_s=LINGER_S)

    async def _send_body(self, request: ProxyRequest, browser: Stream, site: Stream) -> None:
        """Forward the body, and end when the browser closes the connection: anything else it sends belongs to no request."""
        left_bytes = request.body_bytes
        while left_bytes:
            chunk = await browser[0].read(min(CHUNK_BYTES, left_bytes))
            if not chunk:
                raise _Stopped
            left_bytes -= len(chunk)
            self._count_sent(len(chunk))
            site[1].write(chunk)
            await site[1].drain()
        await browser[0].read(1)
        raise _Stopped

    async def _receive(self, browser: Stream, site: Stream) -> None:
        async with asyncio.timeout(HEAD_TIMEOUT_S):
            while True:
                head = await site[0].readuntil(END)
                self._count_received(len(head))
                passed = response_head(head)
                if passed is None or passed[0] == 101:  # noqa: PLR2004 - "101 Switching Protocols" was not requested
                    raise _Stopped
                if passed[0] not in INFORMATIONAL:
                    break
        browser[1].write(passed[1])
        await self._copy(site[0], browser[1], self._count_received)

    async def _copy(self, source: asyncio.StreamReader, target: asyncio.StreamWriter, count: Callable[[int], None]) -> None:
        while chunk := await source.read(CHUNK_BYTES):
            count(len(chunk))
            target.write(chunk)
            await target.drain()
        await _finish_sending(target)

    def _count_sent(self, size_bytes: int) -> None:
        self.use.sent_bytes += size_bytes
        if self.use.sent_bytes > self._limits.sent_bytes:
            self._exceed("sent bytes")
            raise _Stopped

    def _count_received(self, size_bytes: int) -> None:
        self.use.received_bytes += size_bytes
        if self.use.received_bytes > self._limits.received_bytes:
            self._exceed("received bytes")
            raise _Stopped


async def _finish_sending(writer: asyncio.StreamWriter) -> None:
    """Close the sending side of a connection after its buffer is empty."""
    with contextlib.suppress(OSError, RuntimeError):
        if writer.can_write_eof():
            writer.write_eof()
        writer.transport.set_write_buffer_limits(0)
        await writer.drain()


async def _until_either(*works: Awaitable[None], linger_s: float) -> None:
    """Run all awaitables until one of them ends, then give the others ``linger_s`` to end too; raise the exception of the first.

    Closing a connection while the other side is still sending can discard data that was sent before.
    """
    tasks = [asyncio.ensure_future(work) for work in works]
    try:
        done, late = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        if late and not any(task.exception() for task in done):
            await asyncio.wait(late, timeout=linger_s)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in done:
        task.result()
