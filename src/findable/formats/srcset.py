"""Parse the srcset attribute (HTML Standard, 4.8.4.3.8 "Parsing a srcset attribute")."""

import re
from collections.abc import Sequence

from msgspec import Struct

from findable.lazy_pattern import lazy_pattern

MAX_CANDIDATES = 100
MAX_SRCSET_CHARS = 200_000
PREFERRED_WIDTH = 1000
"""Preferred width: the smallest candidate at least this wide is checked, as on a laptop or a phone with double pixel density."""
PREFERRED_DENSITY = 2.0

_SPACE = " \t\n\f\r"
_TO_SPACE = re.compile(r"[^ \t\n\f\r]+")
_SIZE = re.compile(r"[0-9]+[wh]\Z")
_DENSITY = lazy_pattern(r"-?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?x\Z")
_IN_PARENTHESES = re.compile(r"\([^)]*\)?|,")


class Candidate(Struct, frozen=True):
    """One image candidate; ``url`` as written. ``width`` from ``800w``, ``density`` from ``2x``; both None without descriptor."""

    url: str
    width: int | None = None
    density: float | None = None


def parse_srcset(text: str) -> list[Candidate]:
    """Return the valid image candidates in order. Commas inside URLs (data:) belong to the URL."""
    text = text[:MAX_SRCSET_CHARS]
    found: list[Candidate] = []
    at, end = 0, len(text)
    while len(found) < MAX_CANDIDATES:
        while at < end and text[at] in _SPACE + ",":
            at += 1
        match = _TO_SPACE.match(text, at)
        if match is None:
            break
        url, at = match.group(), match.end()
        if url.endswith(","):
            found.append(Candidate(url.rstrip(",")))
            continue
        stop = _descriptors_end(text, at)
        candidate = _candidate(url, text[at:stop].split())
        at = stop + 1
        if candidate:
            found.append(candidate)
    return found


def _descriptors_end(text: str, at: int) -> int:
    """Return the index of the comma that ends the descriptors. Commas in parentheses, which do not nest, do not end them."""
    while (found := _IN_PARENTHESES.search(text, at)) is not None and found.group() != ",":
        at = found.end()
    return found.start() if found else len(text)


def _candidate(url: str, descriptors: list[str]) -> Candidate | None:
    """Return the candidate; None if its descriptors are an error."""
    width = height = density = None
    for descriptor in descriptors:
        is_first = density is None
        if _SIZE.match(descriptor) and descriptor.endswith("w") and is_first and width is None:
            width = int(descriptor[:-1][:9])
        elif _SIZE.match(descriptor) and descriptor.endswith("h") and is_first and height is None:
            height = int(descriptor[:-1][:9])
        elif _DENSITY.match(descriptor) and is_first and width is None and height is None and float(descriptor[:-1]) >= 0:
            density = float(descriptor[:-1])
        else:
            return None
    is_error = 0 in (width, height) or (height is not None and width is None)
    return None if is_error else Candidate(url, width, density)


def likely_candidate(candidates: Sequence[Candidate]) -> Candidate | None:
    """Return the candidate that a typical device probably loads, because the layout is unknown; None without candidates."""
    if not candidates:
        return None
    wide = [item for item in candidates if item.width]
    if wide:
        enough = [item for item in wide if (item.width or 0) >= PREFERRED_WIDTH]
        return min(enough, key=lambda item: item.width or 0) if enough else max(wide, key=lambda item: item.width or 0)
    dense = [item for item in candidates if (item.density or 1.0) <= PREFERRED_DENSITY]
    return max(dense, key=lambda item: item.density or 1.0) if dense else candidates[0]
