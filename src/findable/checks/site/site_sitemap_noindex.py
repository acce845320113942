"""The sitemap lists pages with noindex.

Why it matters: The sitemap requests indexing, which the page forbids. Search engines request these pages repeatedly for nothing.

How to fix: Remove pages with noindex from the sitemap, or remove the noindex if the page should be found.

Sources: [Google: build and submit a sitemap](https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap) (2025):
list the canonical URLs that you want in search results.

Not judged: Entries that were not requested.
"""

from findable.capture.site_graph import CrawledSitemap
from findable.checks.engine import Finding, check, inapplicable, passed
from findable.checks.site_causes import with_entries
from findable.vocabulary import Effort, Importance


@check(
    question="Does the sitemap list only pages that may be indexed?",
    importance=Importance.MEDIUM,
    effort=Effort.CONTENT,
    since="2026-12",
)
def site_sitemap_noindex(sitemap: CrawledSitemap) -> Finding:
    """Checks sitemap entries that the crawl requested."""
    if not sitemap.entries_count:
        return inapplicable("the site has no sitemap")
    group = sitemap.noindex
    found_count = group.pages_count if group else 0
    finding = passed(
        "{found_count} of {entries_count|sitemap entry is|sitemap entries are} noindex",
        found_count=found_count,
        entries_count=sitemap.entries_count,
    )
    return with_entries(finding, "noindex", group, message="{found_count|entry is|entries are} noindex")
