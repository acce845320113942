"""Pages are linked with and without a slash at the end of the URL.

In plain words: Google sees some pages twice, because links to them end with and without “/”.

Why it matters: For search engines ``/page`` and ``/page/`` are two pages. Both are requested, links count for one or the other, and Google
decides which of them is shown.

How to fix: Decide for one form, redirect the other to it with status 301, and link to the final form.

Sources: [Google: consolidate duplicate URLs](https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls)
(2025).

Not judged: Pages with different texts; pages that declare the other URL as canonical; URLs that no page links to.
"""

from findable.capture.site_urls import CrawledVariants, VariantKind
from findable.checks.engine import Finding, check
from findable.checks.site_causes import variant_finding
from findable.vocabulary import Effort, Importance


@check("Does each page have one URL, with or without a slash?", Importance.MEDIUM, Effort.SERVER, failed=40, warned=20)
def site_slash_variants(variants: CrawledVariants) -> Finding:
    """Warns about indexable pages that return the same text under URLs that differ only by a slash at the end."""
    return variant_finding(
        variants.by_kind(VariantKind.SLASH),
        name="with and without a slash",
        message="{pairs_count|page is|pages are} linked with and without a slash at the end",
        without="No page is linked both with and without a trailing slash",
    )
