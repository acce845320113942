"""The sitemap lists URLs whose canonical URL is another page.

Why it matters: A sitemap should list canonical URLs. This one contradicts the pages.

How to fix: List the canonical URLs in the sitemap.

Sources: [Google: build and submit a sitemap](https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap) (2025):
list the canonical URLs that you want in search results.

Not judged: Entries that were not requested.
"""

from findable.capture.site_graph import CrawledSitemap
from findable.checks.engine import Finding, check, inapplicable, passed
from findable.checks.site_causes import with_entries
from findable.vocabulary import Effort, Importance


@check(
    question="Does the sitemap list canonical URLs?",
    importance=Importance.MEDIUM,
    effort=Effort.CONTENT,
    since="2026-12",
)
def site_sitemap_canonical(sitemap: CrawledSitemap) -> Finding:
    """Checks sitemap entries that the crawl requested."""
    if not sitemap.entries_count:
        return inapplicable("the site has no sitemap")
    group = sitemap.canonicalised
    found_count = group.pages_count if group else 0
    finding = passed(
        "{found_count} of {entries_count|sitemap entry declares|sitemap entries declare} another page as canonical",
        found_count=found_count,
        entries_count=sitemap.entries_count,
    )
    return with_entries(finding, "canonicalised", group, message="{found_count|entry declares|entries declare} another page as canonical")
