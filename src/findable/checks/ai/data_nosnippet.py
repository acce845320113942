"""data-nosnippet is on elements where it has no effect, or hides most of the page.

In plain words: Google is told to hide the wrong parts of your text in its results.

Why it matters: Search engines read it on span, div and section only. On other elements, the text still appears in snippets. If it covers
most of the text, little is left to quote.

How to fix: Wrap the part in a supported element.

    <p>Open daily. <span data-nosnippet>Ask for Ann at the door.</span></p>

Sources: [Google: robots meta tag](https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag) (2025): it is read on span,
div and section elements.

Not judged: content that scripts add; hiding up to half of the text.
"""

import re
from itertools import islice

from findable.artifacts.html.document import Document, Element
from findable.artifacts.html.landmarks import Surroundings
from findable.artifacts.page.text import Text
from findable.checks.engine import Finding, check, element, inapplicable, passed, unknown, warned
from findable.checks.page_fix import attribute_fixes
from findable.lazy_pattern import lazy_pattern
from findable.vocabulary import Effort, Importance

ALLOWED = ("span", "div", "section")
MAX_PERCENT = 50
MAX_ELEMENTS = 1000
MAX_ANCESTORS = 12
COMPARED_CHARS = 200
_CONSENT = lazy_pattern(r"cookie|consent|gdpr|\bcmp\b|onetrust|didomi|usercentrics|borlabs", re.IGNORECASE)
"""Parts of ids and classes of consent layers, for which the attribute is made."""


@check("Is data-nosnippet on elements where it works?", Importance.LOW, Effort.HEAD, warned=20)
def data_nosnippet(document: Document, text: Text, surroundings: Surroundings) -> Finding:
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
    content = text.main or text.visible
    share = 100 * sum(len(node.text) for node in outer if _is_content(node, content, surroundings)) / max(1, len(content))
    if share > MAX_PERCENT:
        return warned(
            "data-nosnippet hides {share_percent} of the main content, more than {limit_percent}",
            share_percent=round(min(100, share)),
            limit_percent=MAX_PERCENT,
            evidence=outer,
            advice="Mark only what should not be in snippets, not the content of the page.",
        )
    return passed("{count|part is|parts are} excluded from snippets", evidence=marked)


def _is_content(node: Element, content: str, surroundings: Surroundings) -> bool:
    """Return whether an element is part of the main content; consent layers and hidden parts are not."""
    if surroundings.context_of(node).hidden or node.text[:COMPARED_CHARS] not in content:
        return False
    around = (at for at in (node, *islice(node.ancestors, MAX_ANCESTORS)) if at.tag not in ("body", "html"))
    return not any(_CONSENT.search(f"{at.attr('id') or ''} {at.attr('class') or ''}"[:500]) for at in around)


def _outermost_elements(elements: list[Element]) -> list[Element]:
    inside = set(elements)
    return [node for node in elements if not any(ancestor in inside for ancestor in node.ancestors)]
