"""No other page of the site links here.

In plain words: Visitors and Google hardly find this page, because no other page of your site links to it.

Why it matters: Search engines find pages by links. A page that is only in a sitemap, or only declared as canonical, is found late and
considered unimportant.

How to fix: Link to it from a page that belongs to the same subject.

    <a href="/shop/blue-widgets">Blue widgets</a>

Sources: [Google: make links crawlable](https://developers.google.com/search/docs/crawling-indexing/links-crawlable) (2025): "every page you
care about should have a link from at least one other page".

Not judged: Links with nofollow, which do not count; links from other sites, which are unknown; crawls that ended early,
or with pages whose links could not be read.
"""

from findable.capture.crawl import PageInCrawl
from findable.checks.engine import Finding, check, failed, passed, unknown, url_evidence
from findable.vocabulary import Effort, Importance


@check("Does another page link here?", Importance.MEDIUM, Effort.CONTENT, failed=60, site_twins=("site-orphans",))
def orphan_page(crawl: PageInCrawl) -> Finding:
    """Counts followed internal links from other pages."""
    if crawl.inlinks_count > 0:
        return passed("{inlinks_count|followed link|followed links} from other pages of the site", inlinks_count=crawl.inlinks_count)
    if crawl.depth == 0:
        return passed("The crawl started here: the start page needs no link")
    if not crawl.is_complete:
        return unknown("Not known: the crawl did not read the links of the whole site")
    return failed(
        "None of the {pages_count} crawled pages links here",
        pages_count=crawl.pages_count,
        evidence=url_evidence(crawl.url, crawl.status, "known only by {found_by}", found_by=crawl.found_by),
    )
