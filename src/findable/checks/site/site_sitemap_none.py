"""A large site has no sitemap.

In plain words: Google finds new and changed pages later, because it gets no list of your pages.

Why it matters: Search engines find new and changed pages of a large site sooner if a sitemap lists them.

How to fix: Let the CMS generate a sitemap of all indexable pages, and declare it in robots.txt.

    Sitemap: https://www.example.com/sitemap.xml

Sources: [Google: learn about sitemaps](https://developers.google.com/search/docs/crawling-indexing/sitemaps/overview) (2025): a site of
about 500 pages or fewer, whose pages are linked, might not need one.

Not judged: Sites of up to 500 indexable pages; crawls that ended before that number; sitemaps that could not be read.
"""

from findable.artifacts.site.sitemap import Sitemaps, SitemapState
from findable.capture.crawl import CrawlSummary
from findable.checks.engine import Finding, check, passed, unknown, url_evidence, warned
from findable.urls import origin_part
from findable.vocabulary import Effort, Importance

LARGE_FROM = 500
"""Number of pages up to which a site may not need a sitemap (Google)."""


@check("Does a large site have a sitemap?", Importance.LOW, Effort.SERVER, failed=20, warned=10, indexing_only=True)
def site_sitemap_none(sitemaps: Sitemaps, summary: CrawlSummary) -> Finding:
    """Warns if more than 500 indexable pages have no sitemap."""
    if sitemaps.declarations or sitemaps.readable:
        return passed("The site has a sitemap")
    if any(file.state is SitemapState.UNKNOWN for file in sitemaps.files):
        return unknown("not known: a sitemap could not be read")
    if summary.indexable_count > LARGE_FROM:
        return warned(
            "No sitemap in robots.txt or at the usual paths, for {pages_count} indexable pages",
            pages_count=summary.indexable_count,
            evidence=[url_evidence(file.url, file.response.status) for file in sitemaps.files] or url_evidence(summary.start_url),
            advice="Generate a sitemap, and add “Sitemap: {origin}/sitemap.xml” to robots.txt.",
            origin=origin_part(summary.start_url),
        )
    if not summary.is_complete:
        return unknown("not known: the crawl did not cover the whole site")
    return passed("No sitemap, but links lead to {pages_count|indexable page|indexable pages}", pages_count=summary.indexable_count)
