"""Structured data lacks a property that Google requires or recommends for its rich result.

In plain words: Google cannot show all extras such as price, rating or image beside this page, because some information is missing.

Why it matters: Without a required property, the item is not eligible for its rich result. Recommended properties make the result richer.
An offer without a currency can still appear in a product snippet, but not in a merchant listing.

How to fix: Add the property, or remove the type if no rich result is wanted. Move or rename a property that the page has outside the item,
for another item or under another name.

    {"@context": "https://schema.org", "@type": "Product", "name": "Blue widget",
     "offers": {"@type": "Offer", "price": "12.90", "priceCurrency": "EUR"}}

Sources: [Google: supported structured data](https://developers.google.com/search/docs/appearance/structured-data/search-gallery) and the
page of each feature (table of November 2026); currency of offers: required by [Google: merchant
listing](https://developers.google.com/search/docs/appearance/structured-data/merchant-listing), recommended by [Google: product
snippet](https://developers.google.com/search/docs/appearance/structured-data/product-snippet) (2025).

Not judged: items nested in others, unless they are the main entity of the page; types without a rich result; recommended properties beyond
the few that matter nearly everywhere, and those of the organization elsewhere than on the home page, where Google requires them; whether
the values are true.
"""

from collections.abc import Iterator, Sequence
from itertools import islice

from findable.artifacts.html.document import Element
from findable.artifacts.page.page_url import PageUrl
from findable.artifacts.page.structured_data import StructuredData
from findable.artifacts.page.structured_items import Item, Syntax, Value, plain
from findable.artifacts.tables.rich_results import (
    AGGREGATE_OFFER_REQUIRED,
    FEATURES,
    MERCHANT_OFFER,
    NESTED,
    OFFER_REQUIRED,
    STEP_REQUIRED,
    Feature,
)
from findable.checks.engine import EVIDENCE_SHOWN, Evidence, Finding, check, element, failed, inapplicable, passed, unknown, warned
from findable.checks.structured_data_evidence import PART_READ
from findable.vocabulary import Effort, Importance

ITEMS_JUDGED = 200
NESTED_JUDGED = 20
VALUES_JUDGED = 20
DEPTH_JUDGED = 5
STATED_SEARCHED = 20
MAX_ANCESTORS = 50
GENERAL = frozenset({"name", "url", "description", "image", "logo"})
"""Properties that every type has, so that another item with the property proves nothing."""
PARTS = frozenset({"Person", "Organization", "ImageObject", "WebPage", "WPHeader", "CreativeWork"})
"""Types that are part of other items or contain them, and often have their properties by mistake."""
RENAMED = {
    "author": ("creator",),
    "datePublished": ("dateCreated", "uploadDate"),
    "uploadDate": ("datePublished", "dateCreated"),
    "thumbnailUrl": ("image", "thumbnail"),
}
"""Properties that sites use instead of those that Google reads."""


@check("Are all properties that rich results require present?", Importance.MEDIUM, Effort.CONTENT, failed=60, warned=40)
def sd_required(data: StructuredData, page_url: PageUrl) -> Finding:
    described = list(data.page_subjects())
    judged = [(item, feature) for item in described[:ITEMS_JUDGED] if (feature := _feature(item)) is not None]
    is_cut = data.is_cut or len(described) > ITEMS_JUDGED
    if not judged and is_cut:
        return unknown(PART_READ)
    if not judged:
        return inapplicable("No structured data that a rich result is made of")
    missing = [(item, feature, path) for item, feature in judged for path in _missing_properties(data, item, feature)]
    if missing and data.is_cut:
        return unknown(PART_READ, evidence=_gaps(missing))
    if missing:
        gaps = _gaps(missing)
        message = "The structured data lacks {count|required property|required properties}"
        return failed(message, count=len(missing), evidence=gaps, advice=_advice(gaps))
    full = [(item, feature) for item, feature in judged if page_url.is_home or feature.name != "Organization"]
    wanted = [(item, feature, path) for item, feature in full for path in feature.recommended if not _has(data, item, path)]
    without_currency = [(offer, MERCHANT_OFFER, path) for item, feature in judged for offer, path in _merchant_gaps(data, item, feature)]
    if without_currency and not wanted and not data.is_cut:
        message = "{count|offer has|offers have} a price without a currency, which merchant listings require"
        advice = 'Add "priceCurrency" with the three-letter code of the currency (ISO 4217) to the offer.'
        return warned(message, count=len(without_currency), evidence=_gaps(without_currency), advice=advice)
    wanted += without_currency
    if wanted and not data.is_cut:
        gaps = _gaps(wanted)
        message = "The structured data lacks {count|recommended property|recommended properties}"
        return warned(message, count=len(wanted), evidence=gaps, advice=_advice(gaps))
    if len(described) > ITEMS_JUDGED:
        message = "All required properties are present in the first {judged_count} of {count} items"
        return passed(message, judged_count=ITEMS_JUDGED, count=len(described))
    if any(_has_many(data, item, feature) for item, feature in judged):
        message = "All required properties are present; of properties with many values, the first {count} were checked"
        return passed(message, count=NESTED_JUDGED)
    return passed(
        "All required properties are present for: {features}",
        features=list(dict.fromkeys(feature.name for _, feature in judged)),
        evidence=[item.element for item, _ in judged[:10]],
    )


def _feature(item: Item) -> Feature | None:
    # Microdata with only one or two properties is a leftover of a theme and not meant for a rich result.
    if item.syntax is not Syntax.JSON_LD and not item.properties:
        return None
    return next((feature for feature in FEATURES if any(name in feature.types for name in item.types)), None)


def _gaps(missing: list[tuple[Item, Feature, str]]) -> list[Evidence | Element]:
    """Return evidence of missing properties; beyond EVIDENCE_SHOWN, only the element, which is counted."""
    return [*(_gap(*one) for one in missing[:EVIDENCE_SHOWN]), *(item.element for item, *_ in missing[EVIDENCE_SHOWN:])]


def _gap(item: Item, feature: Feature, path: str) -> Evidence:
    paths = path.split("|")
    for name in paths:
        if (stated := _misplaced_evidence(item, feature, name)) is not None:
            return stated
    if len(paths) > 1:
        return element(item.element, "{type} has none of {paths} (result: {feature})", feature=feature.name, type=item.name, paths=paths)
    return element(item.element, "{type} has no {path} (result: {feature})", feature=feature.name, type=item.name, path=path)


def _misplaced_evidence(item: Item, feature: Feature, name: str) -> Evidence | None:
    """Return evidence of the property in a place where search engines do not read it; None if there is none."""
    params = {"feature": feature.name, "type": item.name, "path": name}
    others = (*RENAMED.get(name, ()), *(other for other in item.properties if other != name and other.lower() == name.lower()))
    if instead := next((other for other in others if item.properties.get(other)), ""):
        note = "{type} has no {path} (result: {feature}): search engines do not read {instead} for it"
        return element(item.element, note, **params, instead=instead)
    if "." in name or name in GENERAL or "itemprop" not in item.element.document.source:
        return None
    for node in item.element.document.select(f'[itemprop~="{name}"]', limit=STATED_SEARCHED):
        scope = next((outer for outer in islice(node.ancestors, MAX_ANCESTORS) if outer.attr("itemscope") is not None), None)
        if scope is None:
            note = "{type} has no {path} (result: {feature}): line {line} states it outside of every item"
            return element(item.element, note, **params, line=node.line)
        holder = plain((scope.attr("itemtype") or "").split(" ")[0])
        if holder and scope != item.element and (holder in feature.types or holder in PARTS):
            note = "{type} has no {path} (result: {feature}): line {line} states it for {holder}"
            return element(item.element, note, **params, line=node.line, holder=holder)
    return None


def _advice(gaps: Sequence[Evidence | Element]) -> str:
    if any(isinstance(gap, Evidence) and not gap.params.keys().isdisjoint(("line", "instead")) for gap in gaps):
        return "Move or rename the properties that the page already has, so that they belong to the item; add only those that are missing."
    return ""


def _has(data: StructuredData, item: Item, path: str) -> bool:
    return any(_has_content(data, value) for alternative in path.split("|") for value in data.path(item, alternative)[:VALUES_JUDGED])


def _has_content(data: StructuredData, value: Value, depth: int = 0) -> bool:
    """Return whether a value is more than an empty object or one with only a type.

    Any reference counts.
    """
    if isinstance(value, str) or value.id or depth > DEPTH_JUDGED:
        return True
    return any(_has_content(data, inner, depth + 1) for name in value.properties for inner in data.values(value, name)[:VALUES_JUDGED])


def _missing_properties(data: StructuredData, item: Item, feature: Feature) -> Iterator[str]:
    if feature.name == "Job posting" and data.text(item, "jobLocationType").upper() == "TELECOMMUTE":
        yield from (path for path in feature.required if not path.startswith("jobLocation") and not _has(data, item, path))
    else:
        yield from (path for path in feature.required if not _has(data, item, path))
    if feature.name == "Breadcrumb":
        steps = _nested_items(data, item, "itemListElement")[:NESTED_JUDGED]
        yield from (f"itemListElement.{path}" for path in STEP_REQUIRED if any(not _has(data, step, path) for step in steps))
        return
    for name, paths in NESTED.items():
        for inner in _nested_items(data, item, name)[:NESTED_JUDGED]:
            yield from (f"{name}.{path}" for path in paths if not _has(data, inner, path))
    if feature.name == "Product":
        for offer in _nested_items(data, item, "offers")[:NESTED_JUDGED]:
            wanted = AGGREGATE_OFFER_REQUIRED if offer.is_a("AggregateOffer") else OFFER_REQUIRED
            yield from (f"offers.{path}" for path in wanted if offer.properties and not _has(data, offer, path))


def _merchant_gaps(data: StructuredData, item: Item, feature: Feature) -> Iterator[tuple[Item, str]]:
    """Yield offers of a product that have a price but lack what merchant listings require."""
    if feature.name != "Product":
        return
    for offer in _nested_items(data, item, "offers")[:NESTED_JUDGED]:
        if not offer.is_a("AggregateOffer") and all(_has(data, offer, path) for path in OFFER_REQUIRED):
            yield from ((offer, path) for path in MERCHANT_OFFER.required if not _has(data, offer, path))


def _nested_items(data: StructuredData, item: Item, name: str) -> list[Item]:
    """Return nested items of a property; references to other items do not count."""
    return [value for value in data.values(item, name) if isinstance(value, Item) and value.types]


def _has_many(data: StructuredData, item: Item, feature: Feature) -> bool:
    """Return whether the item has more nested items of one type than are checked."""
    names = ("itemListElement",) if feature.name == "Breadcrumb" else (*NESTED, "offers")
    return any(len(_nested_items(data, item, name)) > NESTED_JUDGED for name in names)
