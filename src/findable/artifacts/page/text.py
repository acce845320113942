"""The page's text: what is visible, what of it is the main content, in which language, and how many words it has.

Words are those of Unicode Standard Annex 29 (Unicode 15.1), default rules, so far as they matter between letters and digits. Scripts
without spaces are counted by their usual length of a word, which stays within 10 % of ICU 72 on running text.
"""

import re
from collections.abc import Iterator
from itertools import filterfalse, islice

from msgspec import Struct

from findable.artifacts.browser.rendered_page import Rendered
from findable.artifacts.html.document import Document, detect_language
from findable.artifacts.page.client_side_rendering import is_script_shell
from findable.artifacts.page.head import Head
from findable.artifacts.registry import Absent, artifact
from findable.artifacts.tables.languages import SUPPORTED, TWO_LETTERS, primary
from findable.formats.characters import DIGITS_BESIDE, LETTER, LETTER_NO_DIGIT, LETTERS_BESIDE, may_hold_added
from findable.values import once
from findable.vocabulary import Verdict

COUNTED_CHARS = 200_000
"""Text beyond this is not looked at: about 35,000 words."""
SAMPLE_CHARS = 1_200
"""How much text tells its language."""
SURE_CHARS = 400
"""Shorter texts do not tell one Latin language from another reliably."""
SURE_CONFIDENCE = 0.8
SCRIPT_CHARS = 20
"""From here on a text in a script of one language tells it."""
TELLING_SCRIPTS = frozenset({"ja", "zh", "th", "ko", "el", "he", "hy", "ka"})
COUNTED_LANGUAGES = frozenset({*SUPPORTED, "th"})
"""Languages whose word counts are tested against ICU."""
MAIN_WORDS = 50
MAIN_SHARE = 0.3
"""The parser's guess at the main content is trusted from this many words and this share of the visible text on."""
MAX_GUESS_ELEMENTS = 100_000
"""More, in deep tables, cost the guess half a second."""
MAX_GUESS_CHARS = 1_000_000
"""Of a longer text the guess would make copies that take ten times its room."""
BOILERPLATE_TAGS = frozenset({"nav", "header", "footer", "aside"})

# Characters per word, from ICU 72 over newspaper pages and the languages' fixture texts; katakana is a word a run.
HAN_PER_WORD = 1.6
HIRAGANA_PER_WORD = 1.55
THAI_PER_WORD = 3.75
UNSPACED = (
    "\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\u0e01-\u0e3a\u0e40-\u0e4e"
)

_HAN = re.compile("[\u2e80-\u2fdf\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_HIRAGANA = re.compile("[\u3040-\u309f]")
_KATAKANA = re.compile("[\u30a0-\u30ff\u31f0-\u31ff\uff66-\uff9f]+")
_THAI = re.compile("[\u0e01-\u0e3a\u0e40-\u0e4e]")
_UNSPACED = re.compile(f"[{UNSPACED}]+")
_PERHAPS_UNSPACED = re.compile("[\u0e01-\u0e4e\u2e80-\uffff]")
"""Where all of UNSPACED stands, and more."""
_MARKS = (
    "\u00ad\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u061c\u064b-\u065f\u0670\u06d6-\u06dc"
    "\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0900-\u0963\u0966-\u0dff\u200c\u200d\u2060\ufe00-\ufe0f"
)


class _Patterns:
    """A word, and a word or what ends a phrase; with letters and digits beside those that this Python knows."""

    def __init__(self, letter: str, letter_no_digit: str, letters_beside: str, digits_beside: str) -> None:
        letters = rf"[\w{letters_beside}{_MARKS}]"
        digit = rf"[\d{digits_beside}]"
        joined = rf"(?=[.,:;·'’‘․‧])(?:(?<={digit})[.,;'’](?={digit})|(?<={letter_no_digit})[.:·'’‘․‧](?={letter_no_digit}))"
        # Possessive: a word is never given back in part, and asking costs a third.
        self.word = re.compile(rf"{letter}{letters}*+(?:{joined}{letters}++)*+")
        self.word_or_break = re.compile(rf"{self.word.pattern}|[^\w{letters_beside}\s'’·-]|(?<=\s)-(?=\s)")


_PLAIN = _Patterns(r"[^\W_]", r"[^\W\d_]", "", "")
_WITH_ADDED = _Patterns(LETTER, LETTER_NO_DIGIT, LETTERS_BESIDE, DIGITS_BESIDE)


def _patterns(text: str) -> _Patterns:
    """Those that are right for a text; the fewer characters they must tell apart, the faster they are."""
    return _WITH_ADDED if may_hold_added(text) else _PLAIN


def words_and_breaks(text: str) -> list[str]:
    """Words, and between them each mark that ends a phrase: punctuation, a dash between spaces."""
    return _patterns(text).word_or_break.findall(text)


def words_of(text: str) -> list[str]:
    """Like `words`, for a text that is known to hold spaced scripts only."""
    return _patterns(text).word.findall(text)


def _has_unspaced(text: str) -> bool:
    """Whether any of it is in a script without spaces; most texts have nothing that could be, and that is seen in half the time."""
    if text.isascii():
        return False
    found = _PERHAPS_UNSPACED.search(text)
    return found is not None and _UNSPACED.search(text, found.start()) is not None


def words(text: str) -> Iterator[str]:
    """The words of the spaced scripts in a text, in order, as written."""
    for match in _patterns(text).word.finditer(_UNSPACED.sub(" ", text) if _has_unspaced(text) else text):
        yield match.group()


def has_words(text: str, count: int) -> bool:
    """Whether a text has at least so many words; read no further than that, where its script has spaces."""
    text = text[:COUNTED_CHARS]
    if _has_unspaced(text):
        return count_words(text) >= count
    return sum(1 for _ in islice(_patterns(text).word.finditer(text), count)) == count


def count_words(text: str) -> int:
    """How many words the first COUNTED_CHARS of a text have, whatever its script."""
    text = text[:COUNTED_CHARS]
    if not _has_unspaced(text):
        return _count_spaced(text)
    spaced = _count_spaced(_UNSPACED.sub(" ", text))
    unspaced = len(_HAN.findall(text)) / HAN_PER_WORD + len(_HIRAGANA.findall(text)) / HIRAGANA_PER_WORD
    unspaced += len(_KATAKANA.findall(text)) + len(_THAI.findall(text)) / THAI_PER_WORD
    return spaced + (max(1, round(unspaced)) if unspaced else 0)


def _count_spaced(text: str) -> int:
    """How many words of spaced scripts a text has. What stands between spaces and is all letters and digits is one: most of it is."""
    pieces = text.split()
    others = list(filterfalse(str.isalnum, pieces))
    return len(pieces) - len(others) + len(words_of(" ".join(others)))


class Text(Struct, frozen=True, dict=True):
    """What can be read on the page, as far as markup tells; white space folded."""

    visible: str
    """All of the body."""
    main: str
    """Without what stands on every page: ``<main>`` where there is one, else the parser's guess where it is believable, else what
    stands outside navigation, header, footer and aside. May be empty."""

    @property
    def has_words(self) -> bool:
        """Whether there is any word."""
        text = self.visible[:COUNTED_CHARS]
        return _patterns(text).word.search(text) is not None or _has_unspaced(text)

    @once
    def visible_count(self) -> int:
        """Words of the body."""
        return count_words(self.visible)

    @once
    def main_count(self) -> int:
        """Words of the main content."""
        return count_words(self.main)


class Language(Struct, frozen=True):
    """Which language the page is in and says to be in. Codes are ISO 639-1, or ISO 639-3 where there is none."""

    declared: str
    """The lang attribute of ``<html>`` as written; empty where there is none."""
    detected: str
    """By the text; empty where the text is too short to tell."""
    confidence: float
    """0–1, of the detection."""
    used: str
    """What the checks go by: detected, else declared; empty where neither tells."""

    @property
    def supported(self) -> bool:
        """Whether words of this language are known here."""
        return self.used in SUPPORTED


@artifact
def make_text(document: Document, rendered: Rendered | None) -> Text | Absent:
    """Reads the body once. A page that scripts build has its text elsewhere."""
    if rendered is None and is_script_shell(document):
        return Absent("not known: scripts build this page, and it was read without a browser", Verdict.UNKNOWN)
    visible = document.text
    return Text(visible, _main_text(document, visible))


def _main_text(document: Document, visible: str) -> str:
    marked = " ".join(element.text for element in document.all("main")[:3])
    if marked:
        return marked
    may_guess = document.element_count <= MAX_GUESS_ELEMENTS and len(visible) <= MAX_GUESS_CHARS
    guess = document.main_text if may_guess else ""
    if MAIN_SHARE * len(visible) < len(guess) <= len(visible) and has_words(guess, MAIN_WORDS):
        return guess
    return document.text_outside(BOILERPLATE_TAGS)


@artifact
def make_language(head: Head, text: Text) -> Language:
    """Detects the language where the text is long enough; says what is declared."""
    declared = (head.lang or "").strip()
    sample = (text.main or text.visible)[:SAMPLE_CHARS]
    code, confidence = detect_language(sample) if len(sample) >= SCRIPT_CHARS else ("", 0.0)
    detected = TWO_LETTERS.get(code, code)
    sure = detected in TELLING_SCRIPTS or len(sample) >= SURE_CHARS
    if not sure or confidence < SURE_CONFIDENCE:
        detected, confidence = "", 0.0
    return Language(declared, detected, round(confidence, 2), detected or primary(declared))
