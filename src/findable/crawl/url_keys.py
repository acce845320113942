"""Identity of URLs and texts in a crawl."""

import hashlib

from findable.urls import with_uniform_escapes, without_fragment


def url_key(url: str) -> int:
    """Return a 64-bit number that identifies a serialized URL without its fragment.

    Of its writing only equivalent escapes are normalized, because parameter order, letter case and slashes are findings, and URLs are
    requested as linked.
    """
    return text_key(with_uniform_escapes(without_fragment(url)))


def text_key(text: str) -> int:
    """Return a 64-bit number that identifies a text."""
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), signed=True)
