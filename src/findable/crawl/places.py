"""Places on pages to which the fragments of links lead, and the links to places on other pages of the site."""

import zlib
from bisect import bisect_left
from collections.abc import Iterator
from itertools import islice
from urllib.parse import unquote

from findable.artifacts.html.client_templates import has_client_template
from findable.artifacts.html.document import Document
from findable.artifacts.html.ids import Ids
from findable.artifacts.page.links import LinkKind, Links
from findable.checks.links.links_fragment import names_place
from findable.urls import MAX_LINK_CHARS

MAX_LINKS = 1000
"""Maximum number of different links to places that a page contributes."""
MAX_FRAGMENT_CHARS = 300
KEY_BYTES = 4
MAX_HOOKS = 5000
_HOOKS = frozenset(
    {
        *("name", "aria-controls", "data-target", "data-bs-target", "data-tab", "data-tab-id", "data-id", "data-hash", "data-section"),
        *("data-anchor", "data-slug", "data-name", "data-key", "data-value", "data-panel", "data-scroll-to"),
    }
)
"""Attributes whose values scripts use as names of places."""
_HOOKED = ",".join(f"[{name}]" for name in sorted(_HOOKS))


def links_to_places(links: Links) -> tuple[tuple[str, str], ...]:
    """Return the different links to places on other pages of the site: (URL without fragment, fragment)."""
    found = (
        (link.address, link.fragment.partition(":~:")[0])
        for link in links.items
        if link.kind is LinkKind.INTERNAL and "#" in link.url and not link.same_page and len(link.url) <= MAX_LINK_CHARS
        if names_place(link)
    )
    return tuple(islice(dict.fromkeys(pair for pair in found if len(pair[1]) <= MAX_FRAGMENT_CHARS), MAX_LINKS))


def place_keys(document: Document, ids: Ids, links: Links) -> bytes | None:
    """Return the sorted hashes of the names that a fragment may have on the page; None if scripts add others.

    Values that scripts use as names count, and so do fragments of links to the page itself, which the check links-fragment judges.
    """
    if ids.is_cut or links.is_cut or (document.sent is None and has_client_template(document)):
        return None
    names = {*ids.elements, *ids.anchor_names, *(link.fragment for link in links.items if link.same_page)}
    for element in document.select(_HOOKED, MAX_HOOKS):
        values = [value for name, value in element.attrs.items() if name in _HOOKS and 0 < len(value) <= MAX_FRAGMENT_CHARS]
        names.update([value.removeprefix("#") for value in values])
    names.update([unquote(name) for name in names if "%" in name])
    return b"".join(sorted(map(_key, names)))


def has_place(keys: bytes, fragment: str) -> bool:
    """Return whether the result of `place_keys` has the name of a fragment, with or without ``%`` escapes."""
    return any(_has_key(keys, _key(name)) for name in _forms(fragment))


def _has_key(keys: bytes, wanted: bytes) -> bool:
    def key_at(place: int) -> bytes:
        return keys[KEY_BYTES * place : KEY_BYTES * (place + 1)]

    return key_at(bisect_left(range(len(keys) // KEY_BYTES), wanted, key=key_at)) == wanted


def _forms(fragment: str) -> Iterator[str]:
    """Yield the names by which browsers, or scripts that prevent clashes with ids of the site, find a fragment."""
    decoded = unquote(fragment)
    yield from (fragment, decoded, f"user-content-{decoded}")


def _key(name: str) -> bytes:
    return zlib.crc32(name.encode("utf-8", "surrogatepass")).to_bytes(KEY_BYTES)
