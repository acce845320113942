"""Parse one JSON-LD block strictly, then leniently, and locate its first fault.

Safe on any input: blocks above MAX_BLOCK_CHARS or nested deeper than MAX_DEPTH are not parsed. Numbers stay text, so that neither 1e400 nor
a million digits cost time or memory.
"""

import json
import re
from collections.abc import Callable
from enum import StrEnum
from typing import Any

from msgspec import Struct

from findable.lazy_pattern import lazy_pattern
from findable.vocabulary import Code

MAX_BLOCK_CHARS = 500_000
"""Maximum number of parsed characters, per block and per page. Parsed JSON takes up to thirty times its size in memory."""
MAX_DEPTH = 100
MAX_DUPLICATES = 20

_TOKEN = lazy_pattern(r'"(?:[^"\\]|\\.)*(?:"|\\?\Z)|[\[\]{}]', re.DOTALL)
_SLACK = lazy_pattern(r'("(?:[^"\\]|\\.)*(?:"|\\?\Z))|/\*(?:[^*]|\*(?!/))*(?:\*/|\Z)|//[^\n]*|,(?=\s*[}\]])', re.DOTALL)
_SURROGATE = lazy_pattern("[\ud800-\udfff]")
_COMMENTED_CDATA = lazy_pattern(r"/[/*]\s*<!\[CDATA\[")
"""CDATA mark in a script comment, which remains after XML has removed the section's mark."""
_WRAPPERS = (("<!--", "-->"), ("/*<![CDATA[*/", "/*]]>*/"), ("//<![CDATA[", "//]]>"), ("<![CDATA[", "]]>"))


class JsonFault(Code, params=("reason",)):
    """Fault of a JSON-LD block."""

    TOO_LARGE = "too_large", "the block is too large to be read"
    EMPTY = "empty_block", "the block is empty"
    CDATA = "cdata_marks", "a CDATA mark in a comment around the JSON: JSON has no comments"
    SEMICOLON = "semicolon", "a semicolon after the JSON"
    TOO_DEEP = "too_deep", "the block is nested too deep to be read"
    CONSTANT = "constant", "NaN and Infinity are no JSON values"
    TRAILING_COMMA_OBJECT = "trailing_comma_object", "illegal trailing comma before end of object"
    TRAILING_COMMA_ARRAY = "trailing_comma_array", "illegal trailing comma before end of array"
    PROPERTY_NAME = "property_name", "expecting property name enclosed in double quotes"
    COMMA = "comma", "expecting ',' delimiter"
    COLON = "colon", "expecting ':' delimiter"
    VALUE = "value", "expecting value"
    EXTRA_DATA = "extra_data", "extra data"
    UNTERMINATED_STRING = "unterminated_string", "unterminated string"
    CONTROL_CHARACTER = "control_character", "invalid control character"
    ESCAPE = "escape", "invalid escape"
    SYNTAX = "syntax", "invalid JSON"


_FAULTS = {
    "Expecting property name": JsonFault.PROPERTY_NAME,
    "Expecting ','": JsonFault.COMMA,
    "Expecting ':'": JsonFault.COLON,
    "Expecting value": JsonFault.VALUE,
    "Extra data": JsonFault.EXTRA_DATA,
    "Unterminated string": JsonFault.UNTERMINATED_STRING,
    "Invalid control character": JsonFault.CONTROL_CHARACTER,
    "Invalid \\": JsonFault.ESCAPE,
    "Illegal trailing comma before end of object": JsonFault.TRAILING_COMMA_OBJECT,
    "Illegal trailing comma before end of array": JsonFault.TRAILING_COMMA_ARRAY,
}
"""Faults by the beginnings of the messages of Python's JSON parser."""
_CLOSED = {(JsonFault.PROPERTY_NAME, "}"): JsonFault.TRAILING_COMMA_OBJECT, (JsonFault.VALUE, "]"): JsonFault.TRAILING_COMMA_ARRAY}


class BlockState(StrEnum):
    """Result of parsing a JSON-LD block."""

    VALID = "valid"
    LENIENT = "lenient"
    """Invalid JSON that lenient parsers accept."""
    EMPTY = "empty"
    BROKEN = "broken"
    TOO_DEEP = "too_deep"
    TOO_LARGE = "too_large"


class ParsedBlock(Struct, frozen=True):
    """Content of a JSON-LD block. ``at`` is the offset of the first fault in the original text, None if there is none."""

    state: BlockState
    value: Any = None
    reason: JsonFault | None = None
    """Fault reported by the strict parser; None if the block is valid."""
    at: int | None = None
    duplicates: tuple[str, ...] = ()
    """Keys that occur twice in one object; the last one counts."""


def parse_block(text: str, max_chars: int = MAX_BLOCK_CHARS) -> ParsedBlock:
    """Return the content of a JSON-LD script, or the fault that makes it unreadable."""
    if len(text) > max_chars:
        return ParsedBlock(BlockState.TOO_LARGE, reason=JsonFault.TOO_LARGE)
    inner, start, semicolon = _unwrap(text)
    if not inner:
        return ParsedBlock(BlockState.EMPTY, reason=JsonFault.EMPTY, at=0)
    if (deep := _too_deep_at(inner)) is not None:
        return ParsedBlock(BlockState.TOO_DEEP, reason=JsonFault.TOO_DEEP, at=start + deep)
    duplicates: list[str] = []
    try:
        value = _load(inner, duplicates)
        if (mark := _COMMENTED_CDATA.search(text, 0, start)) is not None:
            return ParsedBlock(BlockState.LENIENT, value, JsonFault.CDATA, mark.start(), tuple(duplicates))
        if semicolon is not None:
            return ParsedBlock(BlockState.LENIENT, value, JsonFault.SEMICOLON, semicolon, tuple(duplicates))
        return ParsedBlock(BlockState.VALID, value, duplicates=tuple(duplicates))
    except json.JSONDecodeError as error:
        reason, at = _reason(error)
        at += start
    except ValueError:  # NaN or Infinity, which JSON lacks
        reason, at = JsonFault.CONSTANT, start
    try:
        value = _load(_SLACK.sub(lambda found: found.group(1) or "", inner), [], strict=False)
    except ValueError:
        return ParsedBlock(BlockState.BROKEN, reason=reason, at=at)
    return ParsedBlock(BlockState.LENIENT, value, reason, at)


def _unwrap(text: str) -> tuple[str, int, int | None]:
    """Return the text without BOM, white space, marks and a semicolon around it, its offset, and the offset of the semicolon."""
    start, end = 0, len(text)
    changed = True
    while changed:
        changed = False
        while start < end and (text[start].isspace() or text[start] == "\ufeff"):
            start += 1
        while end > start and text[end - 1].isspace():
            end -= 1
        for opening, closing in _WRAPPERS:
            if text.startswith(opening, start, end):
                start, changed = start + len(opening), True
                if text.endswith(closing, start, end):
                    end -= len(closing)
                break
    has_semicolon = text.endswith(("};", "];"), start, end)
    return (text[start : end - 1], start, end - 1) if has_semicolon else (text[start:end], start, None)


def _too_deep_at(text: str) -> int | None:
    if text.count("{") + text.count("[") <= MAX_DEPTH:
        return None
    depth = 0
    for token in _TOKEN.finditer(text):
        char = token.group()
        if char in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                return token.start()
        elif char in "]}":
            depth -= 1
    return None


def _load(text: str, duplicates: list[str], *, strict: bool = True) -> Any:
    return json.loads(
        text, strict=strict, parse_int=_clean, parse_float=_clean, parse_constant=_refuse, object_pairs_hook=_collector(duplicates)
    )


def _clean(text: str) -> str:
    return _SURROGATE.sub("\ufffd", text)


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is not a JSON value")


def _collector(duplicates: list[str]) -> Callable[[list[tuple[str, Any]]], dict[str, Any]]:
    def collect(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) < len(pairs) and len(duplicates) < MAX_DUPLICATES:
            seen: set[str] = set()
            for key, _ in pairs:
                if key in seen:
                    duplicates.append(_clean(key))
                seen.add(key)
        return made

    return collect


def _reason(error: json.JSONDecodeError) -> tuple[JsonFault, int]:
    """Return the fault and its offset as Python 3.13 does; older versions report a trailing comma differently."""
    before = error.doc[: error.pos].rstrip(" \t\r\n")
    fault = next((fault for start, fault in _FAULTS.items() if error.msg.startswith(start)), JsonFault.SYNTAX)
    closed = _CLOSED.get((fault, error.doc[error.pos : error.pos + 1]))
    if closed and before.endswith(","):
        return closed, len(before) - 1
    return fault, error.pos
