"""The page does not say its language, or says it in a form that nobody reads.

Why it matters: Screen readers choose their voice by it, browsers their hyphenation, quotation marks and the offer to translate. Search
engines find the language out by themselves.

How to fix: Name the language of the page on the html element.

    <html lang="en">

Sources: [WCAG 2.2, 3.1.1 Language of Page](https://www.w3.org/TR/WCAG22/#language-of-page); [RFC
5646](https://www.rfc-editor.org/rfc/rfc5646) (BCP 47); [Google: All meta tags that Google
understands](https://developers.google.com/search/docs/crawling-indexing/special-tags) (2025): not used for search.

Not judged: three-letter codes against the whole registry; whether the text is in that language, which is another check.
"""

from findable.artifacts.html.document import Document
from findable.artifacts.page.head import Head
from findable.artifacts.page.hreflang import tag_fault
from findable.artifacts.page.text import Language
from findable.checks.engine import Finding, check, element, passed, warned
from findable.checks.page_fix import attribute_fix
from findable.vocabulary import Effort, Importance

FILLER = frozenset({"la"})
"""Language of dummy text."""
SURE = 0.9
"""Confidence from which the detected language is proposed; as in language-match."""


@check(question="Is the language of the page declared, validly?", importance=Importance.LOW, effort=Effort.HEAD, judges_partial_input=True)
def html_lang(document: Document, head: Head, language: Language | None) -> Finding:
    """Checks the lang attribute of the root element."""
    root = element(document.html)
    detected = language.detected if language and language.confidence >= SURE and language.detected not in FILLER else ""
    fixes = [attribute_fix(document.html, lang=detected)] if detected else []
    advice = "Name the language of the page on the html element."
    if head.lang is None:
        return warned("The html element has no lang attribute", evidence=root, fixes=fixes, advice=advice)
    lang = head.lang.strip()
    if not lang:
        return warned("The lang attribute is empty", evidence=root, fixes=fixes, advice=advice)
    fault, part = tag_fault(lang)
    if fault:
        return warned(fault, lang=lang[:60], part=part, evidence=root, fixes=fixes, advice=advice)
    return passed("lang is “{lang}”", lang=lang, evidence=root)
