"""Language that the page declares, and the one of its text."""

from msgspec import Struct

from findable.artifacts.html.parse_tree import detect_language
from findable.artifacts.page.dummy_text import is_dummy_text
from findable.artifacts.page.head import Head
from findable.artifacts.page.text import Text
from findable.artifacts.page.word_count import count_western, words_of
from findable.artifacts.registry import artifact
from findable.artifacts.tables.languages import SUPPORTED, TWO_LETTERS, primary
from findable.artifacts.tables.stop_words import function_words
from findable.lazy_pattern import lazy_pattern

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
_LATIN = lazy_pattern("[A-Za-z]{3}")


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
    count = count_western(sample)
    if count is not None and sum(map(known.__contains__, filter(str.isalpha, sample.lower().split()))) >= FUNCTION_WORD_SHARE * count:
        return True  # nearly always, splitting at spaces is enough
    found = words_of(sample)
    return sum(map(known.__contains__, map(str.lower, found))) >= FUNCTION_WORD_SHARE * len(found)
