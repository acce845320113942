"""Word lists and wordings by language, for checks that depend on words.

The languages of `SUPPORTED` are supported. In other languages such a check is inapplicable, never a wrong number. Languages are ISO
639-1 codes (``en``). Wordings have the form that `fold` returns: lower case, straight apostrophes, single spaces, no final punctuation.
Compiled by hand in November 2026 from the texts of content systems and well-known sites.
"""

import re
from collections.abc import Mapping
from functools import cache

from msgspec import Raw, Struct, json

from findable.artifacts.tables.language_tags import PREFERRED, UNREGISTERED
from findable.artifacts.tables.table_file import read_table
from findable.formats.characters import compatible
from findable.vocabulary import name_values

SUPPORTED = ("en", "de", "fr", "es", "it", "nl", "ja", "zh", "ar")


class _Tables(Struct, frozen=True):
    """Contents of data/languages.json."""

    as_of: str
    names: dict[str, str]
    two_letters: dict[str, str]
    not_found: dict[str, tuple[str, ...]]
    generic_anchors: dict[str, frozenset[str]]
    generic_titles: dict[str, frozenset[str]]


_tables = read_table("languages", _Tables)
NAMES: Mapping[str, str] = _tables.names
TWO_LETTERS: Mapping[str, str] = {**PREFERRED, **UNREGISTERED, **_tables.two_letters}
"""Withdrawn codes and those of ISO 639-2 and 639-3, with the code that names the language here, of two letters if there is one."""
NOT_FOUND: Mapping[str, tuple[str, ...]] = _tables.not_found
"""Wordings of titles and main headings of error pages, long enough not to occur in ordinary headings."""
GENERIC_ANCHORS: Mapping[str, frozenset[str]] = _tables.generic_anchors
"""Complete link texts that do not describe the target (Lighthouse 13 link-text lists, WCAG 2.4.4, and additions)."""
GENERIC_TITLES: Mapping[str, frozenset[str]] = _tables.generic_titles
"""Complete titles that do not describe a page."""
name_values(("declared", "detected", "language"), NAMES, __name__)

_APOSTROPHES = "\u2019\u02bc\u2018\u00b4`"
_EDGES = " \t\n.,;:!?…»«›‹>→⟶-–—|·•()[]\"“”„'。、！？：；（）「」؟،"
_CLOSED_SCRIPTS = frozenset({"ja", "zh"})


def fold(text: str) -> str:
    """Normalize text to the form of these wordings: compatibility forms, lower case, single spaces, no punctuation at the edges."""
    if text.isascii():  # nothing to normalize, as in most link texts
        text = text.replace("`", "'")
    else:
        text = compatible(text)
        for sign in _APOSTROPHES:  # five searches are faster than testing each character
            text = text.replace(sign, "'")
    return " ".join(text.casefold().split()).strip(_EDGES)


def file_words(url: str) -> str:
    """Return the words of the last part of a URL's path, in the form of `fold`: "learn more" for ``/docs/learn-more.html?a``."""
    path = url.partition("?")[0].partition("#")[0].rstrip("/")
    return fold(path.rpartition("/")[2].partition(".")[0].replace("-", " ").replace("_", " "))


def primary(tag: str | None) -> str:
    """Return the language of a language tag, ISO 639-1 if it has one: ``de-AT`` → ``de``, ``cmn`` → ``zh``; empty for none."""
    if not tag:
        return ""
    language = re.split(r"[-_]", tag.strip().lower(), maxsplit=1)[0]
    return TWO_LETTERS.get(language, language)


class _StopWords(Struct, frozen=True):
    """Contents of data/stop_words.json: the lists of Stopwords ISO."""

    words: dict[str, Raw]


@cache
def _stop_words_iso(language: str) -> tuple[str, ...]:
    """Return the words of a language in Stopwords ISO; none if there is no list. Those of all languages take 2 ms."""
    found = read_table("stop_words", _StopWords).words.get(language)
    return () if found is None else json.decode(found, type=tuple[str, ...])


@cache
def stop_words(language: str) -> frozenset[str]:
    """Return the stop words of a language in lower case (Stopwords ISO); empty for an unsupported language."""
    if language not in SUPPORTED:
        return frozenset()
    return frozenset(fold(word) for word in _stop_words_iso(language)) - {""}


_WORDS_OF = {"nb": "no", "nn": "no", "sr": "hr", "bs": "hr"}
"""Languages without a list, with the language whose function words they share."""


@cache
def function_words(language: str) -> frozenset[str]:
    """Return the function words of a language in lower case (Stopwords ISO); empty if there is no list."""
    code = _WORDS_OF.get(language, language)
    return frozenset(word.lower() for word in _stop_words_iso(code))


@cache
def _not_found_pattern(language: str) -> re.Pattern[str]:
    alternatives = "|".join(re.escape(wording) for wording in sorted(NOT_FOUND[language], key=len, reverse=True))
    return re.compile(alternatives) if language in _CLOSED_SCRIPTS else re.compile(rf"(?<!\w)(?:{alternatives})(?!\w)")


def not_found_wording(text: str, language: str) -> str:
    """Return the wording of NOT_FOUND that a title or heading contains as whole words; empty if none.

    English is tested in every language, because servers return "404 Not Found" everywhere. Unsupported languages have only English.
    """
    folded = fold(text)
    for known in dict.fromkeys((language, "en")):
        if known in NOT_FOUND and (found := _not_found_pattern(known).search(folded)):
            return found.group()
    return ""
