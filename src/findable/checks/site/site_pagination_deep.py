"""Pages can only be reached through a long list.

In plain words: Visitors and Google rarely get to pages that stand far back in a long list.

Why it matters: Search engines follow links from page to page. Pages behind dozens of links are requested late and rarely.

How to fix: Link to groups of these pages (topics, years, letters), let the list show links to more of its pages than the next one, and list
the pages in a sitemap.

Sources: [Google: make links crawlable](https://developers.google.com/search/docs/crawling-indexing/links-crawlable) (2025); [Google:
pagination best practices](https://developers.google.com/search/docs/specialty/ecommerce/pagination-and-incremental-page-loading) (2025).
The numbers are set by this report.

Not judged: Lists of up to 50 pages; pages within ten clicks from the start page; pages that a sitemap lists or another page links to;
crawls that ended early.
"""

from findable.capture.crawl import CrawlSummary
from findable.capture.site_urls import CrawledPaginations
from findable.checks.causes import Cause, CausedFinding, CauseKind
from findable.checks.engine import Finding, by_cause, check, unknown, url_evidence
from findable.vocabulary import Effort, Importance, Stage, Verdict

PAGES_FROM = 10


@check(
    question="Are pages reached by other ways than long lists?",
    importance=Importance.LOW,
    effort=Effort.CONTENT,
    costs={Verdict.FAILED: 30, Verdict.WARNED: 15},
    status=Stage.PREVIEW,
)
def site_pagination_deep(paginations: CrawledPaginations, summary: CrawlSummary) -> Finding:
    """Warns if ten or more pages can only be reached through a list of more than 50 numbered pages."""
    if not summary.is_complete:
        return unknown("not known: the crawl did not cover the whole site")
    causes = [
        CausedFinding(
            Cause(CauseKind.GROUP, item.url, "pages of {url}", {"url": item.url}),
            Verdict.WARNED,
            "{deep_count|page is|pages are} only linked from a list of {list_pages_count} pages, more than 10 clicks from the start page",
            item.deep_count,
            tuple(url_evidence(url) for url in item.deep),
            {"deep_count": item.deep_count, "list_pages_count": item.pages_count},
        )
        for item in paginations.items
        if item.deep_count >= PAGES_FROM
    ]
    return by_cause("{series_count|list|lists} on several pages", causes, series_count=paginations.series_count)
