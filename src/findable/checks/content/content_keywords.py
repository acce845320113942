"""One term is repeated so often that it reads as stuffing.

In plain words: One word is repeated so often that visitors are put off and Google may take the text for spam.

Why it matters: Search engines understand what a page is about from few mentions. A word in every sentence drives readers away, and keyword
stuffing is named in Google's spam policies.

How to fix: Write for readers: mention the term once, then use pronouns and synonyms.

    <p>Our widgets come in twelve sizes. Each is cut by hand and fits to the millimetre.</p>

Sources: [Google: spam policies](https://developers.google.com/search/docs/essentials/spam-policies) (2025), keyword stuffing; [Google: SEO
Starter Guide](https://developers.google.com/search/docs/fundamentals/seo-starter-guide) (2025). There is no good or bad keyword density in
any primary source; the limits here are 5 % of at least 200 words and 15 mentions, and 10 % for words of the title or the main heading; only
running text counts.

Not judged: languages whose stop words are not known here; words in lists, tables, links and buttons, which repeat for good reasons; pages
that are mostly code or definitions.
"""

from itertools import islice

from findable.artifacts.html.document import Document, Element
from findable.artifacts.page.head import Head
from findable.artifacts.page.headings import Headings
from findable.artifacts.page.keywords import Keywords, Term
from findable.artifacts.page.word_count import words
from findable.artifacts.tables.wordings import fold
from findable.checks.engine import Evidence, Finding, check, inapplicable, passed, quoted, warned
from findable.vocabulary import Code, EditPlace, Effort, Importance

STUFFED_PERCENT = 5
NAMED_STUFFED_PERCENT = 10
"""Limit in percent for words of the title and main heading, which any text about the topic repeats."""
MIN_PART_CHARS = 4
NAMED_CHARS = 2000
MAIN_HEADINGS = 10
STUFFED_TIMES = 15
MIN_WORDS = 200
TERMS_SHOWN = 5
PARAGRAPHS_READ = 200
LIST_TAGS = frozenset({"table", "li", "dl", "pre"})
MAX_ANCESTORS = 20
PARAGRAPHS_AT_MOST = 10_000
PARAGRAPH_CHARS = 2000


class Place(Code, params=("places",)):
    """Place outside the text where a term occurs."""

    TITLE = "title", "title"
    HEADING = "main_heading", "main heading"
    DESCRIPTION = "description", "description"
    URL = "url", "URL"
    ALT = "alt", "alternative texts"


@check("Which words is the page about?", Importance.LOW, Effort.CONTENT, place=EditPlace.TEXT, warned=20)
def content_keywords(document: Document, keywords: Keywords, head: Head, headings: Headings) -> Finding:
    if not keywords.single:
        return inapplicable("No word is repeated: too little text")
    texts = (head.title, *(heading.element.text_up_to(NAMED_CHARS) for heading in headings.main[:MAIN_HEADINGS]))
    named = fold(" ".join(texts)[:NAMED_CHARS])
    if keywords.words_count >= MIN_WORDS and not keywords.mostly_code and keywords.language not in ("ja", "zh"):
        suspects = [term for term in keywords.single if _exceeds_limit(term.count, keywords.words_count, _limit_percent(term, named))]
        if suspects and (stuffed := _find_in_running_text(document, suspects, named)):
            term, count, total = stuffed
            return warned(
                "“{term}” occurs {count} times in {words_count} words of running text, more than {limit_percent}",
                term=term.text,
                count=count,
                words_count=total,
                limit_percent=_limit_percent(term, named),
                evidence=quoted(term.text, "{share_percent} of the words", share_percent=round(100 * count / total, 1)),
            )
    return passed(
        "Most frequent terms: {terms}",
        terms=[f"{term.text} ({term.count})" for term in _most_frequent(keywords)],
        evidence=[_evidence(term) for term in _most_frequent(keywords)],
    )


def _exceeds_limit(count: int, total: int, limit_percent: int) -> bool:
    return count >= STUFFED_TIMES and 100 * count > limit_percent * total


def _limit_percent(term: Term, headings: str) -> int:
    """Return the maximum share of a term in the text, in percent.

    ``headings`` is the folded title and main heading, where the term may be part of a word, like file in filenames.
    """
    is_part = len(term.text) >= MIN_PART_CHARS and term.text in headings
    return NAMED_STUFFED_PERCENT if term.in_title or term.in_heading or is_part else STUFFED_PERCENT


def _find_in_running_text(document: Document, suspects: list[Term], headings: str) -> tuple[Term, int, int] | None:
    """Return the first suspected term that is also too frequent in paragraphs, with its count and the number of words there."""
    if document.tag_counts.get("p", 0) > PARAGRAPHS_AT_MOST:
        return None
    texts = dict.fromkeys(
        paragraph.text_up_to(PARAGRAPH_CHARS) for paragraph in document.all("p")[:PARAGRAPHS_READ] if _is_running_text(paragraph)
    )  # product cards repeat the same words in each card
    found = [fold(word) for text in texts for word in words(text)]
    if len(found) < MIN_WORDS:
        return None
    for term in suspects:
        count = found.count(term.text)
        if _exceeds_limit(count, len(found), _limit_percent(term, headings)):
            return term, count, len(found)
    return None


def _is_running_text(paragraph: Element) -> bool:
    """Return whether the paragraph is outside lists, tables and code."""
    return not any(node.tag in LIST_TAGS for node in islice(paragraph.ancestors, MAX_ANCESTORS))


def _most_frequent(keywords: Keywords) -> list[Term]:
    return sorted((*keywords.single, *keywords.pairs, *keywords.triples), key=lambda term: (-term.count, term.text))[:TERMS_SHOWN]


def _evidence(term: Term) -> Evidence:
    places = {
        Place.TITLE: term.in_title,
        Place.HEADING: term.in_heading,
        Place.DESCRIPTION: term.in_description,
        Place.URL: term.in_url,
        Place.ALT: term.in_alt,
    }
    named = [name for name, there in places.items() if there]
    if not named:
        return quoted(term.text, "{count|time|times}", count=term.count)
    return quoted(term.text, "{count|time|times}, also in: {places}", count=term.count, places=named)
