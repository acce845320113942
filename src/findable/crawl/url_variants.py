"""Recognize variants of one URL, which differ by a slash, letter case, an index file, encoding or the order of parameters."""

import re
import unicodedata
from collections.abc import Callable, Mapping
from urllib.parse import quote, unquote_to_bytes

from findable.capture.site_urls import VariantKind
from findable.lazy_pattern import lazy_pattern
from findable.urls import origin_part, path_of

_INDEX = lazy_pattern(r"/(?:index|default)\.(?:html?|xhtml|shtml|php[0-9]?|aspx?|jsp|cfm)$", re.IGNORECASE)
_SLASHES = lazy_pattern("/{2,}")
_RESERVED = lazy_pattern(r"(%(?:2[1346789A-CFa-cf5]|3[ABDFabdf]|40|5[BDbd]))")
_SAFE = "/?=&:;,+$@!*'()~-._%"


def normalize_variant(url: str) -> str:
    """Return the normalized form that all variants of a URL share."""
    for fold in _FOLDS.values():
        url = fold(url)
    return url


def variant_kind(url: str, other: str) -> VariantKind | None:
    """Return the kind of the only difference between two URLs; None if there are several, or for URLs of different resources."""
    for kind, fold in _FOLDS.items():
        if fold(url) == fold(other):
            return kind
    # If both a folder without its slash and its index file occur, the file is the variant.
    return VariantKind.INDEX if _without_slash(_without_index(url)) == _without_slash(_without_index(other)) else None


def has_double_slash(url: str) -> bool:
    """Return whether the path has an empty segment; a URL within a path (``/https://…``) does not count."""
    path = path_of(url)
    return "//" in path and ":/" not in path


def is_index(url: str) -> bool:
    """Return whether the path ends in the index file of a folder."""
    return _INDEX.search(path_of(url)) is not None


def _path_change(change: Callable[[str], str]) -> Callable[[str], str]:
    def changed(url: str) -> str:
        origin = origin_part(url)
        path, mark, query = url[len(origin) :].partition("?")
        return f"{origin}{change(path)}{mark}{query}"

    return changed


def _normalize_escapes(url: str) -> str:
    """Return a URL with uniform escapes. Those of reserved characters do not change, because ``%2F`` is not a slash."""
    if "%" not in url and url.isascii():
        return url
    parts = _RESERVED.split(url)
    plain = (unicodedata.normalize("NFC", unquote_to_bytes(part).decode("utf-8", "replace")) for part in parts[::2])
    kept = [quote(part, safe=_SAFE) for part in plain]
    return "".join(text + mark.upper() for text, mark in zip(kept, [*parts[1::2], ""], strict=True))


def _sort_parameters(url: str) -> str:
    start, mark, query = url.partition("?")
    return f"{start}{mark}{'&'.join(sorted(query.split('&')))}"


_without_slash = _path_change(lambda path: path.rstrip("/") or "/")
_without_index = _path_change(lambda path: _INDEX.sub("/", path))
_FOLDS: Mapping[VariantKind, Callable[[str], str]] = {
    VariantKind.ENCODING: _normalize_escapes,
    VariantKind.DOUBLE_SLASH: _path_change(lambda path: _SLASHES.sub("/", path)),
    VariantKind.INDEX: _without_index,
    VariantKind.SLASH: _without_slash,
    VariantKind.CASE: _path_change(str.lower),
    VariantKind.PARAMETER_ORDER: _sort_parameters,
}
