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

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import count, islice
from typing import Any

from findable.artifacts.html.document import Element
from findable.artifacts.html.ids import NAMING_ATTRIBUTES, Ids, Reference
from findable.artifacts.page.links import Links
from findable.checks.engine import EVIDENCE_SHOWN, Finding, check, element, inapplicable, passed, warned
from findable.checks.page_fix import Fix, attribute_fix
from findable.vocabulary import Effort, Importance

FIELDS = frozenset({"input", "select", "textarea", "button"})
MAX_INSIDE = 30
DOUBLES_READ = 100
REFERENCES_READ = 100
ANCESTORS_READ = 200
TWICE = "{doubles_count|id that something refers to is|ids that something refers to are} given more than once"
MISSING = "{dangling_count|reference leads|references lead} to an id that does not exist"
BOTH = (
    "{doubles_count|id that something refers to is|ids that something refers to are} given more than once;"
    " {dangling_count|reference leads|references lead} to an id that does not exist"
)


@check("Are ids unique and references alive?", Importance.LOW, Effort.CONTENT, warned=3)
def duplicate_id(ids: Ids, links: Links) -> Finding:
    """Checks duplicate ids that labels, ARIA attributes or links refer to, and labels whose target is missing."""
    if not ids.count and not ids.references:
        return inapplicable("The page has no ids")
    jumps = [Reference(link.element, "href", link.fragment) for link in links.items if link.same_page and link.fragment]
    named = {reference.id for reference in (*ids.references, *jumps)}
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
            fixes=_fixes(doubles, [*ids.references, *jumps], ids),
            **values,
        )
    unused_count = sum(len(holders) - 1 for name, holders in ids.duplicates.items() if name not in named)
    if not unused_count:
        return passed("{ids_count|id|ids}, none given twice", **values)
    return passed("{ids_count|id|ids}; {unused_count} given twice, but nothing refers to them", unused_count=unused_count, **values)


def _fixes(doubles: Sequence[Element], references: Iterable[Reference], ids: Ids) -> Iterator[Fix | None]:
    """Yield each duplicate with an unused id, and the references nearest to it. A field keeps its id unless a reference follows it."""
    given: Counter[str] = Counter()
    changes: dict[Element, dict[str, str]] = {}
    moved = _by_holder(references, ids)
    for node in doubles[:DOUBLES_READ]:
        name = node.attr("id") or ""
        given[name] += 1
        if name not in moved or (node.tag in FIELDS and node not in moved[name]):
            continue
        free = next((made for number in count(given[name] + 1) if (made := f"{name}-{number}") not in ids.elements), name)
        more = {element: dict(values) for element, values in changes.items()}
        more.setdefault(node, {})["id"] = free
        for item in moved[name][node]:
            values = more.setdefault(item.element, {})
            written = values.get(item.attribute, item.element.attr(item.attribute) or "")
            values[item.attribute] = _renamed(written, name, free)
        if len(more) > EVIDENCE_SHOWN:  # an id without its references would be wrong
            break
        changes = more if all(attribute_fix(element, **values) for element, values in more.items()) else changes
    yield from (attribute_fix(element, **values) for element, values in changes.items())


def _by_holder(references: Iterable[Reference], ids: Ids) -> dict[str, defaultdict[Element, list[Reference]]]:
    """Return the references to each duplicate id by the element that they mean; none of ids with very many."""
    found: defaultdict[str, list[Reference]] = defaultdict(list)
    for item in references:
        if item.id in ids.duplicates:
            found[item.id].append(item)
    held: dict[str, defaultdict[Element, list[Reference]]] = {}
    for name, items in list(found.items())[:DOUBLES_READ]:
        if len(items) <= REFERENCES_READ:
            held[name], holders = defaultdict(list), ids.duplicates[name]
            orders = [node.order for node in holders]
            for item in items:
                held[name][holders[_place_of_holder(item.element, orders)]].append(item)
    return held


def _place_of_holder(reference: Element, orders: Sequence[int]) -> int:
    """Return which of the elements with an id a reference means: the one around it, else the first of the nearest ones."""
    ends, outers = reference.document.ends, [reference, *islice(reference.ancestors, ANCESTORS_READ)]
    places = [bisect_left(orders, outer.order) for outer in outers]
    around = (at for outer, at in zip(outers[1:], places[1:], strict=True) if at < len(orders) and orders[at] == outer.order)
    near = (at for outer, at in zip(outers, places, strict=True) if at < len(orders) and orders[at] < ends[outer.order])
    return next(around, next(near, 0))


def _renamed(value: str, name: str, free: str) -> str:
    """Return a reference to an id, or several, with the new id."""
    if value.endswith(f"#{name}"):
        return value.removesuffix(name) + free
    return " ".join(free if part == name else part for part in value.split())


def _is_dangling(reference: Reference, ids: Ids) -> bool:
    """Return whether none of the ids in a label or ARIA attribute exists; a label around its field needs no id."""
    if reference.attribute not in NAMING_ATTRIBUTES or reference.id in ids.elements:
        return False
    if reference.attribute == "for":
        inside = reference.element.first_descendants(MAX_INSIDE)
        return not any(node.tag in FIELDS for node in inside)
    return not any(part in ids.elements for part in (reference.element.attr(reference.attribute) or "").split())
