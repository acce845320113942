"""Read Content-Type as browsers do (WHATWG Fetch, "extract a MIME type"; MIME Sniffing, sections 4.4 and 7)."""

import re
from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct

UNKNOWN_TYPES = frozenset({"*/*", "unknown/unknown", "application/unknown"})
"""Types that browsers treat like a missing Content-Type (MIME Sniffing, section 7): the bytes decide."""
_SPACE = " \t\r\n"
_TYPE = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+/[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_PIECE = re.compile(r'(?:[^",]|"(?:[^"\\]|\\.)*(?:"|\\?\Z))*', re.DOTALL)
"""One value of a comma-separated list; commas in quotes do not separate."""
_PARAMETER = re.compile(r';[ \t\r\n]*([^;=]*)(?:=(?:"((?:[^"\\]|\\.)*)(?:"|\\?\Z)[^;]*|([^;]*)))?', re.DOTALL)
_VALUE = re.compile(r"[\t\x20-\x7e\x80-\xff]*")


class MediaType(Struct, frozen=True):
    """Media type of a response."""

    essence: str = ""
    """Type without parameters, like ``text/html``, in lower case; empty if none was sent, or none that is valid."""
    charset: str | None = None
    """Value of the charset parameter in lower case; None without one."""


NO_TYPE = MediaType()


@lru_cache(maxsize=1024)
def media_type_of(lines: tuple[str, ...]) -> MediaType:
    """Return the media type that several Content-Type values declare together: the last valid one.

    A charset applies to the following values of the same type. Types that mean "unknown" are left out, like invalid values.
    """
    found = NO_TYPE
    for value in _values(lines):
        one = _parse(value)
        if one is None or one.essence == "*/*":
            continue
        charset = one.charset if one.charset is not None else found.charset if one.essence == found.essence else None
        found = MediaType(one.essence, charset)
    return NO_TYPE if found.essence in UNKNOWN_TYPES else found


def _values(lines: Sequence[str]) -> list[str]:
    joined = ", ".join(lines)
    found, at = [], 0
    while at <= len(joined):
        piece = _PIECE.match(joined, at)
        end = piece.end() if piece else len(joined)
        found.append(joined[at:end].strip(_SPACE))
        at = end + 1
    return found


def _parse(value: str) -> MediaType | None:
    """Parse one MIME type (MIME Sniffing, section 4.4); None if it is invalid. Of the parameters only the charset is read."""
    essence = value.partition(";")[0].rstrip(_SPACE)
    if not _TYPE.fullmatch(essence):
        return None
    for name, quoted, plain in _PARAMETER.findall(value, len(essence)):
        text = re.sub(r"\\(.)", r"\1", quoted) if quoted else plain.rstrip(_SPACE)
        if name.lower() == "charset" and text and _VALUE.fullmatch(text):
            return MediaType(essence.lower(), text.lower())
    return MediaType(essence.lower())
