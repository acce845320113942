"""Folders are linked with and without the name of their index file.

In plain words: Google sees some pages twice, because links to them end with and without a file name such as “index.html”.

Why it matters: ``/docs/`` and ``/docs/index.html`` are two URLs of one page. Both are requested, and links count for one or the other.

How to fix: Link to the folder, and redirect the index file to it with status 301.

Sources: [Google: consolidate duplicate URLs](https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls)
(2025).

Not judged: Pages with different texts; pages that declare the other URL as canonical; URLs that no page links to.
"""

from findable.capture.site_urls import CrawledVariants, VariantKind
from findable.checks.engine import Finding, check
from findable.checks.site_causes import variant_finding
from findable.vocabulary import Effort, Importance


@check("Are folders linked without the name of their index file?", Importance.LOW, Effort.SERVER, failed=30, warned=15)
def site_index_variants(variants: CrawledVariants) -> Finding:
    """Warns about indexable pages that return the same text under URLs that differ only by the name of the index file."""
    return variant_finding(
        variants.by_kind(VariantKind.INDEX),
        name="folder and index file",
        message="{pairs_count|folder is|folders are} linked with and without the name of the index file",
        without="No folder is linked with and without the name of its index file",
    )
