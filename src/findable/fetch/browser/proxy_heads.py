"""Parse and rewrite the heads of HTTP messages that pass the egress proxy.

Each connection carries one request, so that no message can be mistaken for part of another.
"""

import re
from collections.abc import Collection

from msgspec import Struct

from findable import urls
from findable.lazy_pattern import lazy_pattern

MAX_HEAD_BYTES = 256 * 1024
END = b"\r\n\r\n"
_REQUEST_LINE = lazy_pattern(rb"([A-Z]{1,20}) ([!-~]{1,16384}) HTTP/1\.[01]")
_STATUS_LINE = lazy_pattern(rb"HTTP/1\.[01] ([1-9][0-9]{2})(?: [^\r\n\0]*)?")
_HEADER_LINE = lazy_pattern(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\r\n\0]*)")
_HOP_BY_HOP = frozenset(
    {b"connection", b"keep-alive", b"proxy-authenticate", b"proxy-authorization", b"proxy-connection", b"te", b"trailer", b"upgrade"}
)
PROXY_AUTHENTICATION = 407
"""Status that only a proxy may send: the browser would attribute one from a site to this proxy."""
MAX_BODY_DIGITS = 12

HeaderLine = tuple[bytes, bytes]


class ProxyRequest(Struct, frozen=True):
    """Request of the browser to the proxy."""

    host: str
    port: int
    is_tunnel: bool
    """Whether bytes pass in both directions, usually TLS."""
    head: bytes = b""
    """Head that is sent to the site, empty for a tunnel."""
    body_bytes: int = 0
    """Length of the body that follows."""


def read_request(head: bytes) -> ProxyRequest | None:
    """Parse the head of a request to the proxy; return None if this proxy does not serve it."""
    first, *rest = head.removesuffix(END).split(b"\r\n")
    line = _REQUEST_LINE.fullmatch(first)
    headers = _header_lines(rest)
    if line is None or headers is None:
        return None
    method, target = line[1], line[2].decode("ascii")
    return _read_tunnel(target) if method == b"CONNECT" else _forward_request(method, target, headers)


def _read_tunnel(authority: str) -> ProxyRequest | None:
    url = urls.parse(f"https://{authority}/")
    has_port = re.search(r":[0-9]{1,5}\Z", authority)
    if url is None or not has_port or not url.host or url.has_login or url.path != "/" or url.query or url.fragment:
        return None
    return ProxyRequest(url.host, url.port, is_tunnel=True)


def _forward_request(method: bytes, target: str, headers: list[HeaderLine]) -> ProxyRequest | None:
    url = urls.parse(target)
    if url is None or url.scheme != "http" or not url.host or url.has_login:
        return None
    body_bytes = _body_bytes(headers)
    if body_bytes is None:
        return None
    authority = url.origin.removeprefix("http://").encode("ascii")
    kept = [(name, value) for name, value in headers if name.lower() not in _HOP_BY_HOP | {b"host"}]
    lines = [(b"Host", authority), *kept, (b"Connection", b"close")]
    return ProxyRequest(
        url.host,
        url.port,
        is_tunnel=False,
        head=_join_head(method + b" " + url.path_and_query.encode("ascii") + b" HTTP/1.1", lines),
        body_bytes=body_bytes,
    )


def _body_bytes(headers: list[HeaderLine]) -> int | None:
    """Return the length of the body, 0 without one; None if it is chunked, or the length is invalid or repeated."""
    stated = [value.strip() for name, value in headers if name.lower() == b"content-length"]
    if any(name.lower() == b"transfer-encoding" for name, _ in headers) or len(stated) > 1:
        return None
    if not stated:
        return 0
    return int(stated[0]) if stated[0].isdigit() and len(stated[0]) <= MAX_BODY_DIGITS else None


def response_head(head: bytes) -> tuple[int, bytes] | None:
    """Return the status of a response and the head to forward; None if it is not HTTP, or a status that only a proxy may send."""
    first, *rest = head.removesuffix(END).split(b"\r\n")
    line = _STATUS_LINE.fullmatch(first)
    headers = _header_lines(rest)
    if line is None or headers is None or int(line[1]) == PROXY_AUTHENTICATION:
        return None
    kept = [(name, value) for name, value in headers if name.lower() not in _HOP_BY_HOP]
    return int(line[1]), _join_head(first, [*kept, (b"Connection", b"close")])


def remove_cookies(head: bytes, names: Collection[str]) -> bytes:
    """Return the head of a request without the cookies with these names."""
    first, *rest = head.removesuffix(END).split(b"\r\n")
    unwanted = {name.encode() for name in names}
    lines = []
    for name, value in _header_lines(rest) or ():
        if name.lower() != b"cookie":
            lines.append((name, value))
            continue
        kept = [pair for pair in value.split(b";") if pair.partition(b"=")[0].strip() not in unwanted]
        if kept:
            lines.append((name, b";".join(kept).strip()))
    return _join_head(first, lines)


def _header_lines(lines: list[bytes]) -> list[HeaderLine] | None:
    found = []
    for line in lines:
        match = _HEADER_LINE.fullmatch(line)
        if match is None:
            return None
        found.append((match[1], match[2]))
    return found


def _join_head(first: bytes, lines: list[HeaderLine]) -> bytes:
    return b"\r\n".join([first, *(name + b": " + value for name, value in lines)]) + END
