"""Characters that control terminals or the direction and lines of text, and can mislead readers."""

from findable.patterns import lazy_pattern

INVISIBLE = "\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"
"""Part of a character class: DEL, C1, direction marks, separators of lines; callers add C0 controls, except allowed ones."""

_IN_JSON = lazy_pattern(rb"\x7f|\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]")
"""Control and direction characters in UTF-8."""


def escape_json(encoded: bytes) -> bytes:
    r"""Return JSON with control and direction characters as ``\uXXXX``, which JSON allows in strings, their only place."""
    if encoded.isascii() and b"\x7f" not in encoded:  # a cheap test that settles most cases
        return encoded
    return _IN_JSON.sub(lambda found: b"\\u%04x" % ord(found[0].decode()), encoded)
