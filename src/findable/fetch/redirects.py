"""Determine the target of a redirect."""

from collections.abc import Sequence

from findable import urls
from findable.capture.response import Headers, Hop
from findable.formats.encodings import header_text

REDIRECT_STATUSES = frozenset({301, 302, 303, 307, 308})
MAX_REDIRECTS = 10
"""Number of redirects that are followed from a page, as many as Google follows; those of a loop that sets cookies are counted again."""
MAX_EXTRA_REDIRECTS = 5
"""Number of redirects that are followed from other files; RFC 9309 asks for five of robots.txt."""
MAX_LOCATION_CHARS = 8192
"""Maximum length of a Location that is followed; no browser or server allows more."""


def redirect_target(url: str, status: int, headers: Headers) -> str | None:
    """Return the absolute redirect target without fragment; None if the status is not a redirect or the Location is invalid.

    The bytes of a Location are decoded as UTF-8 if valid, as browsers do, else as latin-1.
    """
    location = headers.first("location")
    if status not in REDIRECT_STATUSES or location is None or len(location) > MAX_LOCATION_CHARS:
        return None
    target = urls.join(url, header_text(location))
    return urls.without_fragment(target) if target and len(target) <= MAX_LOCATION_CHARS else None


def loop_of(hops: Sequence[Hop], location: str) -> tuple[str, ...]:
    """Return the URLs of the loop that a redirect to ``location`` closes; empty if it closes none."""
    urls = tuple(hop.url for hop in hops)
    return urls[urls.index(location) :] if location in urls else ()
