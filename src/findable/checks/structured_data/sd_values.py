"""Structured data contains values or names that search engines do not understand.

In plain words: Google does not understand some of the extra information about this page, such as a price or a date.

Why it matters: Search engines ignore values that they cannot parse: a price with a thousands separator, a date in words, a type with a
typing error. The rich result loses that part or does not appear at all.

How to fix: Write the value in the format of the property.

    {"@type": "Offer", "price": "1299.00", "priceCurrency": "EUR", "availability": "https://schema.org/InStock"}
    {"@type": "VideoObject", "uploadDate": "2026-11-01T08:00:00+01:00", "duration": "PT1M33S"}
    {"@type": "BlogPosting", "author": [{"@type": "Person", "name": "Ann Smith"}, {"@type": "Person", "name": "Bob Jones"}]}

Sources: [schema.org](https://schema.org/docs/datamodel.html), release 30.0: names, and the values that each property takes (Date, DateTime,
Duration, Number, URL and enumerations); [schema.org: price](https://schema.org/price): a point and no thousands separator; [Google: product
snippet](https://developers.google.com/search/docs/appearance/structured-data/product-snippet) (2025): ISO 4217 currencies, priceValidUntil;
[Google: article](https://developers.google.com/search/docs/appearance/structured-data/article) (2025): author.name holds one name and
nothing else; [Google: job posting](https://developers.google.com/search/docs/appearance/structured-data/job-posting) (2025): remove expired
postings, employmentType; [HTML Standard](https://html.spec.whatwg.org/multipage/microdata.html#attr-itemtype): itemtype needs itemscope.

Not judged: other vocabularies; JSON-LD whose context defines its own terms; properties for which schema.org permits text; names more than
one letter from a known one, because sites may add names; ratings (see sd-reviews) and the dates of articles (see dates-consistent); past
events, which are reported but not a fault.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from findable.artifacts.html.document import Document, Element
from findable.artifacts.page.structured_data import SourcePosition, find_in_source
from findable.artifacts.page.structured_items import Syntax
from findable.artifacts.page.structured_values import FaultyValue, StructuredValues, ValueFault
from findable.checks.engine import EVIDENCE_SHOWN, Evidence, Finding, check, element, inapplicable, info, passed, warned
from findable.checks.page_fix import Fix, FixPlace, attribute_fix, removal_fix
from findable.vocabulary import Effort, Importance, Stage

MAX_ORPHANS = 1_000
_NAMES_OF_META = frozenset({"itemprop", "name", "property", "http-equiv", "charset", "rel"})
EXPECTED_SHOWN = 10


@check("Are the values in structured data valid?", Importance.LOW, Effort.CONTENT, status=Stage.PREVIEW)
def sd_values(document: Document, values: StructuredValues) -> Finding:
    if not values.checked_count:
        return inapplicable("No structured data of schema.org")
    orphans = document.select("[itemtype]:not([itemscope])", limit=MAX_ORPHANS)
    faults = [fault for fault in values.faults if fault.fault is not ValueFault.EVENT_OVER]
    if faults or orphans:
        shown = _placed(faults[:EVIDENCE_SHOWN])
        return warned(
            "{count|value or name is|values or names are} not valid in the structured data",
            count=len(faults) + len(orphans),
            evidence=[
                *(_evidence(fault, place) for fault, place in shown),
                *(fault.item.element for fault in faults[EVIDENCE_SHOWN:]),
                *(element(node, "itemtype without itemscope: no item begins here") for node in orphans),
            ],
            fixes=[*(_fix(fault, place) for fault, place in shown), *(_orphan_fix(node) for node in orphans[:EVIDENCE_SHOWN])],
            advice="Write each value in the form that its property takes, and each name as schema.org spells it.",
        )
    if values.faults:
        return info(
            "The event in the structured data is over", evidence=[_evidence(fault, place) for fault, place in _placed(values.faults)]
        )
    return passed("The values of {count|item|items} are valid", count=values.checked_count)


def _orphan_fix(node: Element) -> Fix | None:
    """Return the element as the start of an item, or without itemtype if it cannot contain one; its removal if nothing else is left."""
    if node.tag not in ("meta", "link"):
        return attribute_fix(node, itemscope=True)
    return attribute_fix(node, itemtype=None) if _NAMES_OF_META & node.attrs.keys() else removal_fix(node)


def _fix(fault: FaultyValue, place: SourcePosition) -> Fix | None:
    """Return the code with the corrected value; None if the intended value is uncertain."""
    if fault.fault is ValueFault.PROPERTY_NAME and fault.item.syntax is Syntax.MICRODATA and len(fault.expected) == 1:
        names = (place.element.attr("itemprop") or "").split()
        is_only_one = names == [fault.name] and len(fault.item.holders.get(fault.name, ())) == 1
        return attribute_fix(place.element, itemprop=fault.expected[0]) if is_only_one else None
    if len(fault.expected) != 1 or fault.fault in (ValueFault.SEVERAL_AUTHORS, ValueFault.TYPE_NAME, ValueFault.PROPERTY_NAME):
        return None
    if place.text:
        return Fix(place.text.replace(fault.value, fault.expected[0]), FixPlace.SCRIPT, place.text, place.line, place.column)
    if place.element != fault.item.element and fault.item.syntax is Syntax.MICRODATA:
        return attribute_fix(place.element, content=fault.expected[0])
    return None


def _placed(faults: Iterable[FaultyValue]) -> list[tuple[FaultyValue, SourcePosition]]:
    """Return the faults with their places; equal values in one script are found one after the other."""
    counts: Counter[tuple[int, str, str]] = Counter()
    found = []
    for fault in faults:
        value = "" if fault.fault in (ValueFault.PROPERTY_NAME, ValueFault.EMPTY_OBJECT) else fault.value
        key = (fault.item.element.order, fault.name, value)
        found.append((fault, find_in_source(fault.item, fault.name, value, counts[key])))
        counts[key] += 1
    return found


def _evidence(fault: FaultyValue, place: SourcePosition) -> Evidence:
    node = place.element
    params: dict[str, Any] = {"path": fault.path, "value": fault.value, "value_fault": fault.fault}
    note = "{path} “{value}”: {value_fault}" if fault.value else "{path}: {value_fault}"
    if fault.expected:
        note = "{path} “{value}”: {value_fault}. Expected: {expected}"
        params["expected"] = list(fault.expected[:EXPECTED_SHOWN])
    return Evidence("element", place.text or node.snippet, node.selector, place.line, place.column, note=note, params=params)
