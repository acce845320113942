"""Properties of characters, independent of the Python version: 3.11 has Unicode 14.0, 3.12 has 15.0 and 3.13 has 15.1.

The additions of 15.0 and 15.1 are listed here, from their UnicodeData.txt and EastAsianWidth.txt. Older characters have not changed.
"""

import unicodedata
from bisect import bisect_right
from collections.abc import Callable

from findable.lazy_pattern import lazy_pattern

Ranges = tuple[tuple[int, int], ...]
CJK_LETTERS = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
"""Content of a regular expression set of Chinese, Japanese and Korean letters. Compiling one takes 2 ms."""
_CJK = lazy_pattern(f"[{CJK_LETTERS}]")


def _ranges(text: str) -> Ranges:
    """Parse ``10EFD-10EFF 11241`` into pairs of code points."""
    return tuple((int(first, 16), int(last or first, 16)) for first, _, last in (part.partition("-") for part in text.split()))


_ADDED = _ranges(
    "CF3 ECE 2FFC-2FFF 31EF 10EFD-10EFF 1123F-11241 11B00-11B09 11F00-11F10 11F12-11F3A 11F3E-11F59 1342F 13439-13455 1B132 1B155 "
    "1D2C0-1D2D3 1DF25-1DF2A 1E030-1E06D 1E08F 1E4D0-1E4F9 1F6DC 1F774-1F776 1F77B-1F77F 1F7D9 1FA75-1FA77 1FA87-1FA88 1FAAD-1FAAF "
    "1FABB-1FABD 1FABF 1FACE-1FACF 1FADA-1FADB 1FAE8 1FAF7-1FAF8 2B739 2EBF0-2EE5D 31350-323AF"
)
_ADDED_LETTERS = _ranges(
    "1123F-11240 11F02 11F04-11F10 11F12-11F33 11F50-11F59 1342F 13441-13446 1B132 1B155 1D2C0-1D2D3 1DF25-1DF2A 1E030-1E06D "
    "1E4D0-1E4EB 1E4F0-1E4F9 2B739 2EBF0-2EE5D 31350-323AF"
)
r"""Added letters and numbers, which ``\w`` matches."""
_ADDED_DIGITS = _ranges("11F50-11F59 1E4F0-1E4F9")
_ADDED_ZERO_WIDTH = _ranges("ECE 10EFD-10EFF 11241 11F00-11F01 11F36-11F3A 11F40 11F42 13439-13440 13447-13455 1E08F 1E4EC-1E4EF")
_ADDED_WIDE = _ranges(
    "2FFC-2FFF 31EF 1B132 1B155 1F6DC 1FA75-1FA77 1FA87-1FA88 1FAAD-1FAAF 1FABB-1FABD 1FABF 1FACE-1FACF 1FADA-1FADB 1FAE8 1FAF7-1FAF8 "
    "2B739 2EBF0-2EE5D 31350-323AF"
)
_ADDED_MODIFIERS = dict(zip(range(0x1E030, 0x1E06E), "абвгдежзиклмопрстуфхцчшыэюꚉәіјөүӏабвгдежзиклопсуфхцчшъыґіѕџҫꙑұ", strict=True))
"""Modifier letters and their NFKC equivalents."""


def _class_of(ranges: Ranges) -> str:
    """Return the content of a regular expression set; empty if the classes of this Python version already include the ranges."""
    known = all(unicodedata.category(chr(first)) != "Cn" for first, _ in ranges)
    return "" if known else "".join(f"{chr(first)}-{chr(last)}" for first, last in ranges)


EXTRA_LETTERS = _class_of(_ADDED_LETTERS)
r"""Characters to add to a regular expression set with ``\w``."""
EXTRA_DIGITS = _class_of(_ADDED_DIGITS)
r"""Characters to add to a regular expression set with ``\d``."""
LETTER = rf"(?:[^\W_]|[{EXTRA_LETTERS}])" if EXTRA_LETTERS else r"[^\W_]"
"""Pattern of one letter or digit."""
_EXTRA_NO_DIGITS = _class_of(tuple(pair for pair in _ADDED_LETTERS if pair not in _ADDED_DIGITS))
LETTER_NO_DIGIT = rf"(?:[^\W\d_]|[{_EXTRA_NO_DIGITS}])" if _EXTRA_NO_DIGITS else r"[^\W\d_]"
"""Pattern of one letter, not a digit."""


def _is_in_ranges(ranges: Ranges, point: int) -> bool:
    at = bisect_right(ranges, (point, 0x110000)) - 1
    return at >= 0 and point <= ranges[at][1]


def is_letter(char: str) -> bool:
    """Return whether the character is a letter or a number."""
    return char.isalnum() or _is_in_ranges(_ADDED_LETTERS, ord(char))


def is_latin(char: str) -> bool:
    """Return whether the character is a letter of the Latin script."""
    return unicodedata.name(char, "").startswith("LATIN ")


def has_no_width(char: str) -> bool:
    """Return whether the character is a combining mark, a format character or a control character."""
    return unicodedata.category(char) in {"Mn", "Me", "Cf", "Cc"} or _is_in_ranges(_ADDED_ZERO_WIDTH, ord(char))


def has_cjk(text: str) -> bool:
    """Return whether the text has Chinese, Japanese or Korean letters."""
    return max(text, default="") >= "\u3040" and _CJK.search(text) is not None


def is_wide(char: str) -> bool:
    """Return whether the character is as wide as an ideograph. Unassigned code points are not."""
    point = ord(char)
    if _is_in_ranges(_ADDED, point):
        return _is_in_ranges(_ADDED_WIDE, point)
    return unicodedata.east_asian_width(char) in "WF" and unicodedata.category(char) != "Cn"


def may_have_rare_characters(text: str) -> bool:
    """Return whether the text has characters beyond U+FFFF. Nearly all additions are there, and few texts have any."""
    return not text.isascii() and len(text.encode("utf-16-le", "surrogatepass")) > 2 * len(text)


def western_bytes(text: str) -> bytes | None:
    """Return a text as Windows-1252, one byte for each character; None if it has other characters.

    Byte functions are much faster than regular expressions.
    """
    if text.isascii():
        return text.encode("ascii")
    try:
        return text.encode("cp1252")
    except UnicodeEncodeError:
        return None


def western_table(class_of: Callable[[str], str]) -> bytes:
    """Return the table for ``bytes.translate`` that replaces each Windows-1252 character with the letter of its class."""
    chars = (bytes([byte]).decode("cp1252", "ignore") for byte in range(256))
    return "".join(class_of(char) if char else " " for char in chars).encode("cp1252")


def compatible(text: str) -> str:
    """Return the text in the normalization form NFKC."""
    return unicodedata.normalize("NFKC", text.translate(_ADDED_MODIFIERS) if may_have_rare_characters(text) else text)
