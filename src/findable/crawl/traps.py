"""Detect endless series of URLs by the shape of URLs and the content of pages, never by product names.

A URL whose path repeats itself is refused immediately. For other series, the crawl counts URLs of the same shape, and consecutive pages
without new content. Only these counts determine how many more URLs of a series are requested.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

from msgspec import Struct

from findable.capture.crawl import TrapKind
from findable.crawl.url_parameters import parameter_names
from findable.formats.session_ids import is_random, is_session_parameter
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
_ASCII = bytes(range(128))
_DATE = re.compile(r"(?<!\d)(?:19|20|21)\d\d[-/._](?:0?[1-9]|1[0-2])(?:[-/._](?:0?[1-9]|[12]\d|3[01]))?(?!\d)")
"""Year and month, with separators: without them, numbers of products would be dates. Calendars without separators end as counters do."""


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
        is_repeated = all(segments[at + step * width : at + (step + 1) * width] == part for step in range(1, REPEATS))
        if is_repeated and not all(segment.isdigit() for segment in part):
            return True
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


def session_values(links: Iterable[tuple[int, str]]) -> Iterator[tuple[str, str, str]]:
    """Yield (URL, name, value) of the parameters that may be session ids, among (linking page, URL).

    A parameter without the name of a session id counts only if its value is random, and one value is appended to most links of the page:
    a page that links with several values, or with the parameter in few links, names things (revisions, files), not visits.
    """
    by_page: defaultdict[int, set[str]] = defaultdict(set)
    for page, url in links:
        by_page[page].add(url)
    for urls in by_page.values():
        random: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
        for url in sorted(urls):
            for name, value in query_parameters(url) if "?" in url else ():
                if is_session_parameter(name, value):
                    yield url, name, value
                elif is_random(value):
                    random[name].append((url, value))
        for name, found in random.items():
            if len(found) > 1 and 2 * len(found) > len(urls) and len({value for _, value in found}) == 1:
                yield from ((url, name, value) for url, value in found)


def text_without_numbers(text: str) -> str:
    """Return a text with folded white space without its numbers, so that pages of a counter or calendar become equal."""
    data = text.encode("utf-8", "surrogatepass")
    if not text.isascii() and _NUMBER.search(data.translate(None, _ASCII).decode("utf-8", "surrogatepass")):  # of other scripts: rare
        return " ".join(_NUMBER.sub("", text).split())
    left = data.translate(None, _DIGITS)
    while b"  " in left:
        left = left.replace(b"  ", b" ")
    return left.decode("utf-8", "surrogatepass").strip(" ")
