"""Series of URLs that are traps for crawlers, and session ids in paths."""

from collections.abc import Iterator, Sequence

from findable.capture.crawl import TrapKind
from findable.capture.site_graph import Trap


def is_trap(series: Trap) -> bool:
    """Return whether a series is a trap. Facets without fetched pages are none, because robots.txt may disallow them."""
    return series.fetched_count > 0 or series.trap is not TrapKind.FACETS


def session_ids_in_paths(patterns: Sequence[str]) -> Iterator[Trap]:
    """Yield the session ids in paths if they have several values. ``patterns``: ``name=value URL``."""
    found = [pattern.partition(" ") for pattern in patterns]
    if len({value for value, _, _ in found}) > 1:
        urls = tuple(url for _, _, url in found)
        yield Trap(TrapKind.SESSION_ID, found[0][0].partition("=")[0], len(urls), 0, urls)
