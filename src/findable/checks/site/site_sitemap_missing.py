"""Indexable pages are missing from the sitemap.

In plain words: Google may find some pages later, because they are missing from your list of pages.

Why it matters: An incomplete sitemap does not help search engines to find them, and its numbers in Search Console mislead.

How to fix: Regenerate the sitemap so that it lists all pages that should be found.

Sources: [Google: build and submit a sitemap](https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap) (2025).

Not judged: Sites without a sitemap; fewer than 10 % of the indexable pages; crawls that ended early.
"""

from typing import Any

from findable.capture.crawl import CrawlSummary
from findable.capture.site_graph import CrawledSitemap
from findable.checks.engine import Finding, by_cause, check, passed, unknown
from findable.checks.site_causes import group_cause
from findable.vocabulary import Effort, Importance, Stage, Verdict

WARN_SHARE = 0.1
"""Share of indexable pages missing in sitemaps from which the check warns (set by Findable)."""


@check("Does the sitemap list the indexable pages?", Importance.LOW, Effort.CONTENT, indexing_only=True, status=Stage.PREVIEW)
def site_sitemap_missing(sitemap: CrawledSitemap, summary: CrawlSummary) -> Finding:
    """Warns if 10 % or more of the indexable pages are in no sitemap."""
    if not summary.is_complete:
        return unknown("not known: the crawl did not cover the whole site")
    group = sitemap.missing
    missing_count = group.pages_count if group else 0
    numbers: dict[str, Any] = {"missing_count": missing_count, "indexable_count": summary.indexable_count}
    message = "{missing_count} of {indexable_count|indexable page is|indexable pages are} in no sitemap"
    if group is None or missing_count < WARN_SHARE * summary.indexable_count:
        return passed(message, **numbers)
    cause = group_cause(
        "missing",
        group,
        name="sitemap",
        verdict=Verdict.WARNED,
        message="{missing_count|indexable page is|indexable pages are} in no sitemap",
        missing_count=missing_count,
    )
    return by_cause(message, [cause], **numbers)
