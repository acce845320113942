"""Middleware that compresses text responses: pages, JSON, CSV, stylesheets and scripts. Images and PDFs are already compressed.

BREACH: an attacker who can see the length of compressed responses, and inject text into them, can guess a secret in the same response. The
text is injected by requests that another site makes the reader's browser send, and only readers with a cookie have a secret. Browsers send
the origin of a request, so the response to a cross-site request with a cookie is not compressed. Cookies are in headers, which HTTP/1.1
never compresses; forms have no tokens (`auth.refuse_cross_site`); browsers never send an API key by themselves.
"""

import asyncio
import re
import zlib
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Literal

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.gzip import DEFAULT_EXCLUDED_CONTENT_TYPES, GZipResponder, IdentityResponder
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
NO_TEXTS = (
    *DEFAULT_EXCLUDED_CONTENT_TYPES,
    "application/pdf",
    "application/vnd.apache.parquet",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
)
"""Media types that are not compressed: they are already, or they are events, which must not be buffered."""
_REFUSED = re.compile(r";q=0(\.0*)?$")
"""Weight of a coding that the client does not accept; between accepted codings the service chooses."""
CROSS_SITE = frozenset({"cross-site", "same-site"})


def coding_for(headers: Mapping[str, str]) -> str:
    """Return the content coding for the response to a request with these headers (RFC 9110 section 12.5.3); empty for none."""
    if "cookie" in headers and headers.get("sec-fetch-site", "").lower() in CROSS_SITE:
        return ""
    parts = headers.get("accept-encoding", "").lower().replace(" ", "").split(",")
    accepted = {part.partition(";")[0] for part in parts if not _REFUSED.search(part)}
    return next((coding for coding in CODINGS if coding in accepted), "")


def compressed(coding: str, data: bytes) -> bytes:
    """Return data at maximum compression with a content coding."""
    return zstd.compress(data, level=19) if coding == ZSTD else zlib.compress(data, level=9, wbits=31)


class Compression:
    """ASGI middleware that compresses responses."""

    def __init__(self, application: ASGIApp) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request to the application and compress its response; other protocols are passed unchanged."""
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        coding = coding_for(Headers(scope=scope))

        async def send_marked(message: Any) -> None:
            if message["type"] == "http.response.start":
                _mark(message, coding)
            await send(message)

        await self._responder(coding)(scope, receive, send_marked)

    def _responder(self, coding: str) -> ASGIApp:
        if coding == GZIP:
            return GZipResponder(self._application, MIN_BYTES, GZIP_LEVEL, thread_minimum_size=THREAD_BYTES, exclude_content_types=NO_TEXTS)
        if coding == ZSTD:
            return _ZstdResponder(self._application, MIN_BYTES, exclude_content_types=NO_TEXTS)
        return self._application


class _ZstdResponder(IdentityResponder):
    """Response that is compressed with zstd, as `GZipResponder` does with gzip."""

    content_encoding = ZSTD

    def __init__(self, application: ASGIApp, minimum_size: int, *, exclude_content_types: tuple[str, ...]) -> None:
        super().__init__(application, minimum_size, exclude_content_types=exclude_content_types)
        self._compressor = zstd.ZstdCompressor(level=ZSTD_LEVEL)

    async def send_with_compression(self, message: Any) -> None:
        """Send the next ASGI message. Empty parts before the end are left out: they would be taken for a body without compression."""
        if message.get("body") or not message.get("more_body"):
            await super().send_with_compression(message)

    async def apply_compression(self, body: bytes, *, more_body: bool) -> bytes:
        """Return the next part of the body, compressed; a large one is compressed in a thread."""
        mode: Literal[1, 2] = zstd.ZstdCompressor.FLUSH_BLOCK if more_body else zstd.ZstdCompressor.FLUSH_FRAME
        if len(body) > THREAD_BYTES:
            return await asyncio.to_thread(self._compressor.compress, body, mode)
        return self._compressor.compress(body, mode)


def _mark(head: Any, coding: str) -> None:
    """Add Accept-Encoding to Vary, and make the ETag weak if the response is compressed: its bytes differ (RFC 9110 section 8.8.1)."""
    headers = MutableHeaders(raw=head["headers"])
    media_type = headers.get("content-type", "").partition(";")[0]
    if media_type in NO_TEXTS or "content-range" in headers:
        return
    if "accept-encoding" not in headers.get("vary", "").lower():
        headers.add_vary_header("Accept-Encoding")
    is_unchanged = head["status"] == HTTPStatus.NOT_MODIFIED
    if coding and "etag" in headers and (is_unchanged or headers.get("content-encoding") == coding):
        headers["etag"] = f"W/{headers['etag'].removeprefix('W/')}"
