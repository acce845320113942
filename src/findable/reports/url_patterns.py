"""Patterns of addresses, in which ``*`` stands for any run of characters and everything else for itself."""

from collections.abc import Iterable
from urllib.parse import quote

from findable.urls import parse
from findable.wording import Filled, later

MAX_PATTERNS = 50
MAX_PATTERN_CHARS = 200
_BEGINNINGS = ("/", "*", "http://", "https://")
_ASCII = "".join(map(chr, range(128)))


def problem_of(pattern: str) -> str | None:
    """Why a text is no pattern, as one sentence; None for a sound one."""
    if len(pattern) > MAX_PATTERN_CHARS:
        return Filled(later("A pattern must not be longer than %(most)s characters."), most=MAX_PATTERN_CHARS)
    if not pattern.startswith(_BEGINNINGS):
        return later("A pattern begins with /, *, http:// or https://.")
    return None if pattern.isprintable() else later("A pattern must not hold control characters.")


def matches(pattern: str, url: str) -> bool:
    """Whether the pattern covers the address as it is stored.

    A pattern that begins with ``/`` is held against the path, with and without the query; any other against the whole address.
    Letters outside ASCII stand for their percent-encoded form, as they do in stored addresses.
    """
    pattern = quote(pattern, safe=_ASCII)
    if not pattern.startswith("/"):
        return _covers(pattern, url)
    parsed = parse(url)
    if parsed is None:
        return False
    return _covers(pattern, parsed.path) or _covers(pattern, parsed.path_and_query)


def any_matches(patterns: Iterable[str], url: str) -> bool:
    """Whether one of them covers the address."""
    return any(matches(pattern, url) for pattern in patterns)


def _covers(pattern: str, text: str) -> bool:
    """Takes each piece at its first place, which is enough: time grows with the lengths, not with the number of stars."""
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
