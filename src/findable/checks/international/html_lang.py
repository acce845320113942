"""The page declares no language, or an invalid language code.

In plain words: Visitors who have the page read aloud may hear it in the wrong accent, because its language is not stated.

Why it matters: Screen readers use it to choose a voice, browsers for hyphenation, quotation marks and translation. Search engines detect
the language themselves.

How to fix: Declare the language of the page on the html element.

    <html lang="en">

Sources: [WCAG 2.2, 3.1.1 Language of Page](https://www.w3.org/TR/WCAG22/#language-of-page); [RFC
5646](https://www.rfc-editor.org/rfc/rfc5646) (BCP 47), with the [IANA registry of language
subtags](https://www.iana.org/assignments/language-subtag-registry) of August 2025; [Google: All meta tags that Google
understands](https://developers.google.com/search/docs/crawling-indexing/special-tags) (2025): not used for search.

Not judged: scripts and variants against the registry; whether the text is in that language, which is another check.
"""

import re

from findable.artifacts.html.document import Document
from findable.artifacts.page.head import Head
from findable.artifacts.page.language import Language
from findable.artifacts.page.language_codes import tag_fault
from findable.checks.engine import Finding, attribute_mark, check, element, passed, warned
from findable.checks.page_fix import language_fix
from findable.lazy_pattern import lazy_pattern
from findable.urls import parse
from findable.vocabulary import EditPlace, Effort, Importance

FILLER = frozenset({"la"})
"""Language of dummy text."""
MAX_MARKED = 200
"""Number of elements with a lang attribute that are read."""
_LOCALE = lazy_pattern(r"/([a-z]{2,3})[-_]([a-z]{2})(?=/|$)", re.IGNORECASE)
SURE = 0.9
"""Confidence from which the detected language is proposed; as in language-match."""


@check(
    "Is the language of the page declared, validly?",
    Importance.LOW,
    Effort.HEAD,
    place=EditPlace.LANGUAGE,
    warned=40,
    accepts_partial_input=True,
    mark=attribute_mark("(?:xml:)?lang"),
)
def html_lang(document: Document, head: Head, language: Language | None) -> Finding:
    """Checks the lang attribute of the root element."""
    root = element(document.html)
    detected = language.detected if language and language.confidence >= SURE and language.detected not in FILLER else ""
    # A generator, so that the region is only searched for if the check fails.
    fixes = (language_fix(document.html, _add_region(found, document)) for found in (detected,) if found)
    advice = "Declare the language of the page on the html element."
    if head.lang is None:
        return warned("The html element has no lang attribute", evidence=root, fixes=fixes, advice=advice)
    lang = head.lang.strip()
    if not lang:
        return warned("The lang attribute is empty", evidence=root, fixes=fixes, advice=advice)
    fault, part = tag_fault(lang)
    if fault:
        return warned(fault, lang=lang[:60], part=part, evidence=root, fixes=fixes, advice=advice)
    return passed("The lang attribute is “{lang}”", lang=lang, evidence=root)


def _add_region(language: str, document: Document) -> str:
    """Return the language with the only region that the URL's path, or else the page's elements, declare for it."""
    url = parse(document.url)
    places = [f"{found[1].lower()}-{found[2].upper()}" for found in _LOCALE.finditer(url.path[:2000])] if url else []
    marked = [(node.attr("lang") or "").strip() for node in document.holders("lang", limit=MAX_MARKED)]
    for tags in (places, marked):
        regional = {tag for tag in tags if tag.lower().startswith(f"{language}-") and not tag_fault(tag)[0]}
        if len(regional) == 1:
            return regional.pop()
    return language
