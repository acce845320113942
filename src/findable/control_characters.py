"""Characters and words that control terminals, CI logs or the direction and lines of text, and can mislead readers."""

import re
from typing import Any

import msgspec

from findable.lazy_pattern import lazy_pattern

INVISIBLE = "\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"
"""Part of a character class: DEL, C1, direction marks, separators of lines; callers add C0 controls, except allowed ones."""

_IN_JSON = lazy_pattern(rb"\x7f|\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]|#(?=#(?:\[|vso\[|teamcity\[))")
"""Control and direction characters in UTF-8, and the beginning of commands that CI systems find anywhere in a line."""
_COMMANDS = lazy_pattern(r"(?<![^\r\n])([^\S\r\n]*)(:)(?=:)|()(#)(?=#(?:\[|vso\[|teamcity\[))")
"""Workflow commands: ``::`` at the beginning of a line of GitHub Actions, ``##[`` in any line of it, and those of Azure and TeamCity.

Sections of GitLab begin with an escape sequence, which no output contains.
"""


def escape_json(encoded: bytes) -> bytes:
    r"""Return JSON with control and direction characters, and workflow commands, as ``\uXXXX``.

    JSON allows it in strings, the only place that has them.
    """
    if encoded.isascii() and b"\x7f" not in encoded and b"##" not in encoded:  # a cheap test that settles most cases
        return encoded
    return _IN_JSON.sub(lambda found: b"\\u%04x" % ord(found[0].decode()), encoded)


def escaped_count(text: bytes) -> int:
    """Return the number of characters of a UTF-8 text that `escape_json` writes with six bytes."""
    return sum(1 for _ in _IN_JSON.finditer(text))


def indented_json(encoded: bytes) -> bytes:
    """Return JSON with line breaks and indentation, escaped by `escape_json`."""
    return escape_json(msgspec.json.format(encoded, indent=2)) + b"\n"


def without_commands(text: str, *, is_markup: bool = False) -> str:
    """Return a text that no CI log reads as a workflow command: a zero-width space, or a character reference of markup, separates it."""

    def separated(found: "re.Match[str]") -> str:
        space, mark = found[1] or "", found[2] or found[4]
        return f"{space}&#{ord(mark)};" if is_markup else f"{space}{mark}\N{ZERO WIDTH SPACE}"

    return _COMMANDS.sub(separated, text)


def encodable(value: Any) -> Any:
    """Return a text, or a list with texts, without halves of surrogate pairs, which no file can contain."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    return [encodable(one) for one in value] if isinstance(value, (tuple, list)) else value
