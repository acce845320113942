"""The title contains none of the most frequent words of the text.

In plain words: The title does not use the words that the page itself uses, so people who search for them may pass it by.

Why it matters: The title promises what the page is about. If it contains none of the frequent words of the text, readers and search engines
have to guess.

How to fix: Mention the topic in the title, and preferably in the main heading, in the words of the text.

    <title>Blue widgets, made to measure – Example Ltd</title>
    <h1>Blue widgets, made to measure</h1>

Sources: [Google: title links](https://developers.google.com/search/docs/appearance/title-link) (2025): make clear which text is the main
title.

Not judged: the wording of the main heading, if the title names the topic; pages with little text; texts without distinctive words, or where
most of these are names and everyday words, such as stories; words that occur mostly in code or program output, and words in another script
than the title; pages that are mostly code; languages whose stop words are not known here; synonyms. Words with the same beginning count as
one.
"""

from collections import Counter
from collections.abc import Sequence

from findable.artifacts.html.document import Document, Element
from findable.artifacts.page.head import Head
from findable.artifacts.page.headings import Headings
from findable.artifacts.page.keywords import COUNTED_CHARS, FrequentWord, FrequentWords
from findable.artifacts.page.language import Language
from findable.artifacts.page.text import Text
from findable.artifacts.page.word_count import words
from findable.artifacts.tables.stop_words import stop_words
from findable.artifacts.tables.wordings import fold
from findable.checks.engine import Finding, check, inapplicable, passed, warned
from findable.formats.characters import is_latin
from findable.lazy_pattern import lazy_pattern
from findable.urls import parse
from findable.vocabulary import EditPlace, Effort, Importance

TOP_TERMS = 20
"""Number of frequent terms that are compared.

With five, a third of the findings on real pages were wrong, because names, code and navigation are frequent too.
"""
TERMS_SHOWN = 8
MIN_WORDS = 220
"""Number of words from which repetition is meaningful."""
MIN_SHARE = 0.01
"""Share of all words from which a term is the topic; measured on real pages.

Stories and mixed texts have lower shares; their titles need not contain the most frequent word.
"""

CODE_TAGS = ("code", "kbd", "pre", "samp", "tt")
CODE_CLASSES = ".userinput,.computeroutput"
"""DocBook's classes for user input and program output, on elements of any tag."""
CODE_CHARS = COUNTED_CHARS
QUOTED_LANGUAGE = "en"
"""Language that is quoted most often in other languages."""

_DOMAIN = lazy_pattern(r"[\w-]+(?:\.[\w-]+)*\.[a-z]{2,10}")
MIN_NAME_CHARS = 5
NAME_SHARE = 0.2
"""Share of lower-case occurrences below which a word is a proper name."""
CAPITAL_NOUNS = frozenset({"de"})
"""Languages that capitalise all nouns."""
EVERYDAY = frozenset(
    {
        *("people", "person", "time", "times", "day", "days", "night", "year", "years", "way", "thing"),
        *("things", "man", "men", "woman", "women", "life", "world", "head", "hand", "hands", "eyes"),
        *("face", "room", "house", "couple", "little", "good", "great", "long", "right", "left", "look"),
        *("looked", "know", "knew", "think", "thought", "want", "wanted", "feel", "felt", "turned", "asked"),
        *("said", "told", "leute", "mensch", "menschen", "zeit", "tag", "tage", "jahr", "jahre", "leben"),
        *("welt", "kopf", "augen", "mann", "frau", "haus", "weg", "sagte", "fragte", "dachte", "ging"),
        *("kam", "sah"),
    }
)
"""Words that occur in any story."""


@check(
    "Do title and main heading name the topic?",
    Importance.LOW,
    Effort.CONTENT,
    place=EditPlace.TITLE,
    warned=10,
    depends_on=("title-present", "h1-present"),
    accepts_partial_input=True,
)
def keyword_overlap(document: Document, head: Head, headings: Headings, frequent: FrequentWords, text: Text, language: Language) -> Finding:
    if not language.detected:
        return inapplicable("The language of the text is not certain")
    if not headings.main:
        return inapplicable("No main heading (h1) on the page")
    if frequent.words_count < MIN_WORDS or not frequent.words:
        return inapplicable("Too little text to determine its frequent words")
    if frequent.mostly_code:
        return inapplicable("Most of the text is code or definitions")
    top = frequent.words[:TOP_TERMS]
    title = next(item.element for item in head.titles if item.text)
    if in_title := [term.text for term in top if term.in_title]:
        in_heading = [term.text for term in top if term.in_heading]
        message = "In the title: {title_terms}; in the main heading: {heading_terms}" if in_heading else "In the title: {title_terms}"
        return passed(message, title_terms=in_title, heading_terms=in_heading, evidence=title)
    return _missing_topic_finding(top, document, head, headings, frequent, text)


def _missing_topic_finding(
    top: Sequence[FrequentWord], document: Document, head: Head, headings: Headings, frequent: FrequentWords, text: Text
) -> Finding:
    """Return the finding for a title without the frequent words, unless they do not show the topic."""
    named = fold(f"{head.title} {headings.main_text}").replace(" ", "").replace("-", "")
    if any(_names_domain(term.text, named) for term in top):
        return inapplicable("The title names the site that the text mentions often")
    telling = _topic_candidates(
        [term for term in top if not _is_domain(term.text)], document, f"{head.title} {headings.main_text}", frequent.language
    )
    if 2 * len(telling) < len(top):
        return inapplicable("Most of the frequent words are code or in another language than the title")
    if telling[0].count < MIN_SHARE * frequent.words_count:
        return inapplicable("No word is repeated often enough to be the topic")
    if 2 * _count_uninformative(telling[:TERMS_SHOWN], frequent.language, text) >= TERMS_SHOWN:
        return inapplicable("Most of the frequent words are names or everyday words, as in a story")
    shown = telling[:TERMS_SHOWN]
    if equal := _title_words_as_frequent(head, headings, text, frequent.language, least=shown[-1].count):
        return passed("In the title: {title_terms}", title_terms=equal, evidence=[item.element for item in head.titles if item.text][:1])
    names = _as_written([term.text for term in shown], text)
    title = next(item.element for item in head.titles if item.text)
    if any(term.in_heading for term in top):
        return warned("The title has none of the frequent words: {terms}", terms=names, evidence=title)
    heading = (headings.main_heading or headings.main[0]).element
    return warned("Neither title nor main heading has one of the frequent words: {terms}", terms=names, evidence=[title, heading])


def _title_words_as_frequent(head: Head, headings: Headings, text: Text, language: str, *, least: int) -> list[str]:
    """Return the words of the title that the page has at least ``least`` times outside main headings, without words of the site's name.

    They count in the whole text: names are often in captions and lists that do not belong to the main content.
    """
    url = parse(head.element.document.url)
    site = fold(f"{url.host if url else ''} {next((meta.content or '' for meta in head.properties('og:site_name')), '')}")
    stops = stop_words(language)
    title_words = dict.fromkeys(word.lower() for word in words(head.title))
    named = [word for word in title_words if word not in stops and fold(word) not in site]
    counts = Counter(words(text.visible[:COUNTED_CHARS].lower())) if named else Counter[str]()
    counts.subtract(word.lower() for heading in headings.main for word in words(heading.name))
    return [word for word in named if counts[word] >= least]


def _is_domain(term: str) -> bool:
    return _DOMAIN.fullmatch(term) is not None


def _names_domain(term: str, named: str) -> bool:
    """Return whether a frequent term is a domain whose name is in the title or heading."""
    name = term.partition(".")[0].replace("-", "")
    return _is_domain(term) and len(name) >= MIN_NAME_CHARS and name in named


def _topic_candidates(terms: Sequence[FrequentWord], document: Document, headings: str, language: str) -> list[FrequentWord]:
    """Return the terms that can be the topic: not mostly code, in the title's script, not function words of another language."""
    code = Counter(word.lower() for node in _code(document) for word in words(node.text_up_to(CODE_CHARS)))
    latin = {is_latin(char) for char in headings if char.isalpha()}
    foreign = frozenset() if language == QUOTED_LANGUAGE else stop_words(QUOTED_LANGUAGE)
    return [term for term in terms if 2 * code[term.text] <= term.count and is_latin(term.text[0]) in latin and term.text not in foreign]


def _code(document: Document) -> list[Element]:
    """Return the outermost elements with code, user input or program output."""
    found: list[Element] = []
    end = 0
    nodes = {node.order: node for node in (*document.all(*CODE_TAGS), *document.select(CODE_CLASSES))}
    for order in sorted(nodes):
        if order >= end:
            found.append(nodes[order])
            end = document.ends[order]
    return found


def _count_uninformative(terms: Sequence[FrequentWord], language: str, text: Text) -> int:
    """Return the number of terms that are names or everyday words."""
    written = Counter(words((text.main or text.visible)[:COUNTED_CHARS]))
    names = () if language in CAPITAL_NOUNS else [term for term in terms if written[term.text] < NAME_SHARE * term.count]
    return sum(term in names or term.text in EVERYDAY for term in terms)


def _as_written(terms: Sequence[str], text: Text) -> list[str]:
    """Return the terms in the case in which the text has them most often: German nouns, names and abbreviations have capitals."""
    forms: dict[str, Counter[str]] = {term: Counter() for term in terms}
    for word, count in Counter(words((text.main or text.visible)[:COUNTED_CHARS])).items():
        if (found := forms.get(word.lower())) is not None:
            found[word] = count
    return [found.most_common(1)[0][0] if found else term for term, found in forms.items()]
