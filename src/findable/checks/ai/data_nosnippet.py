"""data-nosnippet is on elements where it has no effect, or hides most of the page.

Why it matters: Search engines read it on span, div and section only. On other elements, the text still appears in snippets. If it covers
most of the text, little is left to quote.

How to fix: Wrap the part in a supported element.

    <p>Open daily. <span data-nosnippet>Ask for Ann at the door.</span></p>

Sources: [Google: robots meta tag](https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag) (2025): it is read on span,
div and section elements.

Not judged: content that scripts add; hiding up to half of the text.
"""

from findable.artifacts.html.document import Document, Element
from findable.artifacts.page.text import Text
from findable.checks.engine import Finding, check, element, inapplicable, passed, unknown, warned
from findable.checks.page_fix import attribute_fixes
from findable.vocabulary import Effort, Importance

ALLOWED = ("span", "div", "section")
MAX_PERCENT = 50
MAX_ELEMENTS = 1000


@check(question="Is data-nosnippet on elements where it works?", importance=Importance.LOW, effort=Effort.HEAD)
def data_nosnippet(document: Document, text: Text) -> Finding:
    marked = document.holders("data-nosnippet", limit=MAX_ELEMENTS + 1)
    if len(marked) > MAX_ELEMENTS:
        return unknown("More than {count} elements have data-nosnippet: too many to check", count=MAX_ELEMENTS)
    if not marked:
        return inapplicable("No data-nosnippet on the page")
    wrong = [node for node in marked if node.tag not in ALLOWED]
    if wrong:
        return warned(
            "data-nosnippet has no effect on {count|element|elements}",
            count=len(wrong),
            evidence=[element(node, "search engines read it only on span, div and section") for node in wrong[:10]],
            fixes=attribute_fixes(wrong, data_nosnippet=None),
        )
    outer = _outermost_elements(marked)
    share = 100 * sum(len(node.text) for node in outer) / max(1, len(text.visible))
    if share > MAX_PERCENT:
        return warned(
            "data-nosnippet hides {share_percent} of the text, more than {limit_percent}",
            share_percent=round(min(100, share)),
            limit_percent=MAX_PERCENT,
            evidence=outer,
        )
    return passed("{count|part is|parts are} excluded from snippets", count=len(marked), evidence=marked)


def _outermost_elements(elements: list[Element]) -> list[Element]:
    inside = set(elements)
    return [node for node in elements if not any(ancestor in inside for ancestor in node.ancestors)]
