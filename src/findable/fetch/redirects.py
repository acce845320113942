"""Where an answer sends its reader."""

from findable import urls
from findable.capture.response import Headers

REDIRECT_STATUSES = frozenset({301, 302, 303, 307, 308})
MAX_LOCATION_CHARS = 8192
"""Longer ones are not followed: no browser's or server's limit is above it."""


def redirect_target(url: str, status: int, headers: Headers) -> str | None:
    """The absolute address to go on to, without fragment; None where the answer is the last one or its Location is none.

    A Location is bytes: UTF-8 where it is valid, as browsers read it, else latin-1.
    """
    location = headers.first("location")
    if status not in REDIRECT_STATUSES or location is None or len(location) > MAX_LOCATION_CHARS:
        return None
    try:
        text = location.encode("latin-1").decode("utf-8")
    except UnicodeError:
        text = location
    target = urls.join(url, text)
    return urls.without_fragment(target) if target and len(target) <= MAX_LOCATION_CHARS else None
