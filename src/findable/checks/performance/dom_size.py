"""The page has very many elements.

In plain words: The page feels slow on phones, because it has very many parts.

Why it matters: Browsers compute styles and layout for every element; on a phone, thousands of elements make every change slow.

How to fix: Remove unnecessary wrappers, and let the browser skip off-screen content.

    section { content-visibility: auto; contain-intrinsic-size: auto 500px; }

Sources: [Lighthouse: DOM size](https://developer.chrome.com/docs/lighthouse/performance/dom-size): 1,500 elements was its older limit and
is SEOnaut's; Lighthouse 13 judges the cost of layout, not the number; [web.dev:
content-visibility](https://web.dev/articles/content-visibility).

Not judged: The layout cost of elements; elements that scripts add. Elements in the head and in ``<pre>`` (highlighted code) count but are
never reported as the widest.
"""

from findable.artifacts.content import Content
from findable.artifacts.html.document import Document, Element
from findable.checks.engine import Evidence, Finding, check, element, failed, passed, warned
from findable.vocabulary import Effort, Importance

GOOD_COUNT = 1500
POOR_COUNT = 5000
LONG_LIST_COUNT = 100
"""Number of children from which an element is a long list (set by Findable)."""
LIST_TAGS = frozenset({"ul", "ol", "dl", "menu", "table", "tbody", "select"})
ITEM_TAGS = frozenset({"a", "article"})
"""Elements that make any parent a list."""
NAMED_SHARE = 3
"""Divisor of a share: if one in this many elements is in code or SVG images, the advice is about them."""
CODE_ADVICE = (
    "{code_count|element is|elements are} inside pre, usually from syntax highlighting: highlight less code,"
    " or keep long listings in files. Let the browser skip what is off the screen (content-visibility: auto)."
)
DRAWING_ADVICE = "{drawn_count|element is a part|elements are parts} of inline drawings: load drawings from files with img."
LIST_ADVICE = (
    "Show a part of the long list and link to the rest, or let the browser skip what is off the screen (content-visibility: auto). Drop"
    " wrappers that do nothing."
)
OTHER_ADVICE = "Drop wrappers that do nothing, and let the browser skip what is off the screen (content-visibility: auto)."


@check("How big is the DOM?", Importance.LOW, Effort.CONTENT, failed=4, warned=3)
def dom_size(content: Content) -> Finding:
    document = content.document
    count = document.element_count
    widest, children = document.widest_element
    shown = element(widest or document.html, "the widest element, {children|child|children}", children=children)
    if count <= GOOD_COUNT:
        return passed("{count|element|elements}, nested up to {depth} deep", count=count, depth=document.max_depth, evidence=shown)
    is_long_list = widest is not None and children >= LONG_LIST_COUNT and _is_list(widest)
    code_count, drawn_count = _count_inside(document, "pre"), _count_inside(document, "svg")
    advice = OTHER_ADVICE
    if code_count * NAMED_SHARE >= count:
        advice = CODE_ADVICE
    elif drawn_count * NAMED_SHARE >= count:
        advice = DRAWING_ADVICE
    elif is_long_list:
        advice = LIST_ADVICE
    return (warned if count <= POOR_COUNT else failed)(
        "{count|element|elements}, nested up to {depth} deep; up to {good_count} elements are good",
        count=count,
        depth=document.max_depth,
        good_count=GOOD_COUNT,
        code_count=code_count,
        drawn_count=drawn_count,
        evidence=shown if is_long_list else _innermost_half(document),
        advice=advice,
    )


def _is_list(widest: Element) -> bool:
    document, own = widest.document, widest.order
    inside = slice(own + 1, document.ends[own])
    items = [tag for tag, parent in zip(document.tags[inside], document.parents[inside], strict=True) if parent == own and tag in ITEM_TAGS]
    return widest.tag in LIST_TAGS or len(items) >= LONG_LIST_COUNT


def _count_inside(document: Document, tag: str) -> int:
    """Return the number of elements inside elements with this tag."""
    ends = document.ends
    count = end = 0
    for outer in document.all(tag):
        if outer.order >= end:
            end = ends[outer.order]
            count += end - outer.order - 1
    return count


def _innermost_half(document: Document) -> Evidence:
    """Return the innermost element with at least half of all elements, used if no list is long."""
    count = document.element_count
    # elements that begin later contain too few
    sizes = [end - order - 1 for order, end in enumerate(document.ends[: count // 2 + 1])]
    order = max(order for order, size in enumerate(sizes) if size * 2 >= count)
    return element(document.element_at(order), "{inside_count} of the elements are in this one", inside_count=sizes[order])
