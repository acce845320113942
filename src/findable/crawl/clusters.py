"""Group pages that share a text but are not duplicates: versions, language versions, pages of one list."""

from collections.abc import Callable, Iterable, Mapping

from findable.crawl.url_keys import without_version

MAX_LANGUAGES = 50
"""Maximum size of a group whose language versions are compared."""


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
