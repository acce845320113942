"""An element that is not allowed in the head ends it early, and the rest of the head ends up in the body.

In plain words: Google overlooks information about this page, because it comes too late in the page's code.

Why it matters: At the first element that is not metadata, browsers and search engines close the head. A canonical link, a language version
or a title after it no longer counts.

How to fix: Move the element into the body; the head may contain only title, meta, link, script, style, base, noscript and template.

    <head>
      <title>Blue widgets</title>
      <link rel="canonical" href="https://www.example.com/shop/blue-widgets">
    </head>
    <body>
      <img src="https://stats.example.com/pixel.gif" alt="">

Sources: [Google: Use valid page metadata](https://developers.google.com/search/docs/crawling-indexing/valid-page-metadata) (2025); [HTML
Standard, 13.2.6.4.4](https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inhead) The "in head" insertion mode.

Not judged: noscript in the head, which search engines and browsers with scripting ignore; what scripts insert.
"""

from collections.abc import Iterable
from typing import Any

from findable.artifacts.html.document import Element
from findable.artifacts.html.markup import SentDocument
from findable.artifacts.page.early_head_end import EarlyHeadEnd
from findable.artifacts.page.robots_directives import is_robots
from findable.checks.engine import Finding, check, element, failed, passed, warned, with_fault
from findable.vocabulary import Effort, Fault, Importance, Verdict

SHOWN = 9
TEXT_NOTE = "is the first element after text that ended the head"
TEXT_ADVICE = "Remove the text between the elements of the head or before it."


@check(
    "Does nothing push metadata out of the head?",
    Importance.MEDIUM,
    Effort.HEAD,
    costs={Fault.CANONICAL_IN_BODY: 100, Fault.ROBOTS_IN_BODY: 60, Verdict.FAILED: 80, Verdict.WARNED: 30},
)
def head_valid(sent_document: SentDocument, early_end: EarlyHeadEnd) -> Finding:
    """Checks which elements end the head and open the body."""
    if early_end.element is not None and early_end.lost_metadata:
        note = TEXT_NOTE if early_end.is_after_text else "ends the head"
        shown = [element(early_end.element, note), *(element(item, _note(item)) for item in early_end.lost_metadata[:SHOWN])]
        values: dict[str, Any] = {"tag": early_end.element.tag, "count": len(early_end.lost_metadata)}
        if early_end.is_after_text:
            values["advice"] = TEXT_ADVICE
        if all(_is_read_anyway(item) for item in early_end.lost_metadata):
            return warned(
                "Text ends the head; {count|piece of metadata is|pieces of metadata are} after it, which browsers still read"
                if early_end.is_after_text
                else "<{tag}> ends the head; {count|piece of metadata is|pieces of metadata are} after it, which browsers still read",
                evidence=shown,
                **values,
            )
        message = "<{tag}> ends the head; {count|piece of metadata is|pieces of metadata are} in the body after it"
        if early_end.is_after_text:
            message = "Text ends the head; {count|piece of metadata is|pieces of metadata are} in the body after it"
        return with_fault(failed(message, evidence=shown, **values), _fault(early_end.lost_metadata))
    if early_end.element is not None and early_end.is_in_head:
        if early_end.is_after_text:
            shown = [element(early_end.element, TEXT_NOTE)]
            return warned("Text ends the head; nothing is lost", evidence=shown, advice=TEXT_ADVICE)
        tag = early_end.element.tag
        return warned(
            "<{tag}> ends the head before its end tag; nothing is lost", tag=tag, evidence=element(early_end.element, "ends the head")
        )
    return passed("Nothing ends the head early", evidence=sent_document.document.head)


def _is_read_anyway(item: Element) -> bool:
    """Return whether browsers read the element in the body too: the title (HTML Standard, ``document.title``) and the viewport."""
    return item.tag == "title" or (item.tag == "meta" and (item.attr("name") or "").strip().lower() == "viewport")


def _note(item: Element) -> str:
    if _is_read_anyway(item):
        return "is in the body, where browsers still read it"
    return "is in the body, where search engines ignore it"


def _fault(lost: Iterable[Element]) -> Fault | None:
    """Return the reason for a score cap: the robots meta element or the canonical link is lost."""
    for item in lost:
        if item.tag == "meta" and is_robots(item.attr("name") or ""):
            return Fault.ROBOTS_IN_BODY
        if item.tag == "link" and "canonical" in (item.attr("rel") or "").lower().split():
            return Fault.CANONICAL_IN_BODY
    return None
