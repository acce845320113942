"""Sitemap files exceed the limits of the protocol.

In plain words: Google does not read your whole list of pages, because the list is too long.

Why it matters: Search engines read a sitemap up to 50,000 URLs and 50 MB, and no index within an index. The rest is not read.

How to fix: Split the file, and list the parts in one sitemap index.

Sources: [Google: build and submit a sitemap](https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap) (2025);
[Google: manage large sitemaps](https://developers.google.com/search/docs/crawling-indexing/sitemaps/large-sitemaps) (2025).

Not judged: Files beyond the ten that are read.
"""

from findable.artifacts.site.sitemap import MAX_BYTES, MAX_URLS, SitemapFile, Sitemaps
from findable.capture.crawl import CrawlSummary
from findable.capture.sitemap_summary import SitemapForm
from findable.checks.causes import CausedFinding
from findable.checks.engine import Finding, by_cause, check, inapplicable, url_evidence
from findable.checks.site_causes import page_cause
from findable.vocabulary import Effort, Importance, Verdict


@check("Are all sitemap files within the limits?", Importance.MEDIUM, Effort.SERVER, failed=60, warned=30)
def site_sitemap_limits(sitemaps: Sitemaps, summary: CrawlSummary) -> Finding:
    """Fails for files that exceed the limits, and warns about an index that lists another index."""
    if not sitemaps.readable:
        return inapplicable("the site has no sitemap")
    causes = [cause for file in sitemaps.readable if (cause := _cause(file, summary.indexable_count)) is not None]
    return by_cause("{files_count|sitemap file|sitemap files} within the limits", causes, files_count=len(sitemaps.readable))


def _cause(file: SitemapFile, pages_count: int) -> CausedFinding | None:
    read = file.summary
    if read is None:
        return None
    message, verdict = "", Verdict.FAILED
    if read.form is SitemapForm.INDEX and file.in_index:
        message, verdict = "this index is listed by another index, which is not read", Verdict.WARNED
    elif read.urls_count > MAX_URLS:
        message = "this file lists more than 50,000 URLs"
    elif read.decoded_bytes > MAX_BYTES:
        message = "this file is larger than 50 MB"
    if not message:
        return None
    count = min(read.urls_count, max(1, pages_count))
    return page_cause(
        file.url, verdict=verdict, message=message, evidence=[url_evidence(file.url, file.response.status)], pages_count=count
    )
