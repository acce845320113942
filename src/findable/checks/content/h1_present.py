"""The page has no main heading.

Why it matters: the main heading tells readers where they are, screen readers jump to it, and Google may take it for the title
link. Without one the page has no visible name.

How to fix: mark up the visible title as h1. A picture counts when it has an alternative text.

    <h1>Blue widgets, made to measure</h1>

Sources: Google, "Influencing your title links in search results" (2025): the main visual title and headings are sources;
WCAG 2.2, 2.4.6 Headings and Labels.

Not judged: whether it is the largest text on the screen.
"""

from findable.artifacts.html.document import Document
from findable.artifacts.page.headings import Headings
from findable.artifacts.page.text import Text
from findable.checks.engine import Finding, check, element, failed, passed, unknown, warned
from findable.vocabulary import Effort, Importance

MANY_WORDS = 200
"""Ours: a text of this length without any heading is hard to find one's way in."""


@check(question="Is there a main heading?", importance=Importance.MEDIUM, effort=Effort.HEAD, judges_partial_input=True)
def h1_present(document: Document, headings: Headings, text: Text) -> Finding:
    if headings.main:
        first = headings.main[0]
        return passed("main heading: “{text}”", text=first.name, evidence=first.element)
    if headings.is_cut:
        return unknown("not known: no main heading (h1) among the first {count} headings", count=len(headings.all))
    nameless = [heading.element for heading in headings.all if heading.level == 1]
    if nameless:
        return warned("the main heading is empty: no text and no alternative text", evidence=nameless)
    if headings.all:
        return warned(
            "no main heading (h1); the first heading is of level {level}",
            level=headings.all[0].level,
            evidence=[heading.element for heading in headings.all[:3]],
        )
    place = element(document.body or document.html, "no heading in here")
    if text.visible_count >= MANY_WORDS:
        return failed("no heading at all in {count|word|words} of text", count=text.visible_count, evidence=place)
    return warned("no heading on the page", evidence=place)
