"""The page has no structured data, or is a recipe, product or article without the data of one.

In plain words: Google cannot show extras such as price, rating or date beside this page, because it does not get them in its form.

Why it matters: Structured data describes the page in machine-readable form: an article, a product, an event. It makes the page eligible for
rich results; it does not raise its rank.

How to fix: Add the type that fits the page.

    <script type="application/ld+json">
    {"@context": "https://schema.org", "@type": "Article", "headline": "Blue widgets", "datePublished": "2026-11-01"}
    </script>

Sources: [Google: introduction to structured
data](https://developers.google.com/search/docs/appearance/structured-data/intro-structured-data) (2025): optional, needed for rich results
only.

Not judged: structured data that scripts add after loading; pages that are an article only by og:type, which content systems give to every
page.
"""

from findable.artifacts.content import Content
from findable.artifacts.html.document import Document
from findable.artifacts.page.head import Head
from findable.artifacts.page.headings import Headings
from findable.artifacts.page.page_kind import DeterminedKind, KindSign
from findable.artifacts.page.page_url import PageUrl
from findable.artifacts.page.social import Social
from findable.artifacts.page.structured_data import StructuredData
from findable.artifacts.page.structured_items import Item
from findable.artifacts.tables.page_kinds import TABLE
from findable.checks.engine import Finding, check, element, inapplicable, passed, unknown, warned, with_fault
from findable.checks.json_ld_fix import page_item_fix
from findable.checks.structured_data_evidence import PART_READ
from findable.vocabulary import Effort, Fault, Importance, PageKind, Verdict

TYPES_SHOWN = 8
NEEDED_ON = frozenset({PageKind.RECIPE, PageKind.PRODUCT})
"""Kinds of pages whose data yields a rich result that most pages of the kind have."""

UNDESCRIBED = {
    PageKind.RECIPE: "The page is a recipe, and none of its {count|item|items} of structured data describes it",
    PageKind.PRODUCT: "The page shows a product, and none of its {count|item|items} of structured data describes it",
    PageKind.ARTICLE: "The page is an article, and none of its {count|item|items} of structured data describes it",
}
"""Message for each kind of page that one item should describe."""
ON_EVERY_PAGE = frozenset(
    {
        *("WebSite", "WebPage", "Organization", "NewsMediaOrganization", "Person", "ImageObject", "BreadcrumbList", "ListItem"),
        *("SearchAction", "SiteNavigationElement", "WPHeader", "WPFooter", "WPSideBar"),
    }
)
"""Types of the site and its parts, which describe no article."""


@check(
    "Is there structured data?",
    Importance.LOW,
    Effort.CONTENT,
    indexing_only=True,
    costs={Fault.NEEDED_DATA_MISSING: 140, Verdict.WARNED: 80},
    kind_percents={PageKind.DOCUMENTATION: 40, PageKind.FORM: 10},
    accepts_partial_input=True,
)
def sd_present(
    document: Document,
    data: StructuredData,
    content: Content | None,
    page_url: PageUrl | None,
    social: Social | None,
    head: Head | None,
    headings: Headings | None,
    kind: DeterminedKind | None,
) -> Finding:
    items = data.schema_items
    needed = kind.kind if kind and kind.kind in NEEDED_ON else None
    if items and not data.is_cut and kind and kind.element and not any(_describes(item, kind) for item in items):
        missing = warned(UNDESCRIBED[kind.kind], count=len(items), evidence=[kind.element, *(item.element for item in items[:10])])
        return with_fault(missing, Fault.NEEDED_DATA_MISSING if needed and not data.has_broken_block else None)
    if items:
        names = list(dict.fromkeys(item.name for item in items))
        return passed(
            "{count|item|items} of schema.org: {types}",
            count=len(items),
            types=names[:TYPES_SHOWN],
            evidence=[element(item.element, "{type} ({syntax})", type=item.name, syntax=item.syntax.value) for item in items[:10]],
        )
    if data.has_broken_block:
        return inapplicable("The structured data cannot be read: see “{check}”", check="jsonld-valid")
    if data.is_cut:
        return unknown(PART_READ)
    if content is None:
        return unknown("Not known: scripts build this page, and it was read without a browser")
    if data.items:
        return warned(
            "Structured data, but none of schema.org: {types}",
            types=[item.name for item in data.items[:TYPES_SHOWN]],
            evidence=[item.element for item in data.items[:10]],
        )
    if lost := document.select("[itemtype]:not([itemscope])"):
        return warned("Microdata without itemscope: an itemtype without itemscope starts no item", evidence=lost)
    if orphans := document.select("[itemscope][itemprop][itemtype]"):
        return warned("The Microdata belongs to no item, so parsers that follow the standard skip it", evidence=orphans)
    fix = page_item_fix(page_url, social, head, headings) if page_url and social and head else None
    place = element(document.head, "no JSON-LD in here, no Microdata or RDFa in the body")
    return with_fault(warned("No structured data", evidence=place, fixes=[fix]), Fault.NEEDED_DATA_MISSING if needed else None)


def _describes(item: Item, kind: DeterminedKind) -> bool:
    """Return whether an item describes the page, if one has to on a page of this kind."""
    if kind.kind is PageKind.ARTICLE and kind.sign is not KindSign.OPEN_GRAPH:
        return not ON_EVERY_PAGE.issuperset(item.types)
    return kind.kind not in NEEDED_ON or item.is_a(*TABLE.types[kind.kind])
