"""What is said where there is more structured data than is read: never that something is missing."""

import json
from typing import Any

import pytest

from findable.artifacts.page.structured_data import MAX_BLOCKS, StructuredData
from findable.artifacts.page.structured_items import MAX_DEPTH, MAX_ITEMS
from findable.reports.facts import facts_of
from tests.checks.harness import artifacts, finding, findings, page

THING = {"@context": "https://schema.org", "@type": "Thing", "name": "A"}
HOME = "https://www.example.com/"
INNER = "https://www.example.com/shop/blue/widgets"


def ld(*values: Any) -> str:
    return page(head="<title>x</title>" + "".join(f'<script type="application/ld+json">{json.dumps(value)}</script>' for value in values))


def nested(depth: int) -> dict[str, Any]:
    value: dict[str, Any] = {"@type": "Product"}
    for _ in range(depth):
        value = {"@type": "Thing", "about": value}
    return {"@context": "https://schema.org", **value}


PRODUCT_CUT = {
    "@context": "https://schema.org",
    "@type": "Product",
    "name": "A",
    "isRelatedTo": [{"@type": "Thing"}] * MAX_ITEMS,
    "offers": {"@type": "Offer", "price": 1},
}
MANY = [
    ("blocks", ld(*[THING] * (MAX_BLOCKS + 1))),
    ("items", ld({**THING, "about": [{"@type": "Thing"}] * MAX_ITEMS})),
    ("depth", ld(nested(MAX_DEPTH + 1))),
    ("values", ld({**THING, "alternateName": ["b"] * (MAX_ITEMS + 1)})),
]


@pytest.mark.parametrize(("case", "html"), MANY, ids=[case for case, _ in MANY])
def test_nothing_is_said_to_be_missing(case: str, html: str) -> None:
    verdicts = {name: found.verdict.value for name, found in findings(html, url=INNER).items()}
    assert verdicts["sd-breadcrumb"] == "unknown", case
    assert verdicts["sd-present"] == "passed"
    assert finding("sd-identity", html, url=HOME).verdict.value == "unknown"
    facts = facts_of(artifacts(html))
    assert facts.structured_data
    assert facts.structured_data.is_cut is True


def test_what_a_cut_item_lacks_is_not_known() -> None:
    assert finding("sd-required", ld(PRODUCT_CUT)).verdict.value == "unknown"


def test_all_that_is_read_is_judged() -> None:
    html = ld({**THING, "about": [{"@type": "Thing"}] * (MAX_ITEMS - 1)})
    data = artifacts(html).get_or_none(StructuredData)
    assert data is not None
    assert not data.is_cut
    assert finding("sd-breadcrumb", html, url=INNER).verdict.value == "warned"
