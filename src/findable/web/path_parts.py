"""Validation of ids and names in paths."""

from findable.errors import NotFound

_MAX_ID_DIGITS = 15


def id_of(text: str) -> int:
    """Return the id in a path. Raises NotFound."""
    if not (text.isascii() and text.isdigit() and len(text) <= _MAX_ID_DIGITS):
        raise NotFound
    return int(text)


def without_nul(text: str) -> str:
    """Return a name or token in a path that a database accepts. Raises NotFound for a NUL."""
    if "\0" in text:
        raise NotFound
    return text
