"""The sitemap lists URLs that robots.txt disallows.

In plain words: Your list of pages sends Google to pages that your rules forbid it to read.

Why it matters: The sitemap sends search engines to pages that they must not request.

How to fix: Allow the URLs in robots.txt, or remove them from the sitemap.

Sources: [Google: build and submit a sitemap](https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap) (2025):
list the canonical URLs that you want in search results.

Not judged: Rules for other crawlers than Googlebot.
"""

from findable.capture.site_graph import CrawledSitemap
from findable.checks.engine import Finding, check
from findable.checks.site_causes import entries_finding
from findable.vocabulary import Effort, Importance


@check(
    "Does the sitemap list only URLs that may be crawled?",
    Importance.MEDIUM,
    Effort.CONTENT,
    failed=800,
    warned=400,
    indexing_only=True,
    loses_pages=True,
    of_unfound_pages=True,
)
def site_sitemap_blocked(sitemap: CrawledSitemap) -> Finding:
    """Warns about sitemap entries that robots.txt disallows."""
    return entries_finding(
        sitemap,
        "disallowed",
        sitemap.disallowed,
        message="robots.txt disallows {found_count} of {entries_count|sitemap entry|sitemap entries}",
        cause_message="{found_count|entry is|entries are} disallowed by robots.txt",
    )
