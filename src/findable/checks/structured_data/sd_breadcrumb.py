"""An inner page has no breadcrumb trail in its structured data.

In plain words: In Google, people do not see in which section of your site this page is.

Why it matters: Search results show the position of the page in the site instead of its URL if there is a trail.

How to fix: Add a BreadcrumbList from the home page down to this page.

    {"@context": "https://schema.org", "@type": "BreadcrumbList", "itemListElement": [
      {"@type": "ListItem", "position": 1, "name": "Shop", "item": "https://www.example.com/shop"},
      {"@type": "ListItem", "position": 2, "name": "Blue widgets"}]}

Sources: [Google: breadcrumb](https://developers.google.com/search/docs/appearance/structured-data/breadcrumb) (2025): at least two items,
each with position and name.

Not judged: pages less than two folders deep; whether the trail matches the visible one.
"""

from findable.artifacts.content import Content
from findable.artifacts.html.document import Document
from findable.artifacts.page.page_url import PageUrl
from findable.artifacts.page.structured_data import StructuredData
from findable.artifacts.page.structured_items import Item
from findable.checks.engine import Finding, check, element, inapplicable, passed, unknown, warned
from findable.checks.structured_data_evidence import PART_READ
from findable.vocabulary import Effort, Importance

FOLDERS = 2
MIN_ITEMS = 2
NAMES_SHOWN = 20


@check("Is there a breadcrumb trail on an inner page?", Importance.LOW, Effort.HEAD, warned=5, accepts_partial_input=True)
def sd_breadcrumb(page_url: PageUrl, document: Document, data: StructuredData, content: Content | None) -> Finding:
    if page_url.depth - 1 < FOLDERS:  # the page itself is not a folder
        return inapplicable("The page is not deep enough for a trail")
    trails = [item for item in data.all_items() if item.is_schema_org and item.is_a("BreadcrumbList")]
    if not trails:
        if data.has_broken_block:
            return inapplicable("The structured data cannot be read: see “{check}”", check="jsonld-valid")
        if content is None:
            return unknown("Not known: scripts build this page, and it was read without a browser")
        if data.is_cut:
            return unknown(PART_READ)
        return warned("No BreadcrumbList on an inner page", evidence=element(document.head, "no BreadcrumbList on the page"))
    for trail in trails:
        names = _names(data, trail)
        if len(names) >= MIN_ITEMS and all(names):
            return passed("Trail: {names}", names=names[:NAMES_SHOWN], evidence=trail.element)
    if data.is_cut:
        return unknown(PART_READ)
    return warned(
        "The breadcrumb trail is not valid",
        evidence=[
            element(trail.element, "{count|item|items}; at least two are needed, each with a name", count=len(_names(data, trail)))
            for trail in trails
        ],
    )


def _names(data: StructuredData, trail: Item) -> list[str]:
    steps = [value for value in data.values(trail, "itemListElement") if isinstance(value, Item)]
    return [data.text(step, "name") or data.text(step, "item") for step in steps]
