"""The page is many clicks away from the home page.

In plain words: Visitors and Google rarely get to this page, because it is many clicks away from your home page.

Why it matters: Pages far from the home page are crawled less often, and readers who browse rarely come there.

How to fix: Link to the page from a hub: a category, an overview, the navigation.

    <nav><a href="/shop/widgets/">Widgets</a></nav>

Sources: [Google: crawl budget](https://developers.google.com/crawling/docs/crawl-budget) (2025): closeness to the home page matters for how
often a page is crawled, not for its rank.

Not judged: Pages without links to them (see ``orphan-page``), long paths in a crawl that ended early, and the depth of the URL, which is
irrelevant.
"""

from findable.capture.crawl import PageInCrawl
from findable.checks.engine import Finding, check, inapplicable, passed, unknown, url_evidence, warned
from findable.vocabulary import Effort, Importance

MAX_CLICKS = 4
"""Number of clicks above which the check warns, as in SEOnaut; search engines give no number."""


@check("How many clicks is the page from home?", Importance.LOW, Effort.CONTENT, warned=10, site_twins=("site-depth",))
def click_depth(crawl: PageInCrawl) -> Finding:
    """Checks the shortest path of followed links."""
    path = [url_evidence(url) for url in crawl.path_from_home]
    if not path and not crawl.is_complete:
        return unknown("Not known: the crawl did not read the links of the whole site")
    if not path:
        return inapplicable("No path of crawled links leads here from the home page")
    if crawl.depth > MAX_CLICKS and not crawl.is_complete:
        return unknown("A shorter path may exist: the crawl did not read the links of the whole site")
    if crawl.depth > MAX_CLICKS:
        return warned(
            "{clicks|click|clicks} from the home page, more than {limit_count}", clicks=crawl.depth, limit_count=MAX_CLICKS, evidence=path
        )
    return passed("{clicks|click|clicks} from the home page", clicks=crawl.depth, evidence=path)
