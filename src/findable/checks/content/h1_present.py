"""The page has no main heading.

Why it matters: The main heading tells readers where they are, screen readers jump to it, and Google may take it for the title
link. Without one the page has no visible name.

How to fix: Mark up the visible title as h1. An image with an alt text counts.

    <h1>Blue widgets, made to measure</h1>

Sources: [Google: title links](https://developers.google.com/search/docs/appearance/title-link) (2025): the main visual title and headings
are sources; [WCAG 2.2, 2.4.6 Headings and Labels](https://www.w3.org/TR/WCAG22/#headings-and-labels).

Not judged: whether it is the largest text on the screen.
"""

from findable.artifacts.html.document import Document
from findable.artifacts.page.headings import Headings
from findable.artifacts.page.text import Text
from findable.checks.engine import Finding, check, element, failed, passed, unknown, warned
from findable.checks.page_fix import retagged
from findable.vocabulary import Effort, Importance

MANY_WORDS = 200
"""Ours: a text of this length without any heading is hard to find one's way in."""


@check(question="Is there a main heading?", importance=Importance.MEDIUM, effort=Effort.HEAD, judges_partial_input=True)
def h1_present(document: Document, headings: Headings, text: Text) -> Finding:
    first = next((heading for heading in headings.main if not heading.hidden), None)
    if first:
        return passed("Main heading: “{text}”", text=first.name, evidence=first.element)
    if headings.is_cut:
        return unknown("Not known: no main heading (h1) among the first {count} headings", count=len(headings.all))
    if headings.main:
        return warned("The only main heading (h1) is hidden by markup", evidence=[heading.element for heading in headings.main])
    nameless = [heading.element for heading in headings.all if heading.level == 1]
    if nameless:
        return warned("The main heading is empty: no text and no alternative text", evidence=nameless)
    if headings.all:
        return warned(
            "No main heading (h1); the first heading is of level {level}",
            level=headings.all[0].level,
            evidence=[heading.element for heading in headings.all[:3]],
            fixes=[retagged(headings.all[0].element, "h1")],
        )
    place = element(document.body or document.html, "no heading in here")
    if text.visible_count >= MANY_WORDS:
        return failed(
            "No heading in {count|word|words} of text; {least} words or more need one",
            count=text.visible_count,
            least=MANY_WORDS,
            evidence=place,
        )
    return warned("No heading on the page", evidence=place)
