"""Text of the page: visible text, main content, language and word count.

Words follow the default rules of Unicode Standard Annex 29 (Unicode 15.1), as far as they matter between letters and digits. Scripts
without spaces are counted by their usual word length, which stays within 10 % of ICU 72 on running text.
"""

import codecs
import re
from collections.abc import Callable, Iterator
from itertools import filterfalse, islice

from msgspec import Struct

from findable.artifacts.content import Content
from findable.artifacts.html.document import Document
from findable.artifacts.html.main_content import main_content
from findable.artifacts.html.parse_tree import detect_language
from findable.artifacts.page.head import Head
from findable.artifacts.page.page_url import PageUrl
from findable.artifacts.registry import artifact
from findable.artifacts.tables.languages import SUPPORTED, TWO_LETTERS, function_words, primary
from findable.formats.characters import EXTRA_DIGITS, EXTRA_LETTERS, LETTER, LETTER_NO_DIGIT, may_have_rare_characters, western_table
from findable.lazy_pattern import lazy_pattern
from findable.values import once

COUNTED_CHARS = 200_000
"""Maximum number of characters that are counted: about 35,000 words."""
SAMPLE_CHARS = 1_200
"""Maximum number of characters used to detect the language."""
SURE_CHARS = 400
"""Minimum length at which Latin-script languages can be distinguished reliably."""
SURE_CONFIDENCE = 0.8
SCRIPT_CHARS = 20
"""Minimum length at which a script used by only one language identifies it."""
FUNCTION_WORD_SHARE = 0.12
"""Share of function words from which a sample is running text: pages of a corpus and 17 languages have 0.19 to 0.64, lists of names below
0.05.
"""
SINGLE_LANGUAGE_SCRIPTS = frozenset({"ja", "zh", "th", "ko", "el", "he", "hy", "ka"})
COUNTED_LANGUAGES = frozenset({*SUPPORTED, "th"})
"""Languages whose word counts are tested against ICU."""
MAIN_WORDS = 50
"""Number of words from which extracted main content without a main heading is accepted: less may be the introduction of a list."""
NON_MAIN_TAGS = frozenset({"nav", "header", "footer", "aside", "svg"})
"""Elements whose text is not main text: navigation and the like, and labels of SVG drawings."""

# Characters per word, from ICU 72 over newspaper pages and the languages' fixture texts; a run of katakana is one word.
HAN_PER_WORD = 1.6
HIRAGANA_PER_WORD = 1.55
THAI_PER_WORD = 3.75
UNSPACED = (
    "\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\u0e01-\u0e3a\u0e40-\u0e4e"
)

_DUMMY_WORD = lazy_pattern(
    r"\b(?:lorem|ipsum|dolor|sit|amet|consectetur|adipisi?cing|elit|sed|eiusmod|tempor|incididunt|labore|dolore|magna|aliqua|enim|minim"
    r"|veniam|quis|nostrud|exercitation|ullamco|laboris|nisi|aliquip|commodo|consequat|duis|aute|irure|reprehenderit|voluptate|velit"
    r"|esse|cillum|fugiat|nulla|pariatur|excepteur|sint|occaecat|cupidatat|proident|sunt|culpa|officia|deserunt|mollit|anim|laborum)\b"
)
"""Words of dummy text (lorem ipsum), which has no language."""
DUMMY_SHARE = 0.2
"""Share of characters in words of dummy text from which a sample is dummy text."""
_LATIN = lazy_pattern("[A-Za-z]{3}")
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


def _has_unspaced(text: str) -> bool:
    """Return whether the text has a script without spaces. A pre-check rules out most texts in half the time."""
    if text.isascii():
        return False
    found = _PERHAPS_UNSPACED.search(text)
    return found is not None and _UNSPACED.search(text, found.start()) is not None


def words(text: str) -> Iterator[str]:
    """Yield the words of spaced scripts in a text, in order, as written. Only one is in memory at a time, and none is a step of Python."""
    return map(_MATCHED, _patterns(text).word.finditer(_UNSPACED.sub(" ", text) if _has_unspaced(text) else text))


def has_words(text: str, count: int) -> bool:
    """Return whether a text has at least ``count`` words; spaced scripts are read no further."""
    text = text[:COUNTED_CHARS]
    if _has_unspaced(text):
        return count_words(text) >= count
    return sum(1 for _ in islice(_patterns(text).word.finditer(text), count)) == count


def count_words(text: str) -> int:
    """Count the words in the first COUNTED_CHARS of a text, in any script."""
    text = text[:COUNTED_CHARS]
    count = _count_western(text)
    if count is not None:
        return count
    if not _has_unspaced(text):
        return _count_spaced(text)
    spaced = _count_spaced(_UNSPACED.sub(" ", text))
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


def _count_western(text: str) -> int | None:
    """Count the words of a text in Western European characters, with any symbols; None for other texts."""
    try:
        classes = text.encode("cp1252", _WITHOUT_SYMBOLS).translate(_CLASSES)
    except UnicodeEncodeError:
        return None
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


def _count_spaced(text: str) -> int:
    """Count words of spaced scripts. In the common case an alphanumeric piece between spaces is one word."""
    pieces = text.split()
    others = list(filterfalse(str.isalnum, pieces))
    return len(pieces) - len(others) + len(words_of(" ".join(others)))


class Text(Struct, frozen=True, dict=True):
    """Text of the page as far as markup determines it; white space folded."""

    visible: str
    """Text of the whole body."""
    main: str
    """Main content, may be empty.

    It is the article, product or thread. On home pages, and on pages without such text, it is ``<main>`` if there is one, else the text
    outside navigation, header, footer, aside and drawings (SVG).
    """

    @property
    def has_words(self) -> bool:
        """Whether the visible text has any words."""
        text = self.visible[:COUNTED_CHARS]
        return _patterns(text).word.search(text) is not None or _has_unspaced(text)

    @once
    def visible_count(self) -> int:
        """Number of words in the visible text."""
        return count_words(self.visible)

    @once
    def main_count(self) -> int:
        """Number of words in the main content."""
        return count_words(self.main)


class Language(Struct, frozen=True):
    """Declared and detected language of the page. Codes are ISO 639-1, or ISO 639-3 if there is none."""

    declared: str
    """Lang attribute of ``<html>`` as written; empty if there is none."""
    detected: str
    """Language of the text; empty if the text is too short or has few function words."""
    confidence: float
    """Confidence of the detection, 0–1."""
    used: str
    """Language used by checks: detected, else declared; empty if unknown."""

    @property
    def is_supported(self) -> bool:
        """Whether word lists exist for this language."""
        return self.used in SUPPORTED


@artifact
def make_text(content: Content, address: PageUrl) -> Text:
    """Return the visible text and the main content of the page."""
    return Text(content.document.text, main_text(content.document, is_home=address.is_home))


def main_text(document: Document, *, is_home: bool) -> str:
    """Return the text of the page's main content, with folded white space."""
    found = None if is_home else main_content(document)
    if found and (found.has_heading or has_words(found.text, MAIN_WORDS)):
        return found.text
    del found  # free a long text before the next one is created
    marked = " ".join(filter(None, (element.text for element in document.all("main")[:3])))
    return marked or document.text_outside(NON_MAIN_TAGS)


def is_dummy_text(sample: str) -> bool:
    """Return whether a text consists of dummy text (lorem ipsum)."""
    text = sample.lower()
    return "lorem" in text and len("".join(_DUMMY_WORD.findall(text))) > len(text) * DUMMY_SHARE


@artifact
def make_language(head: Head, text: Text) -> Language:
    """Detect the language if the text is long enough, and read the declared one."""
    declared = (head.lang or "").strip()
    sample = (text.main or text.visible)[:SAMPLE_CHARS]
    code, confidence = detect_language(sample) if len(sample) >= SCRIPT_CHARS else ("", 0.0)
    detected = TWO_LETTERS.get(code, code)
    sure = detected in SINGLE_LANGUAGE_SCRIPTS or (len(sample) >= SURE_CHARS and _has_sentences(sample, detected))
    if not sure or confidence < SURE_CONFIDENCE or is_dummy_text(sample):
        detected, confidence = "", 0.0
    return Language(declared, detected, round(confidence, 2), detected or primary(declared))


def _has_sentences(sample: str, language: str) -> bool:
    """Return whether the text contains function words of the language, which a list of names or products does not."""
    known = function_words(language)
    if not known:
        return _LATIN.search(sample) is None  # few languages share another script
    count = _count_western(sample)
    if count is not None and sum(map(known.__contains__, filter(str.isalpha, sample.lower().split()))) >= FUNCTION_WORD_SHARE * count:
        return True  # nearly always, splitting at spaces is enough
    found = words_of(sample)
    return sum(map(known.__contains__, map(str.lower, found))) >= FUNCTION_WORD_SHARE * len(found)
