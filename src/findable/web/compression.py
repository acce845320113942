"""Middleware that compresses text responses: pages, JSON, CSV, stylesheets and scripts. Images and PDFs are already compressed.

BREACH: an attacker who can see the length of compressed responses, and inject text into them, can guess a secret in the same response. The
text is injected by requests that another site makes the reader's browser send, and only readers with a cookie have a secret. Browsers send
the origin of a request, so the response to a cross-site request with a cookie is not compressed. Cookies are in headers, which HTTP/1.1
never compresses; forms have no tokens (`auth.refuse_cross_site`); browsers never send an API key by themselves.
"""

import asyncio
import zlib
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Protocol

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from findable.formats.zstd import zstd

MIN_BYTES = 1024
"""Size up to which a response fits into one packet uncompressed."""
THREAD_BYTES = 64 * 1024
"""Size from which compression takes milliseconds and runs in a thread."""
ZSTD, GZIP = "zstd", "gzip"
CODINGS = (ZSTD, GZIP)
"""Supported codings, fastest first: zstd takes a quarter of the time for the same length."""
GZIP_LEVEL, ZSTD_LEVEL = 4, 3
"""Levels for responses: higher levels take up to twice the time and save 5 %."""
TEXTS = frozenset(
    {
        "application/json",
        "application/problem+json",
        "image/svg+xml",
        "text/css",
        "text/csv",
        "text/html",
        "text/javascript",
        "text/markdown",
        "text/plain",
    }
)
"""Media types to compress. Event streams are excluded, because they must not be buffered."""
CROSS_SITE = frozenset({"cross-site", "same-site"})

Line = tuple[bytes, bytes]


class Compressor(Protocol):
    """Interface of zlib and zstd to compress a body piece by piece."""

    def compress(self, data: bytes, /) -> bytes:
        """Return the compressed bytes that can be sent so far."""

    def flush(self) -> bytes:
        """Return the remaining compressed bytes at the end of the body."""


def coding_for(headers: Mapping[str, str]) -> str:
    """Return the content coding for the response to a request with these headers (RFC 9110 section 12.5.3); empty for none."""
    if "cookie" in headers and headers.get("sec-fetch-site", "").lower() in CROSS_SITE:
        return ""
    weights: dict[str, float] = {}
    for part in headers.get("accept-encoding", "").lower().split(","):
        name, _, parameter = part.partition(";")
        weights[name.strip()] = _weight(parameter)
    best = max(CODINGS, key=lambda coding: weights.get(coding, 0))
    return best if weights.get(best, 0) > 0 else ""


def _weight(parameter: str) -> float:
    name, _, value = parameter.partition("=")
    try:
        return float(value) if name.strip() == "q" else 1.0
    except ValueError:
        return 0.0


def compressor(coding: str, *, zstd_level: int = ZSTD_LEVEL, gzip_level: int = GZIP_LEVEL, size: int = -1) -> Compressor:
    """Return a compressor for a content coding. ``size``: number of bytes of the body, -1 if unknown."""
    if coding == ZSTD:
        stream = zstd.ZstdCompressor(level=zstd_level)
        if size >= 0:
            stream.set_pledged_input_size(size)
        return stream
    return zlib.compressobj(gzip_level, wbits=31)


def compressed(coding: str, data: bytes, *, zstd_level: int = ZSTD_LEVEL, gzip_level: int = GZIP_LEVEL) -> bytes:
    """Return data compressed in one step with a content coding."""
    stream = compressor(coding, zstd_level=zstd_level, gzip_level=gzip_level, size=len(data))
    return stream.compress(data) + stream.flush()


class Compression:
    """ASGI middleware that compresses responses."""

    def __init__(self, application: ASGIApp) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request to the application and compress its response; other protocols are passed unchanged."""
        if scope["type"] == "http":
            send = _CompressedResponse(coding_for(Headers(scope=scope)), send).take
        await self._application(scope, receive, send)


class _CompressedResponse:
    """Response that is sent compressed. Its headers wait for the first part of the body, whose size decides about compression."""

    def __init__(self, coding: str, send: Send) -> None:
        self._coding = coding
        self._send = send
        self._head: Any = None
        self._compressor: Compressor | None = None

    async def take(self, message: Any) -> None:
        """Send the next ASGI message of the application, compressed if that is worthwhile."""
        if message["type"] == "http.response.start":
            await self._start(message)
        elif self._compressor is not None:
            await self._continue(self._compressor, message)
        elif self._head is not None:
            await self._send_first(message)
        else:
            await self._send(message)

    async def _start(self, head: Any) -> None:
        found = Headers(raw=head["headers"])
        is_text = found.get("content-type", "").partition(";")[0].strip() in TEXTS
        if head["status"] == HTTPStatus.NOT_MODIFIED:
            await self._send({**head, "headers": _with_vary(self._with_weak_etag(head["headers"]))})
        elif not is_text or "content-range" in found:
            await self._send(head)
        elif not self._coding or "content-encoding" in found:
            await self._send({**head, "headers": _with_vary(head["headers"])})
        else:
            self._head = head

    async def _send_first(self, message: Any) -> None:
        body, more = message.get("body", b""), message.get("more_body", False)
        head, self._head = self._head, None
        lines = _with_vary(head["headers"])
        if not more and len(body) < MIN_BYTES:
            await self._send({**head, "headers": lines})
            await self._send(message)
            return
        lines = [line for line in self._with_weak_etag(lines) if line[0] != b"content-length"]
        lines.append((b"content-encoding", self._coding.encode()))
        if more:
            self._compressor = compressor(self._coding)
            await self._send({**head, "headers": lines})
            await self._continue(self._compressor, message)
            return
        stream = await asyncio.to_thread(compressed, self._coding, body) if len(body) > THREAD_BYTES else compressed(self._coding, body)
        await self._send({**head, "headers": [*lines, (b"content-length", str(len(stream)).encode())]})
        await self._send({**message, "body": stream})

    async def _continue(self, stream: Compressor, message: Any) -> None:
        more = message.get("more_body", False)
        body = stream.compress(message.get("body", b""))
        if not more:
            body += stream.flush()
        if body or not more:
            await self._send({**message, "body": body})

    def _with_weak_etag(self, lines: list[Line]) -> list[Line]:
        """Return the headers with a weak ETag if the response is compressed, because its bytes differ (RFC 9110 section 8.8.1)."""
        if not self._coding:
            return lines
        return [(name, b"W/" + value if name == b"etag" and not value.startswith(b"W/") else value) for name, value in lines]


def _with_vary(lines: list[Line]) -> list[Line]:
    """Return the headers with Accept-Encoding in the Vary header."""
    rest = [line for line in lines if line[0] != b"vary"]
    names = [value for name, value in lines if name == b"vary"]
    return [*rest, (b"vary", b", ".join([*names, b"Accept-Encoding"]))]
