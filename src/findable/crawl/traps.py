"""Detect endless series of URLs by the shape of URLs and the content of pages, never by product names.

A URL whose path repeats itself is refused immediately. For other series, the crawl counts URLs of the same shape, and consecutive pages
without new content. Only these counts determine how many more URLs of a series are requested.
"""

import re

from msgspec import Struct

from findable.capture.crawl import TrapKind
from findable.formats.characters import western_bytes
from findable.urls import parse, query_parameters

REPEATS = 3
"""Number of consecutive repetitions of a path segment, or pair of segments, that indicates an endless path."""
MAX_SEGMENTS = 15
BARREN_PAGES = 20
"""Number of consecutive pages of a series without new text or links outside the series after which the series ends."""
CALENDAR_PAGES = 60
"""Value of BARREN_PAGES for calendars, whose texts differ by the names of months."""
MANY_URLS = 200
"""Number of URLs of a series from which pages count as barren even if they link to further URLs of the series."""
FACET_SETS = 8
FACET_URLS = 1000
SESSION_VALUES = 3
"""Number of different values of a parameter for the same page from which it is a session id."""

_NUMBER = re.compile(r"\d+")
_DIGITS = b"0123456789"
_DATE = re.compile(r"(?<!\d)(?:(?:19|20|21)\d\d[-/._]?(?:0?[1-9]|1[0-2])(?:[-/._]?(?:0?[1-9]|[12]\d|3[01]))?)(?!\d)")
_RANDOM = r"(?:[0-9a-f]{16,}|(?=[A-Za-z_-]*\d)(?=[0-9_-]*[A-Za-z])[A-Za-z0-9_-]{20,}={0,2})"
_TOKEN = re.compile(_RANDOM, re.IGNORECASE)
_PATH_TOKEN = re.compile(rf";(jsessionid|id(?=={_RANDOM}(?:[/?#]|$)))=([^/?#]*)", re.IGNORECASE)
"""Session id after a semicolon in the path, as written by application servers; ``;id=5`` is a page."""


class SeriesName(Struct, frozen=True):
    """Shape shared by the URLs of a series."""

    kind: TrapKind
    """Kind of trap if the series is endless."""
    pattern: str
    """URL with ``{}`` instead of the changing part."""


class Series(Struct, frozen=True):
    """Numbers of found and fetched URLs of one series."""

    kind: TrapKind
    found_count: int
    fetched_count: int
    barren_count: int = 0
    """Number of latest consecutive pages without new content."""
    shapes_count: int = 1
    """Number of different sets of parameters in a facet series."""

    @property
    def is_endless(self) -> bool:
        """Whether the series is endless, so that no more of its URLs are requested."""
        if self.kind is TrapKind.FACETS:
            return self.shapes_count > FACET_SETS and self.found_count > FACET_URLS
        return self.barren_count >= (CALENDAR_PAGES if self.kind is TrapKind.CALENDAR else BARREN_PAGES)


def is_growing(url: str) -> bool:
    """Return whether a path repeats itself or is unusually long, which is typical of a wrong relative link."""
    if url.count("/") < REPEATS + 2:  # the URL has too few segments, as most have
        return False
    split = _split(url)
    segments = [segment for segment in split[1].split("/") if segment] if split is not None else []
    if len(segments) < REPEATS:
        return False
    return len(segments) > MAX_SEGMENTS or _has_repetition(segments, 1) or _has_repetition(segments, 2) or _has_repetition(segments, 3)


def _split(url: str) -> tuple[str, str, str] | None:
    """Return (origin, path, query) of a URL; None if it is not a URL."""
    start, _, query = url.partition("?")
    pieces = start.split("/", _PIECES - 1)
    if len(pieces) == _PIECES and not pieces[1] and "@" not in pieces[2] and "#" not in url:  # already serialized
        return f"{pieces[0]}//{pieces[2]}", f"/{pieces[3]}", query
    parsed = parse(url)
    return None if parsed is None else (parsed.origin, parsed.path, parsed.query)


_PIECES = 4
"""Number of URL parts: scheme, empty string, host, and the path."""


def _has_repetition(segments: list[str], width: int) -> bool:
    """Return whether ``width`` segments repeat consecutively; numbers are ignored because dates and ids repeat them."""
    for at in range(len(segments) - REPEATS * width + 1):
        part = segments[at : at + width]
        if all(segments[at + step * width : at + (step + 1) * width] == part for step in range(1, REPEATS)):
            return not all(segment.isdigit() for segment in part)
    return False


def series_of(url: str) -> SeriesName | None:
    """Return the series that a URL may belong to; None for a URL without numbers, dates and parameters."""
    split = _split(url)
    if split is None:
        return None
    origin, path, query = split
    if query:
        if _DATE.search(query):
            return SeriesName(TrapKind.CALENDAR, f"{origin}{path}?{_NUMBER.sub('{}', query)}")
        return SeriesName(TrapKind.PARAMETERS, f"{origin}{path}?{'&'.join(f'{name}={{}}' for name in parameter_names(url))}")
    if _NUMBER.search(path) is None:
        return None
    if _DATE.search(path):
        return SeriesName(TrapKind.CALENDAR, _NUMBER.sub("{}", origin + path))
    return SeriesName(TrapKind.COUNTER, origin + _NUMBER.sub("{}", path))


def facets_of(url: str) -> SeriesName | None:
    """Return the series of a path's parameter combinations; None with fewer than two parameters."""
    if "&" not in url:
        return None
    parsed = parse(url)
    if parsed is None or "&" not in parsed.query:
        return None
    return SeriesName(TrapKind.FACETS, f"{parsed.origin}{parsed.path}?{{}}")


def parameter_names(url: str) -> tuple[str, ...]:
    """Return the names of the query parameters, sorted, without duplicates."""
    return tuple(sorted({name for name, _ in query_parameters(url)}))


def session_parameters(url: str) -> tuple[tuple[str, str], ...]:
    """Return (name, value) of parameters whose value looks like a session id."""
    if "?" not in url:
        return ()  # most URLs have no query
    return tuple((name, value) for name, value in query_parameters(url) if _TOKEN.fullmatch(value))


def path_session(url: str) -> tuple[str, str] | None:
    """Return (name, value) of a session id in the path; None without one."""
    found = _PATH_TOKEN.search(url) if ";" in url else None
    return (found.group(1).lower(), found.group(2)) if found else None


def without_parameters(url: str, names: frozenset[str]) -> str:
    """Return the URL without those query parameters and without a session id in its path."""
    if not names and ";" not in url:
        return url  # most URLs have no parameters to remove
    start, mark, query = url.partition("?")
    start = _PATH_TOKEN.sub("", start)
    if not mark or not names:
        return start + mark + query
    kept = [part for part in query.split("&") if part.partition("=")[0] not in names]
    return f"{start}?{'&'.join(kept)}" if kept else start


def text_without_numbers(text: str) -> str:
    """Return a text without numbers and with folded white space, so that pages of a counter or calendar become equal."""
    data = western_bytes(text)
    if data is None:
        return " ".join(_NUMBER.sub("", text).split())
    left = data.translate(None, _DIGITS)
    while b"  " in left:
        left = left.replace(b"  ", b" ")
    return left.decode("cp1252").strip()
