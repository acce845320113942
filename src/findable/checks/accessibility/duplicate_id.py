"""An id that other elements refer to is duplicate or missing.

In plain words: Visitors who have the page read aloud do not learn what some fields or links are for.

Why it matters: Labels, descriptions and links reach only the first element with that id; if there is none, a field has no name.

How to fix: Give every element a unique id and refer to it.

    <label for="mail-2">Email</label> <input id="mail-2" type="email">

Sources: [HTML Standard: The id attribute](https://html.spec.whatwg.org/multipage/dom.html#the-id-attribute); [WCAG 2.2, 1.3.1 Info and
Relationships](https://www.w3.org/TR/WCAG22/#info-and-relationships); [WCAG 2.2, 4.1.2 Name, Role,
Value](https://www.w3.org/TR/WCAG22/#name-role-value).

Not judged: Duplicate ids without references, which do no harm (the message contains their number), and references to elements that scripts
may add later (aria-controls, aria-describedby, aria-owns).
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import count
from typing import Any

from findable.artifacts.html.document import Element
from findable.artifacts.html.ids import NAMING_ATTRIBUTES, Ids, Reference
from findable.artifacts.page.links import Links
from findable.checks.engine import Finding, check, element, inapplicable, passed, warned
from findable.checks.page_fix import Fix, attribute_fix
from findable.vocabulary import Effort, Importance, Verdict

FIELDS = frozenset({"input", "select", "textarea", "button"})
MAX_INSIDE = 30
TWICE = "{doubles_count|id that something refers to is|ids that something refers to are} given more than once"
MISSING = "{dangling_count|reference leads|references lead} to an id that does not exist"
BOTH = (
    "{doubles_count|id that something refers to is|ids that something refers to are} given more than once;"
    " {dangling_count|reference leads|references lead} to an id that does not exist"
)


@check(
    question="Are ids unique and references alive?",
    importance=Importance.LOW,
    effort=Effort.CONTENT,
    costs={Verdict.FAILED: 3, Verdict.WARNED: 3},
)
def duplicate_id(ids: Ids, links: Links) -> Finding:
    """Checks duplicate ids that labels, ARIA attributes or links refer to, and labels whose target is missing."""
    if not ids.count and not ids.references:
        return inapplicable("The page has no ids")
    fragments = {link.fragment for link in links.items if link.same_page and link.fragment}
    named = {reference.id for reference in ids.references} | fragments
    doubles = [holder for name, holders in ids.duplicates.items() if name in named for holder in holders[1:]]
    dangling = [reference for reference in ids.references if not ids.is_cut and _is_dangling(reference, ids)]
    doubles_count = len({node.attr("id") for node in doubles})
    values: dict[str, Any] = {"ids_count": ids.count, "doubles_count": doubles_count, "dangling_count": len(dangling)}
    if doubles or dangling:
        missing = [
            element(item.element, "{attribute} refers to “{id}”, which no element has", attribute=item.attribute, id=item.id)
            for item in dangling
        ]
        return warned(
            BOTH if doubles and dangling else TWICE if doubles else MISSING,
            evidence=[*missing, *doubles],
            fixes=_fixes(doubles, ids),
            **values,
        )
    unused_count = sum(len(holders) - 1 for name, holders in ids.duplicates.items() if name not in named)
    if not unused_count:
        return passed("{ids_count|id|ids}, none given twice", **values)
    return passed("{ids_count|id|ids}; {unused_count} given twice, but nothing refers to them", unused_count=unused_count, **values)


def _fixes(doubles: Iterable[Element], ids: Ids) -> Iterator[Fix | None]:
    """Yield each duplicate with an unused id. A field keeps its id, because its label would then name the first element only."""
    given: Counter[str] = Counter()
    for node in (node for node in doubles if node.tag not in FIELDS):
        name = node.attr("id") or ""
        given[name] += 1
        free = next((made for number in count(given[name] + 1) if (made := f"{name}-{number}") not in ids.elements), name)
        yield attribute_fix(node, id=free)


def _is_dangling(reference: Reference, ids: Ids) -> bool:
    """Return whether none of the ids in a label or ARIA attribute exists; a label around its field needs no id."""
    if reference.attribute not in NAMING_ATTRIBUTES or reference.id in ids.elements:
        return False
    if reference.attribute == "for":
        inside = reference.element.first_descendants(MAX_INSIDE)
        return not any(node.tag in FIELDS for node in inside)
    return not any(part in ids.elements for part in (reference.element.attr(reference.attribute) or "").split())
