"""Validation of ids and names in the path of a request."""

import re

from findable.errors import NotFound

_ID = re.compile(r"[1-9]\d{0,17}", re.ASCII)
"""Numbers that every database can store."""


def id_of(text: str) -> int:
    """Return the id in a path. Raises NotFound if it is invalid; leading zeros are invalid, so that a resource has only one URL."""
    if not _ID.fullmatch(text):
        raise NotFound
    return int(text)


def without_nul(text: str) -> str:
    """Return a name or token in a path unchanged. Raises NotFound if it contains NUL, which databases do not accept."""
    if "\0" in text:
        raise NotFound
    return text
