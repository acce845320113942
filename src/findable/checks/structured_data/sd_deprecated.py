"""Some structured data no longer yields a search result.

In plain words: Google no longer uses some of the extra information in this page; nothing is lost.

Why it matters: It does no harm, and other readers may still use it; but it no longer yields a rich result.

How to fix: Keep it or drop it.

    {"@context": "https://schema.org", "@type": "Article", "headline": "Blue widgets"}

Sources: [Google: documentation updates](https://developers.google.com/search/updates) (FAQ, 2026), [HowTo and
FAQ](https://developers.google.com/search/blog/2023/08/howto-faq-changes) (2023), [sitelinks search
box](https://developers.google.com/search/blog/2024/10/sitelinks-search-box) (2024), [simplified
results](https://developers.google.com/search/blog/2025/06/simplifying-search-results) (2025),
[data-vocabulary](https://developers.google.com/search/blog/2020/01/data-vocabulary) (2020).
"""

from findable.artifacts.page.structured_data import StructuredData
from findable.artifacts.page.structured_items import Item
from findable.artifacts.tables.rich_results import ENDED
from findable.checks.engine import Finding, check, element, inapplicable, info, unknown
from findable.checks.structured_data_evidence import PART_READ
from findable.vocabulary import Effort, Importance


@check("Does any markup no longer yield a result?", Importance.INFO, Effort.HEAD)
def sd_deprecated(data: StructuredData) -> Finding:
    if not data.items and not data.is_cut:
        return inapplicable("No structured data on the page")
    found: dict[str, Item] = {}
    for item in data.all_items():
        for name in item.types:
            key = "data-vocabulary.org" if "data-vocabulary.org" in name else name
            if key in ENDED and (item.is_schema_org or key != name):
                found.setdefault(key, item)
    if not found and data.is_cut:
        return unknown(PART_READ)
    if not found:
        return info("All markup may still yield a result", evidence=[item.element for item in data.items[:1]])
    return info(
        "Markup that no longer yields a result: {names}",
        names=[ENDED[key].name for key in found],
        evidence=[
            element(item.element, "no result since {since}: {source}", since=ENDED[key].since, source=ENDED[key].source)
            for key, item in found.items()
        ],
    )
