"""Terms of one to three words in the main content, and whether the title, headings and other texts of the page contain them."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from urllib.parse import unquote

from msgspec import Struct

from findable.artifacts.html.document import Document
from findable.artifacts.page.head import Head
from findable.artifacts.page.headings import Headings
from findable.artifacts.page.language import Language
from findable.artifacts.page.text import Text
from findable.artifacts.page.word_count import unordered_words_of, words, words_and_breaks
from findable.artifacts.page.word_stems import STEM_CHARS, same_stem
from findable.artifacts.registry import Absent, artifact
from findable.artifacts.tables.languages import NAMES
from findable.artifacts.tables.stop_words import stop_words
from findable.artifacts.tables.wordings import fold
from findable.formats.characters import is_letter
from findable.lazy_pattern import lazy_pattern
from findable.urls import parse

COUNTED_CHARS = 12_000
_CHANGED_LETTER = lazy_pattern(r"\[(\w{1,3})\](?=\w)")
"""Letter that an editor changed at the beginning of a quotation: "[V]ielen Dank"."""
"""Characters in which terms are counted: about 2,000 words."""
MAX_TERMS = 20
MAX_PHRASES = 10
"""Number of terms with two words, and with three words, that are returned."""
PLACE_CHARS = 2_000
"""Characters of a title, of all alternative texts … that are compared."""
MIN_COUNT = 2
MIN_CHARS = 2
HAN_CHARS = (4, 3, 2)
"""Lengths of Chinese terms, longest first."""

_HAN_RUN = lazy_pattern("[\u3400-\u4dbf\u4e00-\u9fff\u3005]{2,}")
_KATAKANA_RUN = lazy_pattern("[\u30a1-\u30fa\u30fc]{2,}")
ELISIONS = frozenset({"fr", "it"})
_ELISION = lazy_pattern(r"\b(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|quoiqu|un|dell|all|nell|sull|dall|quest|quell|sant|bell)'(?=\w)")


class Term(Struct, frozen=True):
    """Term of one to three words that repeats."""

    text: str
    """Term in lower case with single spaces."""
    length: int
    """Number of words; 1 in Chinese and Japanese."""
    count: int
    in_title: bool
    in_heading: bool
    """Whether a first-level heading contains it, in its text or its accessible name."""
    in_description: bool
    in_url: bool
    in_alt: bool


class FrequentWord(Struct, frozen=True):
    """Repeated word in lower case, and whether title and main heading contain it."""

    text: str
    count: int
    in_title: bool
    in_heading: bool


class FrequentWords(Struct, frozen=True):
    """Words that occur at least MIN_COUNT times in the main content, most frequent first."""

    language: str
    words_count: int
    """Number of words in which terms were counted, stop words included."""
    words: tuple[FrequentWord, ...]
    mostly_code: bool
    """Whether more than half of the text is code or definitions, which repeat the words of a language or an interface."""
    text: str = ""
    """Text in lower case in which phrases are searched; empty in Chinese and Japanese."""
    phrase_words: frozenset[str] = frozenset()
    """Words that can be part of a phrase."""


@artifact
def make_frequent_words(document: Document, head: Head, headings: Headings, text: Text, language: Language) -> FrequentWords | Absent:
    """Count words, if the stop words of the language are known."""
    if not language.is_supported:
        if not language.used:
            return Absent("the language of the page is not known")
        return Absent("terms are not counted in the language “{language}”", params={"language": NAMES.get(language.used, language.used)})
    body = _CHANGED_LETTER.sub(r"\1", (text.main or text.visible)[:COUNTED_CHARS])
    title, heading = _ComparedText(head.title), _ComparedText(_heading_text(headings))

    def words_of(counts: Counted) -> tuple[FrequentWord, ...]:
        return tuple(FrequentWord(term, count, title.holds(term), heading.holds(term)) for term, count in counts)

    if language.used in ("ja", "zh"):
        counted, single = _count_unspaced(body, language.used)
        return FrequentWords(language.used, counted, words_of(single), _is_mostly_code(document))
    stops = stop_words(language.used)
    lower = _strip_clitics(body.lower().replace("’", "'"), language.used)
    found = unordered_words_of(lower)
    repeated = {word: count for word, count in Counter(found).items() if count >= MIN_COUNT and _is_term(word, stops)}
    frequent = words_of(_most_frequent(repeated.items()))
    return FrequentWords(language.used, len(found), frequent, _is_mostly_code(document), lower, frozenset(repeated))


class Keywords(Struct, frozen=True):
    """Terms that occur at least MIN_COUNT times in the main content, most frequent first."""

    language: str
    words_count: int
    """Number of words in which terms were counted, stop words included."""
    single: tuple[Term, ...]
    pairs: tuple[Term, ...]
    triples: tuple[Term, ...]
    mostly_code: bool = False
    """Whether more than half of the text is code or definitions, which repeat the words of a language or an interface."""


@artifact
def make_keywords(document: Document, head: Head, headings: Headings, frequent: FrequentWords) -> Keywords:
    """Add repeated phrases to the frequent words, and look up all terms in titles, headings and the other texts."""
    compared = _compared_texts(document, head, headings)
    single = [(word.text, word.count) for word in frequent.words]
    counts = (single, *_phrases(frequent))
    one, two, three = (
        tuple(Term(term, length, count, *(text.holds(term) for text in compared)) for term, count in found)
        for length, found in enumerate(counts, 1)
    )
    return Keywords(frequent.language, frequent.words_count, one, two, three, frequent.mostly_code)


CODE_TAGS = frozenset({"pre", "code", "dl"})
CODE_SHARE = 0.5


def _is_mostly_code(document: Document) -> bool:
    if document.tag_counts.keys().isdisjoint(CODE_TAGS):
        return False
    return len(document.text_outside(CODE_TAGS)) < (1 - CODE_SHARE) * len(document.text)


Counted = list[tuple[str, int]]


def _phrases(frequent: FrequentWords) -> tuple[Counted, Counted]:
    """Return the terms of two and of three words."""
    tokens = tuple(words_and_breaks(frequent.text))
    marked = {at for at, token in enumerate(tokens) if token in frequent.phrase_words}
    pairs = Counter((tokens[at], tokens[at + 1]) for at in marked if at + 1 in marked)
    triples = Counter(tokens[at : at + 3] for at in marked if at + 2 in marked and not _is_break(tokens[at + 1]))
    return _most_frequent(_join_phrases(pairs.items()))[:MAX_PHRASES], _most_frequent(_join_phrases(triples.items()))[:MAX_PHRASES]


def _is_break(token: str) -> bool:
    """Return whether a token ends a phrase."""
    return len(token) == 1 and not is_letter(token)  # a word begins with a letter


def _strip_clitics(text: str, language: str) -> str:
    """Return lower-case text without elided articles and endings with apostrophe: Yahoo's, l'eau, dell'arte."""
    if language in ELISIONS:
        return _ELISION.sub("", text)
    return text.replace("'s ", " ") if language in ("en", "nl") else text


def _is_term(word: str, stops: frozenset[str]) -> bool:
    return len(word) >= MIN_CHARS and word not in stops and not word.replace(".", "").replace(",", "").isdigit()


def _join_phrases(counts: Iterable[tuple[tuple[str, ...], int]]) -> Iterable[tuple[str, int]]:
    return ((" ".join(parts), count) for parts, count in counts if count >= MIN_COUNT)


def _most_frequent(counts: Iterable[tuple[str, int]]) -> Counted:
    """Return the most frequent terms; ties are sorted alphabetically, so that the order is deterministic."""
    return sorted((pair for pair in counts if pair[1] >= MIN_COUNT), key=lambda pair: (-pair[1], pair[0]))[:MAX_TERMS]


def _count_unspaced(text: str, language: str) -> tuple[int, Counted]:
    stops = stop_words(language)
    runs = _HAN_RUN.findall(text)
    if language == "ja":
        found = Counter(run for run in (*runs, *_KATAKANA_RUN.findall(text)) if run not in stops)
    else:
        found = _han_terms(runs, stops)
    found.update(word for word in (piece.lower() for piece in words(text)) if _is_term(word, stops))
    return sum(found.values()), _most_frequent(found.items())


def _han_terms(runs: Sequence[str], stops: frozenset[str]) -> Counter[str]:
    """Count strings of two to four characters without function words; one that only occurs inside a longer one is left out."""
    functions = "".join(word for word in stops if len(word) == 1)
    between = re.compile(f"[{re.escape(functions)}]") if functions else None
    parts = [part for run in runs for part in between.split(run)] if between else list(runs)
    kept: Counter[str] = Counter()
    for size in HAN_CHARS:
        counts = Counter(part[at : at + size] for part in parts for at in range(len(part) - size + 1))
        longer = [(term, count) for term, count in kept.items() if count >= MIN_COUNT]
        inside: Counter[str] = Counter()
        for term, count in longer:
            for piece in {term[at : at + size] for at in range(len(term) - size + 1)}:
                inside[piece] = max(inside[piece], count)
        kept.update(
            {term: count for term, count in counts.items() if count >= MIN_COUNT and count > inside.get(term, 0) and term not in stops}
        )
    return kept


def _heading_text(headings: Headings) -> str:
    return " ".join(f"{heading.element.text_up_to(PLACE_CHARS)} {heading.name}" for heading in headings.main[:10])


def _compared_texts(document: Document, head: Head, headings: Headings) -> "list[_ComparedText]":
    """Return the other texts in which terms are looked up, in the order of the fields of `Term`."""
    url = parse(document.url)
    path = unquote(url.path).replace("_", " ") if url else ""
    alts = " ".join(image.attr("alt") or "" for image in document.all("img")[:200])
    return [_ComparedText(text) for text in (head.title, _heading_text(headings), head.description, path, alts)]


class _ComparedText:
    def __init__(self, text: str) -> None:
        self._folded = fold(text[:PLACE_CHARS])
        self._words = frozenset(words(self._folded))
        self._by_stem: dict[str, list[str]] = {}
        for word in self._words:
            self._by_stem.setdefault(word[:STEM_CHARS], []).append(word)

    def holds(self, term: str) -> bool:
        if not self._folded:
            return False
        for word in term.split():  # noqa: SIM110 - a generator expression would take three times as long
            if not self._holds_word(word):
                return False
        return True

    def _holds_word(self, word: str) -> bool:
        if word in self._words or (not word.isascii() and word in self._folded):
            return True
        return any(same_stem(word, other) for other in self._by_stem.get(word[:STEM_CHARS], ()))
