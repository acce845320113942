"""Search bots request pages that no link of the site leads to.

In plain words: Search engines know pages of yours that visitors cannot reach by any link.

Why it matters: They know these pages from earlier links, from other sites or from sitemaps of the past. Pages without a link are rarely
updated and can show old content in search results.

How to fix: Link to pages that are still needed. Remove or redirect the others.

Sources: [Google: make links crawlable](https://developers.google.com/search/docs/crawling-indexing/links-crawlable) (2025).

Not judged: Crawls that did not cover the whole site; logs of fewer than 14 days; files that are not pages.
"""

from findable.capture.crawl import CrawlSummary
from findable.capture.site_hits import SiteHits
from findable.checks.engine import Finding, check, unknown
from findable.checks.hit_causes import MIN_DAYS, held_back, hits_finding
from findable.vocabulary import Effort, Importance, Stage


@check("Do search bots request pages that no link leads to?", Importance.INFO, Effort.CONTENT, status=Stage.PREVIEW)
def site_hits_unlinked(hits: SiteHits, summary: CrawlSummary) -> Finding:
    """Lists pages with 2xx that search bots requested and the crawl did not find."""
    if not summary.is_complete:
        return unknown("not known: the crawl did not cover the whole site")
    return held_back(hits, needs_days=MIN_DAYS) or hits_finding(
        hits.unlinked,
        key="unlinked",
        name="pages that the crawl did not find",
        message="{hits_count|request|requests} of search bots for {urls_count|page|pages} that the crawl did not find",
        without="the crawl found all pages that search bots requested",
    )
