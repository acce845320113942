"""The sitemap lists URLs whose canonical URL is another page.

In plain words: Your list of pages gives Google other web addresses than the pages themselves.

Why it matters: A sitemap should list canonical URLs. This one contradicts the pages.

How to fix: List the canonical URLs in the sitemap.

Sources: [Google: build and submit a sitemap](https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap) (2025):
list the canonical URLs that you want in search results.

Not judged: Entries that were not requested.
"""

from findable.capture.site_graph import CrawledSitemap
from findable.checks.engine import Finding, check
from findable.checks.site_causes import entries_finding
from findable.vocabulary import Effort, Importance


@check("Does the sitemap list canonical URLs?", Importance.MEDIUM, Effort.CONTENT, failed=80, warned=40)
def site_sitemap_canonical(sitemap: CrawledSitemap) -> Finding:
    """Warns about requested sitemap entries that declare another page as canonical."""
    return entries_finding(
        sitemap,
        "canonicalised",
        sitemap.canonicalised,
        message="{found_count} of {entries_count|sitemap entry declares|sitemap entries declare} another page as canonical",
        cause_message="{found_count|entry declares|entries declare} another page as canonical",
    )
