"""Pages are linked in different letter case.

In plain words: Google sees some pages twice, because their web addresses are written in capitals and in small letters.

Why it matters: Letter case counts in URLs: ``/About`` and ``/about`` are two pages. A server that returns the same text for both creates
duplicates of its pages.

How to fix: Redirect the forms with capital letters to the lower-case ones with status 301, and link to these.

Sources: [Google: URL structure](https://developers.google.com/search/docs/crawling-indexing/url-structure) (2025); [Google: consolidate
duplicate URLs](https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls) (2025).

Not judged: Pages with different texts, as ids in which letter case counts have; pages that declare the other URL as canonical; URLs that no
page links to.
"""

from findable.capture.site_urls import CrawledVariants, VariantKind
from findable.checks.engine import Finding, check
from findable.checks.site_causes import variant_finding
from findable.vocabulary import Effort, Importance


@check("Does each page have one URL, in one letter case?", Importance.MEDIUM, Effort.SERVER, failed=60, warned=30)
def site_case_variants(variants: CrawledVariants) -> Finding:
    """Warns about indexable pages that return the same text under URLs that differ only in letter case."""
    return variant_finding(
        variants.by_kind(VariantKind.CASE),
        name="different letter case",
        message="{pairs_count|page is|pages are} linked in different letter case",
        without="No page is linked in different letter case",
    )
