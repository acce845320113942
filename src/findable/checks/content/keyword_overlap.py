"""The title shares no word with what the text speaks of most.

Why it matters: The title promises what the page is about. Where none of the frequent words of the text stands in it, readers and
search engines have to guess.

How to fix: Name the topic in the title, best in the main heading too, in the words of the text.

    <title>Blue widgets, made to measure – Example Ltd</title>
    <h1>Blue widgets, made to measure</h1>

Sources: [Google: title links](https://developers.google.com/search/docs/appearance/title-link) (2025): make clear which text is the main
title.

Not judged: the wording of the main heading, if the title names the topic; pages with little text; texts in which no word stands out or
most that do are names and everyday words, such as stories; pages that are mostly code; languages whose stop words are not known here;
synonyms. Words with the same beginning count as one.
"""

from collections import Counter
from collections.abc import Sequence

from findable.artifacts.page.head import Head
from findable.artifacts.page.headings import Headings
from findable.artifacts.page.keywords import COUNTED_CHARS, Keywords, Term
from findable.artifacts.page.text import Text, words
from findable.checks.engine import Finding, check, inapplicable, passed, warned
from findable.vocabulary import Effort, Importance

TOP_TERMS = 20
"""Names, code and parts of the site push the topic down on real pages: five terms made every third finding a wrong one."""
TERMS_SHOWN = 8
LEAST_WORDS = 220
"""In shorter texts a few words come back by chance."""
LEAST_SHARE = 0.01
"""Of all words: less than that is a story or a mixture, whose title need not name its most frequent word; tried on real pages."""

NAME_SHARE = 0.2
"""A word that is written with a small letter less often than that is a name."""
CAPITAL_NOUNS = frozenset({"de"})
"""Languages that write all nouns with a capital."""
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
"""Words of every story."""


@check(
    question="Do title and main heading name the topic?",
    importance=Importance.LOW,
    effort=Effort.CONTENT,
    depends_on=("title-present", "h1-present"),
    judges_partial_input=True,
)
def keyword_overlap(head: Head, headings: Headings, keywords: Keywords, text: Text) -> Finding:
    if not headings.main:
        return inapplicable("No main heading (h1) on the page")
    if keywords.words_count < LEAST_WORDS or not keywords.single:
        return inapplicable("Too little text to tell its frequent words")
    if keywords.mostly_code:
        return inapplicable("Most of the text is code or definitions")
    top = keywords.single[:TOP_TERMS]
    in_title = [term.text for term in top if term.in_title]
    in_heading = [term.text for term in top if term.in_heading]
    names = [term.text for term in top[:TERMS_SHOWN]]
    title = next(item.element for item in head.titles if item.text)
    if in_title and in_heading:
        return passed(
            "In the title: {title_terms}; in the main heading: {heading_terms}",
            title_terms=in_title,
            heading_terms=in_heading,
            evidence=title,
        )
    if in_title:
        return passed("In the title: {title_terms}", title_terms=in_title, evidence=title)
    if keywords.single[0].count < LEAST_SHARE * keywords.words_count:
        return inapplicable("No word comes back often enough to be the topic")
    if 2 * _tell_nothing_count(top[:TERMS_SHOWN], keywords.language, text) >= TERMS_SHOWN:
        return inapplicable("Most of the frequent words are names or everyday words, as in a story")
    if in_heading:
        return warned("The title names none of the frequent words: {terms}", terms=names, evidence=title)
    heading = headings.main[0].element
    return warned("Neither title nor main heading names one of the frequent words: {terms}", terms=names, evidence=[title, heading])


def _tell_nothing_count(terms: Sequence[Term], language: str, text: Text) -> int:
    """Return how many terms are names or everyday words."""
    written = Counter(words((text.main or text.visible)[:COUNTED_CHARS]))
    names = () if language in CAPITAL_NOUNS else [term for term in terms if written[term.text] < NAME_SHARE * term.count]
    return sum(term in names or term.text in EVERYDAY for term in terms)
