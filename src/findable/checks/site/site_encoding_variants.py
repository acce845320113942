"""Pages are linked in different encodings of the same characters.

In plain words: Google sees some pages twice, because special letters in their web addresses are written in two ways.

Why it matters: ``/caf%C3%A9`` and ``/cafe%CC%81`` look identical but are two URLs. Both are requested, and links count for one or the
other.

How to fix: Write URLs in one form: UTF-8 in Unicode's composed form (NFC), percent-encoded only where it is needed.

Sources: [Google: URL structure](https://developers.google.com/search/docs/crawling-indexing/url-structure) (2025); [RFC
3986](https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2), section 6.2.2.

Not judged: Pages with different texts; pages that declare the other URL as canonical; URLs that no page links to.
"""

from findable.capture.site_urls import CrawledVariants, VariantKind
from findable.checks.engine import Finding, check
from findable.checks.site_causes import variant_finding
from findable.vocabulary import Effort, Importance


@check("Is each URL written in one encoding?", Importance.LOW, Effort.SERVER, failed=30, warned=15)
def site_encoding_variants(variants: CrawledVariants) -> Finding:
    """Warns about indexable pages that return the same text under URLs that differ only in the encoding of characters."""
    return variant_finding(
        variants.by_kind(VariantKind.ENCODING),
        name="different encodings",
        message="{pairs_count|page is|pages are} linked in different encodings of the same URL",
        without="No page is linked in different encodings of its URL",
    )
