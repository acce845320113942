"""Read the head of a response line by line from libcurl, with its limits."""

import re

from findable.capture.response import Headers
from findable.errors import Cause
from findable.lazy_pattern import lazy_pattern

MAX_HEAD_BYTES = 256 * 1024
MAX_HEAD_LINES = 1000
"""Limits for everything before and after the body, including interim responses (1xx) and trailers."""

_STATUS = lazy_pattern(r"[0-9]{3}")
_COOKIES = frozenset({"set-cookie", "set-cookie2"})
_ATTRIBUTES = frozenset({"expires", "max-age", "domain", "path", "secure", "httponly", "samesite", "partitioned", "priority", "version"})
_SECOND_COOKIE = lazy_pattern(r"(,\s*[^\s=;,]+)=.*", re.DOTALL)
"""Second cookie that a proxy has joined to the same line."""


class HeadReader:
    """Parser of response heads, fed with raw lines; after the last one, `status` and `headers` are those of the final response."""

    def __init__(self) -> None:
        self.status = 0
        self.complete = False
        self.too_large: Cause | None = None
        """Limit that was exceeded; None if none was."""
        self.limit = ""
        """Value of the exceeded limit, in KiB or lines."""
        self._lines: list[tuple[str, str]] = []
        self._bytes_count = 0
        self._lines_count = 0

    def read_line(self, raw: bytes) -> bool:
        """Read one line; return False once a limit is exceeded, after which no more lines are needed."""
        self._bytes_count += len(raw)
        self._lines_count += 1
        if self._bytes_count > MAX_HEAD_BYTES:
            self.too_large, self.limit = Cause.HEADER_TOO_LARGE, str(MAX_HEAD_BYTES // 1024)
        elif self._lines_count > MAX_HEAD_LINES:
            self.too_large, self.limit = Cause.HEADER_TOO_LONG, str(MAX_HEAD_LINES)
        if self.too_large is not None:
            return False
        line = raw.rstrip(b"\r\n").decode("latin-1")
        if line.startswith("HTTP/"):
            self._begin_response(line)
        elif not line:
            self.complete = self.status >= 200  # noqa: PLR2004 - 1xx are interim responses
        elif not self.complete:  # lines after the head are trailers
            self._add_field(line)
        return True

    def _begin_response(self, line: str) -> None:
        code = "".join(line.split(" ", 2)[1:2])
        self.status = int(code) if _STATUS.fullmatch(code) else 0
        self.complete = False
        self._lines.clear()

    def _add_field(self, line: str) -> None:
        if line[0] in " \t" and self._lines:
            name, value = self._lines[-1]
            self._lines[-1] = (name, f"{value} {line.strip()}")
            return
        name, colon, value = line.partition(":")
        if colon:
            # White space before the colon is forbidden (RFC 9112, 5.1); browsers drop it.
            self._lines.append((name.rstrip(" \t"), value.strip(" \t")))

    @property
    def set_cookies(self) -> tuple[str, ...]:
        """Values of the Set-Cookie lines, not masked."""
        return tuple(value for name, value in self._lines if name.lower() == "set-cookie")

    @property
    def headers(self) -> Headers:
        """Lines as sent, with cookie values masked."""
        return Headers(tuple((name, _hide_cookie(value) if name.lower() in _COOKIES else value) for name, value in self._lines))


def _hide_cookie(value: str) -> str:
    """Mask a cookie value, as in ``name=…; Path=/``; unknown attributes keep only their name."""
    first, *rest = value.split(";")
    return ";".join(
        [_hide_value(first), *(_SECOND_COOKIE.sub(r"\1=…", part) if _is_attribute(part) else _hide_value(part) for part in rest)]
    )


def _is_attribute(part: str) -> bool:
    return part.partition("=")[0].strip().lower() in _ATTRIBUTES


def _hide_value(pair: str) -> str:
    """Mask a value, as in ``name=…``; a value without a name is masked completely."""
    name, equals, value = pair.partition("=")
    if equals:
        return f"{name}=…"
    return "…" if name.strip() else value
