"""Group pages that share a text but are not duplicates: versions, language versions, pages of one list."""

import re
from collections.abc import Callable, Iterable, Mapping

from findable.lazy_pattern import lazy_pattern

MAX_LANGUAGES = 50
"""Maximum size of a group whose language versions are compared."""
_VERSION = lazy_pattern(r"/(?:v\d+(?:[.-]\d+)*|\d+(?:\.(?:\d+|x))+|latest|stable|current|dev|devel|main|master|next)(?=/|$)", re.IGNORECASE)


def without_version(url: str) -> str:
    """Return a URL without a version folder, so that a page has the same URL in all versions of a documentation."""
    return _VERSION.sub("", url, count=1)


def cluster_keys(
    urls: Iterable[str], alternates: Mapping[str, frozenset[str]], fold: Callable[[str], str] = without_version
) -> dict[str, str]:
    """Return a key for each URL. Pages with one key are versions or language versions of each other.

    Args:
        urls: URLs of the pages of a group.
        alternates: declared language versions by URL.
        fold: returns a URL without the parts that may differ between such pages.
    """
    keys = {url: fold(url) for url in urls}
    for url, others in alternates.items():
        keys[url] = min([keys[url], *(keys[other] for other in others if url in alternates.get(other, ()))])
    return keys
