"""Words of texts: found, and counted.

Words follow the default rules of Unicode Standard Annex 29 (Unicode 15.1), as far as they matter between letters and digits. Scripts
without spaces are counted by their usual word length, which stays within 10 % of ICU 72 on running text.
"""

import codecs
import re
from collections.abc import Callable, Iterator
from itertools import filterfalse, islice

from findable.artifacts.tables.languages import SUPPORTED
from findable.formats.characters import EXTRA_DIGITS, EXTRA_LETTERS, LETTER, LETTER_NO_DIGIT, may_have_rare_characters, western_table
from findable.lazy_pattern import lazy_pattern

COUNTED_CHARS = 200_000
"""Maximum number of characters that are counted: about 35,000 words."""
COUNTED_LANGUAGES = frozenset({*SUPPORTED, "th"})
"""Languages whose word counts are tested against ICU."""

# Characters per word, from ICU 72 over newspaper pages and the languages' fixture texts; a run of katakana is one word.
HAN_PER_WORD = 1.6
HIRAGANA_PER_WORD = 1.55
THAI_PER_WORD = 3.75
UNSPACED = (
    "\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\u0e01-\u0e3a\u0e40-\u0e4e"
)
_HAN = lazy_pattern("[\u2e80-\u2fdf\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_HIRAGANA = lazy_pattern("[\u3040-\u309f]")
_KATAKANA = lazy_pattern("[\u30a0-\u30ff\u31f0-\u31ff\uff66-\uff9f]+")
_THAI = lazy_pattern("[\u0e01-\u0e3a\u0e40-\u0e4e]")
_UNSPACED = lazy_pattern(f"[{UNSPACED}]+")
_PERHAPS_UNSPACED = lazy_pattern("[\u0e01-\u0e4e\u2e80-\uffff]")
"""Superset of UNSPACED, as a fast pre-check."""
_MARKS = (
    "\u00ad\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u061c\u064b-\u065f\u0670\u06d6-\u06dc"
    "\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0900-\u0963\u0966-\u0dff\u200c\u200d\u2060\ufe00-\ufe0f"
)


class _Patterns:
    """Patterns of a word, and of a word or the end of a phrase, including letters and digits unknown to this Python version."""

    def __init__(self, letter: str, letter_no_digit: str, extra_letters: str, extra_digits: str) -> None:
        letters = rf"[\w{extra_letters}{_MARKS}]"
        digit = rf"[\d{extra_digits}]"
        joined = rf"(?=[.,:;·'’‘․‧])(?:(?<={digit})[.,;'’](?={digit})|(?<={letter_no_digit})[.:·'’‘․‧](?={letter_no_digit}))"
        # Possessive quantifiers of characters: words are never split, and backtracking costs time.
        word = rf"{letter}{letters}*+(?:{joined}{letters}++)*"
        self.word = lazy_pattern(word)
        self.word_or_break = lazy_pattern(rf"{word}|[^\w{extra_letters}\s'’·-]|(?<=\s)-(?=\s)")


_PLAIN = _Patterns(r"[^\W_]", r"[^\W\d_]", "", "")
_WITH_ADDED = _Patterns(LETTER, LETTER_NO_DIGIT, EXTRA_LETTERS, EXTRA_DIGITS)
_MATCHED: Callable[[re.Match[str]], str] = re.Match.group


def _patterns(text: str) -> _Patterns:
    """Return the fastest patterns that are correct for a text."""
    return _WITH_ADDED if may_have_rare_characters(text) else _PLAIN


def words_and_breaks(text: str) -> list[str]:
    """Return words, and each mark that ends a phrase between them: punctuation, a dash between spaces."""
    return _patterns(text).word_or_break.findall(text)


def words_of(text: str) -> list[str]:
    """Return the words of a text that has only spaced scripts."""
    return _patterns(text).word.findall(text)


def unordered_words_of(text: str) -> list[str]:
    """Return the words of a text that has only spaced scripts, in any order. In the common case a piece between spaces is one word."""
    pieces = text.split()
    return [*filter(str.isalnum, pieces), *words_of(" ".join(filterfalse(str.isalnum, pieces)))]


def _has_unspaced(text: str) -> bool:
    """Return whether the text has a script without spaces. A pre-check rules out most texts in half the time."""
    if text.isascii():
        return False
    found = _PERHAPS_UNSPACED.search(text)
    return found is not None and _UNSPACED.search(text, found.start()) is not None


def words(text: str) -> Iterator[str]:
    """Yield the words of spaced scripts in a text, in order, as written. Only one is in memory at a time, and none is a step of Python."""
    return map(_MATCHED, _patterns(text).word.finditer(_UNSPACED.sub(" ", text) if _has_unspaced(text) else text))


def has_any_word(text: str) -> bool:
    """Return whether a text has a word, in any script."""
    text = text[:COUNTED_CHARS]
    return _patterns(text).word.search(text) is not None or _has_unspaced(text)


def has_words(text: str, count: int) -> bool:
    """Return whether a text has at least ``count`` words; spaced scripts are read no further."""
    text = text[:COUNTED_CHARS]
    if _has_unspaced(text):
        return count_words(text) >= count
    return sum(1 for _ in islice(_patterns(text).word.finditer(text), count)) == count


def count_words(text: str) -> int:
    """Count the words in the first COUNTED_CHARS of a text, in any script."""
    text = text[:COUNTED_CHARS]
    count = count_western(text)
    if count is not None:
        return count
    if not _has_unspaced(text):
        return len(unordered_words_of(text))
    spaced = len(unordered_words_of(_UNSPACED.sub(" ", text)))
    unspaced = len(_HAN.findall(text)) / HAN_PER_WORD + len(_HIRAGANA.findall(text)) / HIRAGANA_PER_WORD
    unspaced += len(_KATAKANA.findall(text)) + len(_THAI.findall(text)) / THAI_PER_WORD
    return spaced + (max(1, round(unspaced)) if unspaced else 0)


def _class_of(char: str) -> str:
    """Return ``0`` for a digit, ``a`` for a letter, ``_`` for a character that occurs only inside words, else the classes it may join."""
    if _PLAIN.word.fullmatch(char):
        return "0" if char.isdecimal() else "a"
    if _PLAIN.word.fullmatch(f"a{char}"):
        return "_"
    joins_digits, joins_letters = (_PLAIN.word.fullmatch(f"{beside}{char}{beside}") is not None for beside in "0a")
    return {(True, True): ".", (True, False): ",", (False, True): ":"}.get((joins_digits, joins_letters), " ")


_CLASSES = western_table(_class_of)
_LETTERS = bytes(ord("a") if name in b"0a_" else ord(" ") for name in range(256))
_INNER = bytes(ord("a") if name in b"0a" else name if name in b"_" else ord(" ") for name in range(256))
_SYMBOLS = lazy_pattern(rf"[^\w{EXTRA_LETTERS}{_MARKS}․‧]+")
"""Characters that neither belong to words nor join them."""
_WITHOUT_SYMBOLS = "findable.without-symbols"


def _drop_symbols(error: UnicodeError) -> tuple[str, int]:
    """Handle characters that Windows-1252 lacks: symbols become spaces, others end the attempt."""
    if not isinstance(error, UnicodeEncodeError) or not _SYMBOLS.fullmatch(error.object, error.start, error.end):
        try:
            raise error
        finally:
            # The error and its frame form a reference cycle with the text; break it, because the garbage collector is off during checks.
            del error
    return " " * (error.end - error.start), error.end


codecs.register_error(_WITHOUT_SYMBOLS, _drop_symbols)
_JOINING = ((b".", (b"0", b"a")), (b",", (b"0",)), (b":", (b"a",)))
"""Joining characters, and the class required on both sides."""


def count_western(text: str) -> int | None:
    """Count the words of a text in Western European characters, with any symbols; None for other texts."""
    try:
        written = text.encode() if text.isascii() else text.encode("cp1252", _WITHOUT_SYMBOLS)  # ASCII is encoded at once
    except UnicodeEncodeError:
        return None
    classes = written.translate(_CLASSES)
    count = (b" " + classes.translate(_LETTERS)).count(b" a")
    if b"_" in classes:
        count -= _count_alone(classes)
    return count - sum(_count_joined(classes, sign, beside) for sign, beside in _JOINING)


def _count_joined(classes: bytes, sign: bytes, beside: tuple[bytes, ...]) -> int:
    """Count the places where a character joins its two neighbours into one word."""
    before, *parts = classes.split(sign)
    count = 0
    for part in parts:
        if part[:1] in beside and part[:1] == before[-1:]:
            count += 1
        before = part
    return count


def _count_alone(classes: bytes) -> int:
    """Count the runs of word-internal characters that have no adjacent letter."""
    found = b" " + classes.translate(_INNER) + b" "
    while b"__" in found:
        found = found.replace(b"__", b"_")
    return found.replace(b" ", b"  ").count(b" _ ")
