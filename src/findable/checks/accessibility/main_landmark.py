"""The page has no main region, or more than one.

In plain words: Visitors who have the page read aloud cannot jump past the menu to the content.

Why it matters: Screen readers jump to the main region, reader modes and text extractors use it as the content. Without it, they have to
guess where the menu ends.

How to fix: Wrap the content in one element.

    <main>…</main>

Sources: [WCAG 2.2, 1.3.1 Info and Relationships](https://www.w3.org/TR/WCAG22/#info-and-relationships); [HTML Standard: The main
element](https://html.spec.whatwg.org/multipage/grouping-content.html#the-main-element) (only one may be visible).

Not judged: Hidden main elements, of which there may be several; open dialogs, which axe accepts in place of a main region.
"""

from operator import attrgetter

from findable.artifacts.content import Content
from findable.artifacts.html.document import Element
from findable.checks.engine import Finding, check, element, inapplicable, passed, warned
from findable.checks.page_fix import Fix, attribute_fix, rename_fix
from findable.vocabulary import Effort, Importance

MAX_REGIONS = 100
CONTENT_IDS = frozenset({"content", "main", "main-content", "maincontent", "primary", "page-content", "inhalt"})
"""Ids that themes use for the element around the content."""


@check("Is there one main region?", Importance.LOW, Effort.HEAD, warned=3)
def main_landmark(content: Content) -> Finding:
    """Counts visible ``<main>`` and role=main elements."""
    document, surroundings = content.document, content.surroundings
    if document.body is None:
        return inapplicable("The page is a set of frames")
    regions = {*document.all("main"), *(node for node in document.holders("role") if node.attr("role") == "main")}
    found = [node for node in sorted(regions, key=attrgetter("order"))[:MAX_REGIONS] if not surroundings.context_of(node).hidden]
    found = [node for node in found if (node.attr("role") or "main") == "main"]
    if len(found) == 1:
        return passed("One main region", evidence=found)
    if found:
        return warned("{count} main regions; a page needs exactly one", evidence=found, fixes=map(_landmark_fix, found[1:]))
    content_box = next(
        (node for node in document.holders("id") if (node.attr("id") or "").lower() in CONTENT_IDS and node.tag == "div"), None
    )
    fixes = [attribute_fix(content_box, role="main")] if content_box is not None else []
    return warned("The page has no main region", evidence=element(document.body, "no main element in here"), fixes=fixes)


def _landmark_fix(node: Element) -> Fix | None:
    """Return a ``main`` element as a div, because it allows no other role (ARIA in HTML), any other without its role."""
    return rename_fix(node, "div") if node.tag == "main" else attribute_fix(node, role=None)
