"""Pages have a single internal link to them.

In plain words: Visitors and Google hardly find some pages, because only one link leads to each.

Why it matters: A page with one link gets little link score, and it is lost when that link is removed.

How to fix: Link to the important ones among these pages from further pages on the same subject.

Sources: [Google: make links crawlable](https://developers.google.com/search/docs/crawling-indexing/links-crawlable) (2025): every page
should have a link from at least one other page. That more than one is better is an opinion of this report, so this is a note.

Not judged: Sites of fewer than 50 indexable pages; crawls that ended early.
"""

from findable.capture.crawl import CrawlSummary
from findable.capture.site_reach import CrawledReach
from findable.checks.engine import Finding, by_cause, check, inapplicable, passed, unknown
from findable.checks.site_causes import LINKS_UNREAD, group_cause
from findable.vocabulary import Effort, Fixer, Importance, Stage, Verdict

FROM_PAGES = 50
"""Number of indexable pages of a site from which a single link counts as few (set by Findable)."""


@check(
    question="Do several links lead to each page?",
    importance=Importance.INFO,
    effort=Effort.CONTENT,
    fixer=Fixer.EDITOR,
    status=Stage.PREVIEW,
)
def site_one_inlink(reach: CrawledReach, summary: CrawlSummary) -> Finding:
    """Reports indexable pages that exactly one page links to."""
    if reach.indexable_count < FROM_PAGES:
        return inapplicable("The site has fewer than {pages_count} indexable pages", pages_count=FROM_PAGES)
    if not summary.is_complete:
        return unknown("Not known: the crawl did not cover the whole site")
    message = "A single page links to {found_count|indexable page|indexable pages}"
    group = reach.one_inlink
    if group is None:
        return passed(message, found_count=0)
    if reach.unread_count:
        return unknown(LINKS_UNREAD, unread_count=reach.unread_count)
    count = group.pages_count
    cause = group_cause("one-inlink", group, name="pages with one link", verdict=Verdict.INFO, message=message, found_count=count)
    return by_cause(message, [cause], found_count=count)
