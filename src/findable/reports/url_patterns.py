"""Patterns of URLs, in which ``*`` matches any characters and everything else matches itself."""

from collections.abc import Iterable
from urllib.parse import quote

from findable.urls import parse
from findable.wording import Message, later

MAX_PATTERNS = 50
MAX_PATTERN_CHARS = 200
_BEGINNINGS = ("/", "*", "http://", "https://")
_ASCII = "".join(map(chr, range(128)))


def problem_of(pattern: str) -> str | None:
    """Return the reason why a text is not a pattern, as a sentence; None for a valid one."""
    if len(pattern) > MAX_PATTERN_CHARS:
        return Message(later("A pattern must not be longer than %(most)s characters."), most=MAX_PATTERN_CHARS)
    if not pattern.startswith(_BEGINNINGS):
        return later("A pattern begins with /, *, http:// or https://.")
    return None if pattern.isprintable() else later("A pattern must not contain control characters.")


def matches(pattern: str, url: str) -> bool:
    """Return whether the pattern matches the stored URL.

    A pattern that begins with ``/`` is compared with the path, with and without the query; any other with the whole URL. Letters outside
    ASCII match their percent-encoded form, as in stored URLs.
    """
    pattern = quote(pattern, safe=_ASCII)
    if not pattern.startswith("/"):
        return _covers(pattern, url)
    parsed = parse(url)
    if parsed is None:
        return False
    return _covers(pattern, parsed.path) or _covers(pattern, parsed.path_and_query)


def any_matches(patterns: Iterable[str], url: str) -> bool:
    """Return whether any of the patterns matches the stored URL."""
    return any(matches(pattern, url) for pattern in patterns)


def _covers(pattern: str, text: str) -> bool:
    """Match each piece at its first position, which is sufficient: time grows with the lengths, not with the number of stars."""
    first, *pieces = pattern.split("*")
    if not pieces:
        return pattern == text
    last = pieces.pop()
    if len(text) < len(first) + len(last) or not (text.startswith(first) and text.endswith(last)):
        return False
    place, end = len(first), len(text) - len(last)
    for piece in pieces:
        found = text.find(piece, place, end)
        if found < 0:
            return False
        place = found + len(piece)
    return True
