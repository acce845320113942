"""Indexable pages have no internal link to them.

In plain words: Visitors and Google hardly find some pages, because no link of your site leads to them.

Why it matters: Search engines find and weigh pages by their links. A page that is only in the sitemap is found late, if at all.

How to fix: Link to the page from a page on the same subject, or remove it if it is no longer needed.

Sources: [Google: make links crawlable](https://developers.google.com/search/docs/crawling-indexing/links-crawlable) (2025): Google finds
pages by links.

Not judged: Crawls that ended early; pages known only from canonical links; links that scripts insert; sites with pages whose links could
not be read; pages with nofollow links.
"""

from findable.capture.crawl import CrawlSummary
from findable.capture.site_reach import CrawledReach
from findable.checks.engine import Finding, by_cause, check, inapplicable, passed, unknown
from findable.checks.site_causes import LINKS_UNREAD, group_cause
from findable.vocabulary import Effort, Fixer, Importance, Verdict


@check("Do links lead to all pages?", Importance.MEDIUM, Effort.CONTENT, failed=250, warned=150, fixer=Fixer.EDITOR)
def site_orphans(summary: CrawlSummary, reach: CrawledReach | None) -> Finding:
    """Warns about indexable pages without an internal link."""
    if not summary.indexable_count:
        return inapplicable("the site has no indexable page")
    if not summary.is_complete:
        return unknown("not known: the crawl did not cover the whole site")
    group = summary.orphans
    message = "{orphans_count|indexable page|indexable pages} without a path of links from the start page"
    if group is None or not group.pages_count:
        return passed(message, orphans_count=0)
    if reach is not None and reach.unread_count:
        return unknown(LINKS_UNREAD, unread_count=reach.unread_count)
    cause = group_cause(
        "orphans",
        group,
        name="pages without a path of links",
        verdict=Verdict.WARNED,
        message="No path of links leads from the start page to {found_count|indexable page|indexable pages}",
        found_count=group.pages_count,
    )
    return by_cause(message, [cause], orphans_count=group.pages_count)
