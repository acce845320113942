"""Move a preview to its future origin: rewrite its URLs in the whole capture."""

import re
from functools import lru_cache
from typing import TypeVar

from msgspec.structs import replace

from findable.capture.capture import Capture
from findable.capture.nested_texts import change_texts
from findable.urls import Url, parse

Value = TypeVar("Value")


def move_to_origin(capture: Capture, origin: str) -> Capture:
    """Return the capture as if it had been served from ``origin`` (``https://www.example.com``).

    Replaces every URL of the preview's origin in headers, bodies and URLs: absolute, scheme-relative, or in JSON with escaped slashes.
    """
    preview, target = parse(capture.page.response.final_url), parse(origin)
    if preview is None or target is None or preview.origin == target.origin:
        return _set_future_origin(capture, origin)
    return _set_future_origin(_Rewriter(preview, target).rewrite(capture), target.origin)


def with_public_urls(value: Value, preview: str, origin: str) -> Value:
    """Return a captured value with every URL of the preview's origin replaced, as `move_to_origin` does; unchanged without two origins."""
    rewriter = _rewriter(preview, origin)
    return value if rewriter is None else rewriter.rewrite(value)


@lru_cache(maxsize=8)
def _rewriter(preview: str, origin: str) -> "_Rewriter | None":
    source, target = parse(preview), parse(origin)
    return None if source is None or target is None or source.origin == target.origin else _Rewriter(source, target)


def _set_future_origin(capture: Capture, origin: str) -> Capture:
    return replace(capture, page=replace(capture.page, judged_as=origin))


class _Rewriter:
    """Replaces one origin with another in nested immutable values."""

    def __init__(self, preview: Url, target: Url) -> None:
        authority = preview.origin.partition("//")[2]
        self._scheme = target.scheme
        self._authority = target.origin.partition("//")[2]
        # Match whole authorities only: 127.0.0.1:80 is not 127.0.0.1:8080, and example.com is not example.com.evil.
        slashes = r"(?P<slashes>//|\\/\\/)"
        self._text = re.compile(rf"(?P<scheme>https?:)?{slashes}{re.escape(authority)}(?![\w.:-])", re.IGNORECASE)
        self._bytes = re.compile(self._text.pattern.encode(), re.IGNORECASE)

    def rewrite(self, value: Value) -> Value:
        """Return the value with the origin replaced at every level."""
        return change_texts(
            value, lambda text: self._text.sub(self._replace_in_text, text), lambda body: self._bytes.sub(self._replace_in_bytes, body)
        )

    def _replace_in_text(self, match: re.Match[str]) -> str:
        scheme = f"{self._scheme}:" if match["scheme"] else ""
        return f"{scheme}{match['slashes']}{self._authority}"

    def _replace_in_bytes(self, match: re.Match[bytes]) -> bytes:
        scheme = f"{self._scheme}:".encode() if match["scheme"] else b""
        return scheme + match["slashes"] + self._authority.encode()
