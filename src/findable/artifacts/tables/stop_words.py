"""Stop words by language (Stopwords ISO)."""

from functools import cache

from msgspec import Raw, Struct, json

from findable.artifacts.tables.languages import SUPPORTED
from findable.artifacts.tables.table_file import read_table
from findable.artifacts.tables.wordings import fold


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
