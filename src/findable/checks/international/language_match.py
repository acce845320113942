"""The text is in another language than the page declares.

In plain words: Visitors are offered a translation that they do not need, because the page states the wrong language.

Why it matters: A screen reader reads the text with the sounds of the wrong language, and browsers offer to translate a page that the reader
understands.

How to fix: Set the lang attribute to the language of the text. It is often forgotten when a template is translated.

    <html lang="de">

Sources: [WCAG 2.2, 3.1.1 Language of Page](https://www.w3.org/TR/WCAG22/#language-of-page); [Google: Managing multi-regional and
multilingual sites](https://developers.google.com/search/docs/specialty/international/managing-multi-regional-sites) (2025): the visible
content decides.

Not judged: a lang attribute that is not a language tag (see html-lang); short texts, and languages that are too similar to distinguish.
"""

from itertools import islice

from findable.artifacts.html.document import Document
from findable.artifacts.page.language import Language
from findable.artifacts.page.language_codes import tag_fault
from findable.artifacts.page.text import Text
from findable.artifacts.page.word_count import count_words, words
from findable.artifacts.tables.languages import primary
from findable.artifacts.tables.stop_words import stop_words
from findable.artifacts.tables.table_file import read_table
from findable.artifacts.tables.wordings import fold
from findable.checks.engine import Finding, check, element, inapplicable, passed, warned
from findable.checks.page_fix import language_fix
from findable.vocabulary import EditPlace, Effort, Importance

MIN_CHARS = 200
"""Minimum length of the main text. Its language is detected from SURE_CHARS in `artifacts.page.language` on; this limit acts beside it for
scripts of a single language, such as Greek, and for pages without main text.
"""
SURE = 0.9
WORDS_READ = 2_000
MIN_PERCENT = 10
"""Minimum share of stop words in running text of every known language; lists of names, parts or places have hardly any."""
SIMILAR_LANGUAGES = read_table("similar_languages", tuple[frozenset[str], ...])
"""Similar languages that detection by letters confuses."""
NO_LANGUAGE = frozenset({"mul", "und", "zxx", "art", "la", "x", "i"})
"""Codes without one language: several, none, a private tag (``x-klingon``), or filler text that looks like Latin."""


@check(
    "Is the text in the declared language?",
    Importance.LOW,
    Effort.HEAD,
    place=EditPlace.LANGUAGE,
    warned=45,
    depends_on=("html-lang",),
    site_twins=("site-language-mix",),
)
def language_match(document: Document, text: Text, language: Language) -> Finding:
    """Compares the lang attribute with the language of the main text."""
    declared = primary(language.declared)
    if not declared:
        return inapplicable("The page declares no language")
    if tag_fault(language.declared.strip())[0]:
        return inapplicable("The page declares no valid language: see “{check}”", check="html-lang")
    if len(text.main) < MIN_CHARS or not language.detected or language.confidence < SURE:
        return inapplicable("The text is too short or too mixed to detect its language")
    root = element(document.html)
    if language.detected == declared or any({declared, language.detected} <= group for group in SIMILAR_LANGUAGES):
        return passed("The text is in {language}, as declared", language=declared, evidence=root)
    if declared in NO_LANGUAGE or language.detected in NO_LANGUAGE:
        odd = declared if declared in NO_LANGUAGE else language.detected
        return inapplicable("“{language}” is no single language of readers", language=odd)
    if _is_list(text.main, language.detected):
        return inapplicable(
            "The text is a list of names or words: less than {least_percent} of it are words of grammar", least_percent=MIN_PERCENT
        )
    return warned(
        "The lang attribute is {declared}; the text is in {detected}",
        declared=declared,
        detected=language.detected,
        evidence=root,
        fixes=[language_fix(document.html, language.detected)],
    )


def _is_list(text: str, language: str) -> bool:
    """Return whether a text has hardly any stop words of its detected language.

    Unknown languages, and scripts without spaces, are not judged.
    """
    stops = stop_words(language)
    found = [fold(word) for word in islice(words(text), WORDS_READ)]
    if not stops or 2 * len(found) < min(WORDS_READ, count_words(text)):
        return False
    return 100 * sum(word in stops and not word.isdecimal() for word in found) < MIN_PERCENT * len(found)
