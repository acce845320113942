"""A preview judged as the origin it will have: its addresses are rewritten in everything that was captured."""

import re
from enum import Enum
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import fields, replace

from findable.capture.page import Capture
from findable.urls import Url, parse

Value = TypeVar("Value")


def judge_as(capture: Capture, origin: str) -> Capture:
    """The capture as if it had been served from ``origin`` (``https://www.example.com``).

    Every address of the preview's own origin, in headers, bodies and addresses, absolute, scheme-relative or written in JSON with
    escaped slashes, names ``origin`` instead.
    """
    preview, target = parse(capture.response.final_url), parse(origin)
    if preview is None or target is None or preview.origin == target.origin:
        return replace(capture, judged_as=origin)
    return replace(_Rewriter(preview, target).value(capture), judged_as=target.origin)


class _Rewriter:
    """Replaces one origin by another in frozen values of any shape."""

    def __init__(self, preview: Url, target: Url) -> None:
        authority = preview.origin.partition("//")[2]
        self._scheme = target.scheme
        self._authority = target.origin.partition("//")[2]
        # The authority must end there: 127.0.0.1:80 is not 127.0.0.1:8080, and example.com is not example.com.evil.
        slashes = r"(?P<slashes>//|\\/\\/)"
        self._text = re.compile(rf"(?P<scheme>https?:)?{slashes}{re.escape(authority)}(?![\w.:-])", re.IGNORECASE)
        self._bytes = re.compile(self._text.pattern.encode(), re.IGNORECASE)

    def value(self, value: Value) -> Value:
        """The value with the origin replaced, all the way down."""
        made: Any = value
        if isinstance(value, Enum):
            return value
        if isinstance(value, str):
            made = self._text.sub(self._in_text, value)
        elif isinstance(value, bytes):
            made = self._bytes.sub(self._in_bytes, value)
        elif isinstance(value, tuple):
            made = tuple(self.value(item) for item in value)
        elif isinstance(value, Struct):
            made = replace(value, **{field.name: self.value(getattr(value, field.name)) for field in fields(value)})
        return made  # type: ignore[no-any-return]  # the same shape went in

    def _in_text(self, match: re.Match[str]) -> str:
        scheme = f"{self._scheme}:" if match["scheme"] else ""
        return f"{scheme}{match['slashes']}{self._authority}"

    def _in_bytes(self, match: re.Match[bytes]) -> bytes:
        scheme = f"{self._scheme}:".encode() if match["scheme"] else b""
        return scheme + match["slashes"] + self._authority.encode()
