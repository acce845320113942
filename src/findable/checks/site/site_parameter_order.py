"""Pages are linked with the same parameters in different order.

In plain words: Google sees some pages twice, because the parts after the “?” of their web addresses change places.

Why it matters: ``?a=1&b=2`` and ``?b=2&a=1`` are two URLs of one page. Every further parameter adds more.

How to fix: Write parameters in one order, in the template that creates the links; redirect other orders or declare one of them as
canonical.

Sources: [Google: managing crawling of faceted navigation
URLs](https://developers.google.com/search/docs/crawling-indexing/crawling-managing-faceted-navigation) (2025): keep the order of filters.

Not judged: Pages with different texts; pages that declare the other URL as canonical; URLs that no page links to.
"""

from findable.capture.site_urls import CrawledVariants, VariantKind
from findable.checks.engine import Finding, check
from findable.checks.site_causes import variant_finding
from findable.vocabulary import Effort, Importance


@check("Do links have their parameters in one order?", Importance.LOW, Effort.SERVER, failed=30, warned=15)
def site_parameter_order(variants: CrawledVariants) -> Finding:
    """Warns about indexable pages that return the same text under URLs that differ only in the order of their parameters."""
    return variant_finding(
        variants.by_kind(VariantKind.PARAMETER_ORDER),
        name="order of parameters",
        message="{pairs_count|page is|pages are} linked with the same parameters in different order",
        without="No page is linked with its parameters in different order",
    )
