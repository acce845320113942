"""Make one exchange with one server through libcurl on the running event loop: no redirects, no retries, all limits enforced.

libcurl gets the checked addresses of the name (RESOLVE) and calls the guard again for each socket it opens (OPENSOCKETFUNCTION), so neither
a second lookup nor an IP literal in the URL bypasses the guard.
"""

import asyncio
import os
import socket
from collections.abc import Callable
from typing import Any

import pycurl
from msgspec import Struct, field

from findable.capture.page_size_limits import DECODED_CAP_BYTES, WIRE_CAP_BYTES
from findable.capture.response import Failure, Headers, Hop, Response, Timing, Tls
from findable.clock import monotonic_s
from findable.errors import Cause
from findable.fetch import certificates, tls_versions
from findable.fetch.decode import Decoder
from findable.fetch.egress_guard import Guard
from findable.fetch.redirect_cookies import SetCookies
from findable.fetch.redirects import REDIRECT_STATUSES
from findable.fetch.response_head import HeadReader
from findable.fetch.trust import Trust
from findable.lazy_pattern import lazy_pattern
from findable.urls import Url, without_fragment
from findable.values import shape_of

CONNECT_TIMEOUT_S = 8.0
REDIRECT_BODY_CAP_BYTES = 64 * 1024
POOL_CONNECTIONS = 64
_STOP = -1
_VERSIONS = {1: "1.0", 2: "1.1", 3: "2", 30: "3"}
_SWITCHING_PROTOCOLS = 101
_BAD_CHUNK = "chunk "
"""Start of libcurl's message for an invalid response, which shares its error code with a broken connection."""
_TOO_LARGE = 100
"""CURLE_TOO_LARGE, for which pycurl has no name, and libcurl no message during parallel transfers."""
_NOISE = lazy_pattern(r"^(?:SSL certificate (?:problem|OpenSSL verify result): |SSL: )| \(\d+\)$")
"""Text that libcurl adds around OpenSSL's messages."""

_TLS_CODES = frozenset(
    {
        pycurl.E_SSL_CONNECT_ERROR,
        pycurl.E_PEER_FAILED_VERIFICATION,
        pycurl.E_SSL_CIPHER,
        pycurl.E_SSL_CERTPROBLEM,
        pycurl.E_SSL_CACERT_BADFILE,
        pycurl.E_SSL_SHUTDOWN_FAILED,
        pycurl.E_SSL_ISSUER_ERROR,
        pycurl.E_SSL_INVALIDCERTSTATUS,
    }
)
_CONNECT_CODES = frozenset({pycurl.E_COULDNT_CONNECT, pycurl.E_GOT_NOTHING, pycurl.E_SEND_ERROR, pycurl.E_RECV_ERROR})


class Order(Struct, frozen=True):
    """Request and limits of one exchange. ``deadline_s`` is a time of `monotonic_s`."""

    deadline_s: float
    method: str = "GET"
    lines: tuple[tuple[str, str], ...] = ()
    payload: bytes = b""
    """Body of a POST request."""
    wire_cap_bytes: int = WIRE_CAP_BYTES
    decoded_cap_bytes: int = DECODED_CAP_BYTES
    stored_bytes: int | None = None
    """Decoded bytes to store, by default all; the rest up to the cap is only counted."""
    new_connection: bool = False
    """Whether to use a new connection with its own TLS handshake, which the timings and certificate chain of a page need."""
    verify: bool = True
    tls_version: str = ""
    """Only TLS version to offer, like ``TLSv1.2``; the exchange then ends after the handshake, without a request."""
    should_read_body: Callable[[int, Headers], bool] | None = None
    """Called once with status and headers when the body starts; False skips the body."""
    sink: Callable[[bytes], bool] | None = None
    """Receives the decoded bytes instead of the body; False ends the transfer."""


class ExchangeFailure(Struct, frozen=True):
    """Reason why an exchange has no complete response."""

    failure: Failure
    phase: str
    """Phase of the error: dns, connect, tls, wait (for the first byte), header or body."""
    cause: Cause
    host: str = ""
    text: str = ""
    """Message of OpenSSL or libcurl, or the header limit that was exceeded."""
    bad_certificate: bool = False


class Exchange(Struct):
    """Response of a server to one request, or the error and the part that arrived before it."""

    status: int = 0
    headers: Headers = field(default_factory=Headers)
    http_version: str = ""
    timing: Timing = field(default_factory=Timing)
    address: str = ""
    body: bytes = b""
    decoded_bytes: int = 0
    """Number of decoded bytes of the body, stored or not."""
    wire_bytes: int = 0
    codings: str = ""
    truncated: bool = False
    is_body_stopped: bool = False
    """Whether the body was skipped or stopped early."""
    decode_error: str = ""
    tls: Tls | None = None
    error: ExchangeFailure | None = None
    set_cookies: SetCookies = SetCookies()
    """Cookies that a redirect sets; empty for other responses."""


def hop_of(url: str, exchange: Exchange, location: str) -> Hop:
    """Return the exchange as a hop of a redirect chain."""
    return Hop(url, exchange.status, exchange.headers, exchange.http_version, exchange.timing, exchange.address, location)


def response_of(url: str, hops: tuple[Hop, ...], exchange: Exchange) -> Response:
    """Return the response to the request of a page: its hops, and the body of the last exchange."""
    decoded_bytes = exchange.decoded_bytes if exchange.decoded_bytes > len(exchange.body) else 0
    return shape_of(Response, exchange, requested_url=url, hops=hops, decoded_bytes=decoded_bytes, content_encoding=exchange.codings)


class Wire:
    """Connections of one process, bound to the event loop of their first use."""

    def __init__(self, guard: Guard, trust: Trust) -> None:
        self._guard = guard
        self._trust = trust
        self._multi = pycurl.AsyncCurlMulti()
        self._multi.setopt(pycurl.M_MAXCONNECTS, POOL_CONNECTIONS)

    async def close(self) -> None:
        """Close all connections."""
        await self._multi.aclose()

    async def exchange(self, url: Url, addresses: tuple[str, ...], order: Order, *, dns_ms: float = 0.0) -> Exchange:
        """Send one request to the given IP addresses, which the guard has allowed, and read the response. Network errors never raise."""
        left_s = order.deadline_s - monotonic_s()
        if left_s <= 0:
            return Exchange(error=ExchangeFailure(Failure.TIMEOUT, "connect", Cause.CONNECT_TIMEOUT))
        transfer = _Transfer(url, order, self._guard)
        transfer.set_options(self._trust, addresses, left_s)
        try:
            # Handles are not pooled: creating one takes microseconds, and options cannot leak into the next request.
            async with asyncio.timeout(left_s + 1.0):
                await self._multi.perform(transfer.curl)
            error = None
        except pycurl.error as caught:
            error = caught
        except TimeoutError:
            error = pycurl.error(pycurl.E_OPERATION_TIMEDOUT, "the transfer did not end at its deadline")
        return transfer.result(error, dns_ms)


class _Transfer:
    """Callbacks and state of one exchange."""

    def __init__(self, url: Url, order: Order, guard: Guard) -> None:
        self.order = order
        self.guard = guard
        self.url = url
        self.head = HeadReader()
        self.decoder: Decoder | None = None
        self.wire_bytes = 0
        self.wire_cap_bytes = order.wire_cap_bytes
        self.refused = False
        self.stopped = False
        self.truncated = False
        self.log: list[str] = []
        self.curl = pycurl.Curl()

    def set_options(self, trust: Trust, addresses: tuple[str, ...], left_s: float) -> None:
        """Set all options of libcurl explicitly; its environment is not used."""
        order, url, curl = self.order, self.url, self.curl
        host = f"[{url.host}]" if ":" in url.host else url.host
        pins = ",".join(f"[{address}]" if ":" in address else address for address in addresses)
        href = without_fragment(url.href)
        options: list[tuple[int, Any]] = [
            (pycurl.URL, href.encode("ascii")),
            # libcurl changes percent escapes of the path to upper case, and a server may tell them apart.
            (pycurl.REQUEST_TARGET, href[href.index("/", len("https://")) :].encode("ascii")),
            (pycurl.PROTOCOLS, pycurl.PROTO_HTTP | pycurl.PROTO_HTTPS),
            (pycurl.HTTP_VERSION, pycurl.CURL_HTTP_VERSION_2TLS),
            (pycurl.FOLLOWLOCATION, 0),
            (pycurl.NOSIGNAL, 1),
            (pycurl.PROXY, ""),
            (pycurl.NOPROXY, "*"),
            (pycurl.NETRC, pycurl.NETRC_IGNORED),
            (pycurl.TIMEOUT_MS, max(1, int(left_s * 1000))),
            (pycurl.CONNECTTIMEOUT_MS, max(1, int(min(CONNECT_TIMEOUT_S, left_s) * 1000))),
            (pycurl.RESOLVE, [f"+{host}:{url.port}:{pins}"]),
            (pycurl.HTTPHEADER, [f"{name}: {value}".encode() if value else f"{name};".encode() for name, value in order.lines]),
            (pycurl.OPENSOCKETFUNCTION, self._open_socket),
            (pycurl.HEADERFUNCTION, self._header),
            (pycurl.WRITEFUNCTION, self._body),
            (pycurl.CAINFO, str(trust.path)),
            (pycurl.SSL_VERIFYPEER, 1 if order.verify else 0),
            (pycurl.SSL_VERIFYHOST, 2 if order.verify else 0),
        ]
        if order.method == "POST":
            options += [(pycurl.POST, 1), (pycurl.POSTFIELDS, order.payload)]
        elif order.method == "HEAD":
            options.append((pycurl.NOBODY, 1))
        elif order.method != "GET":
            options.append((pycurl.CUSTOMREQUEST, order.method))
        if order.new_connection:
            options += [(pycurl.FRESH_CONNECT, 1), (pycurl.FORBID_REUSE, 1), (pycurl.SSL_SESSIONID_CACHE, 0)]
            if url.scheme == "https":
                options += [(pycurl.OPT_CERTINFO, 1), (pycurl.VERBOSE, 1), (pycurl.DEBUGFUNCTION, self._debug)]
        if order.tls_version:
            options += tls_versions.handshake_options(order.tls_version)
        for option, value in options:
            curl.setopt(option, value)

    # --- called by libcurl ------------------------------------------------------------------------------------------------

    def _open_socket(self, _purpose: int, address: Any) -> Any:
        ip = address.addr[0]
        if self.guard.check_address(self.url.host, self.url.port, ip) is not None:
            self.refused = True
            return pycurl.SOCKET_BAD
        return _Socket(socket.socket(address.family, address.socktype, address.protocol).detach())

    def _debug(self, kind: int, data: bytes) -> None:
        if kind == pycurl.INFOTYPE_TEXT:
            self.log.append(data.decode("utf-8", "replace").rstrip())

    def _header(self, line: bytes) -> int | None:
        return None if self.head.read_line(line) else _STOP

    def _body(self, data: bytes) -> int | None:
        if self.decoder is None:
            self.decoder = self._start_body()
            if self.order.should_read_body and not self.order.should_read_body(self.head.status, self.head.headers):
                self.stopped = True
        if self.stopped:
            return _STOP
        room = self.wire_cap_bytes - self.wire_bytes
        if len(data) > room:
            self.truncated = True
            data = data[:room]
        self.wire_bytes += len(data)
        self.decoder.feed(data)
        if not self._pass_to_sink(self.decoder) or self.truncated or self.decoder.truncated:
            self.stopped = True
            return _STOP
        # A body that cannot be decoded is still read to its end, to measure its size.
        return None

    def _pass_to_sink(self, decoder: Decoder) -> bool:
        """Pass decoded bytes to the sink, if there is one, except those of a redirect; return False to end the transfer."""
        return self.order.sink is None or self.head.status in REDIRECT_STATUSES or self.order.sink(decoder.take())

    def _start_body(self) -> Decoder:
        is_redirect = self.head.status in REDIRECT_STATUSES
        self.wire_cap_bytes = min(self.order.wire_cap_bytes, REDIRECT_BODY_CAP_BYTES) if is_redirect else self.order.wire_cap_bytes
        order = self.order
        return Decoder(", ".join(self.head.headers.all("content-encoding")), order.decoded_cap_bytes, order.stored_bytes)

    # --- result -----------------------------------------------------------------------------------------------------------

    def result(self, error: pycurl.error | None, dns_ms: float) -> Exchange:
        """Read the result from the handle and release the handle."""
        made = Exchange(
            status=self.head.status if self.head.complete else 0,
            headers=self.head.headers,
            http_version=_VERSIONS.get(self.curl.getinfo(pycurl.INFO_HTTP_VERSION), ""),
            timing=self._timing(dns_ms),
            address=self.curl.getinfo(pycurl.PRIMARY_IP) or "",
            wire_bytes=self.wire_bytes,
            is_body_stopped=self.stopped,
            truncated=self.truncated,
        )
        if self.head.status in REDIRECT_STATUSES:
            made.set_cookies = SetCookies(self.head.set_cookies)
        made.error = self._failure_of(error) if error is not None else self._incomplete_head()
        if self.decoder is not None:
            if not self.stopped and made.error is None:
                self.decoder.finish()
            made.body, made.codings, made.decode_error = self.decoder.body, self.decoder.codings, self.decoder.error
            made.decoded_bytes = self.decoder.decoded_bytes
            made.truncated = made.truncated or self.decoder.truncated
        if self.order.new_connection and self.url.scheme == "https" and (made.status or (made.error and made.error.bad_certificate)):
            version = tls_versions.tls_version(self.log)
            made.tls = Tls(version, self.order.verify, "", certificates.chain(self.curl.getinfo_raw(pycurl.INFO_CERTINFO), self.log))
        self.curl.close()
        return made

    def _timing(self, dns_ms: float) -> Timing:
        names = (pycurl.NAMELOOKUP_TIME, pycurl.CONNECT_TIME, pycurl.APPCONNECT_TIME, pycurl.STARTTRANSFER_TIME, pycurl.TOTAL_TIME)
        looked_up, connected, secured, first, last = (self.curl.getinfo(name) * 1000 for name in names)
        return Timing(
            dns_ms=round(dns_ms, 3),
            connect_ms=round(max(0.0, connected - looked_up), 3),
            tls_ms=round(max(0.0, secured - connected), 3),
            first_byte_ms=round(dns_ms + first, 3),
            last_byte_ms=round(dns_ms + last, 3),
        )

    def _incomplete_head(self) -> ExchangeFailure | None:
        """Return the error if the final status or the end of the head is missing, which libcurl does not report."""
        if self.head.complete or self.order.tls_version:
            return None
        if self.head.status == _SWITCHING_PROTOCOLS:
            return ExchangeFailure(Failure.PROTOCOL, "header", Cause.OTHER_PROTOCOL)
        return ExchangeFailure(Failure.CONNECT, "header", _CLOSED_CAUSES["header"])

    def _failure_of(self, error: pycurl.error) -> ExchangeFailure | None:
        code, text = error.args[0], certificates.plain(str(error.args[1])) if len(error.args) > 1 else ""
        if self.stopped:
            return None
        if self.refused:
            return ExchangeFailure(Failure.REFUSED, "connect", Cause.TARGET_REFUSED)
        if self.head.too_large is not None:
            return ExchangeFailure(Failure.PROTOCOL, "header", self.head.too_large, text=self.head.limit)
        phase = self._phase()
        if code == _TOO_LARGE and not text:
            return ExchangeFailure(Failure.PROTOCOL, phase, Cause.HEADER_LINE_TOO_LONG)
        if code == pycurl.E_OPERATION_TIMEDOUT:
            return ExchangeFailure(Failure.TIMEOUT, phase, _TIMEOUT_CAUSES[phase])
        if code in _TLS_CODES:
            is_bad = code == pycurl.E_PEER_FAILED_VERIFICATION
            return ExchangeFailure(Failure.TLS, "tls", Cause.TLS, text=_NOISE.sub("", text), bad_certificate=is_bad)
        if code in _CONNECT_CODES and not text.startswith(_BAD_CHUNK):
            return ExchangeFailure(
                Failure.CONNECT, phase, _CLOSED_CAUSES[phase] if code != pycurl.E_COULDNT_CONNECT else Cause.CONNECTION_REFUSED
            )
        return ExchangeFailure(Failure.PROTOCOL, phase, Cause.UNREADABLE, text=text or f"libcurl {code}")

    def _phase(self) -> str:
        getinfo = self.curl.getinfo
        if not getinfo(pycurl.CONNECT_TIME) and not self.head.status:
            return "connect"
        if self.url.scheme == "https" and not getinfo(pycurl.APPCONNECT_TIME) and not self.head.status:
            return "tls"
        if not self.head.status:
            return "wait"
        return "body" if self.head.complete else "header"


class _Socket:
    """Socket that libcurl duplicates. It is closed when this object is released."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def fileno(self) -> int:
        return self._descriptor

    def __del__(self) -> None:
        os.close(self._descriptor)


_TIMEOUT_CAUSES = {
    "connect": Cause.CONNECT_TIMEOUT,
    "tls": Cause.HANDSHAKE_TIMEOUT,
    "wait": Cause.FIRST_BYTE_TIMEOUT,
    "header": Cause.HEADER_TIMEOUT,
    "body": Cause.BODY_TIMEOUT,
}
_CLOSED_CAUSES = {
    "connect": Cause.CONNECTION_REFUSED,
    "tls": Cause.CLOSED_IN_HANDSHAKE,
    "wait": Cause.CLOSED_BEFORE_RESPONSE,
    "header": Cause.CLOSED_IN_HEADER,
    "body": Cause.CLOSED_IN_BODY,
}
