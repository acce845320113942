"""Some structured data no longer yields a search result.

Why it matters: it does no harm, and other readers may still use it; but no rich result comes of it any more.

How to fix: keep it or drop it.

    {"@context": "https://schema.org", "@type": "Article", "headline": "Blue widgets"}

Sources: Google, "Search documentation updates" (FAQ, 2026), "Changes to HowTo and FAQ rich results" (2023), "It's time to say goodbye to
the sitelinks search box" (2024), "Simplifying the search results page" (2025), "Sunsetting support for data-vocabulary" (2020).
"""

from findable.artifacts.page.structured_data import Item, StructuredData
from findable.artifacts.tables.rich_results import ENDED
from findable.checks.engine import Finding, check, element, inapplicable, info, unknown
from findable.checks.structured_data_evidence import PART_READ
from findable.vocabulary import Effort, Importance


@check(question="Does any markup no longer yield a result?", importance=Importance.INFO, effort=Effort.HEAD)
def sd_deprecated(data: StructuredData) -> Finding:
    if not data.items and not data.is_cut:
        return inapplicable("no structured data on the page")
    found: dict[str, Item] = {}
    for item in data.everything():
        for name in item.types:
            key = "data-vocabulary.org" if "data-vocabulary.org" in name else name
            if key in ENDED and (item.is_schema_org or key != name):
                found.setdefault(key, item)
    if not found and data.is_cut:
        return unknown(PART_READ)
    if not found:
        return info("none of the markup is known to have ended", evidence=[item.element for item in data.items[:1]])
    return info(
        "markup whose result has ended: {names}",
        names=[ENDED[key].name for key in found],
        evidence=[
            element(item.element, "no result since {since}: {source}", since=ENDED[key].since, source=ENDED[key].source)
            for key, item in found.items()
        ],
    )
