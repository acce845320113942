"""Determine the target of a redirect."""

from findable import urls
from findable.capture.response import Headers
from findable.formats.encodings import header_text

REDIRECT_STATUSES = frozenset({301, 302, 303, 307, 308})
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
