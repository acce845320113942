"""Search bots request URLs with query parameters.

In plain words: Search engines spend their visits on copies of your pages, such as other sort orders.

Why it matters: Sorting, filters and tracking make many URLs of one page. Each takes a request, and on large sites other pages wait for
theirs.

How to fix: Link to URLs without such parameters, declare the canonical URL, and disallow parameters without own content in robots.txt.

Sources: [Google: crawl budget of large sites](https://developers.google.com/crawling/docs/crawl-budget) (2025).

Not judged: Whether a parameter changes the page: see site-parameters. Sites below 10,000 known URLs, for which Google says that crawl
budget does not matter.
"""

from findable.capture.crawl import CrawlSummary
from findable.capture.site_hits import SiteHits
from findable.checks.engine import Finding, check, inapplicable
from findable.checks.hit_causes import held_back, hits_finding
from findable.vocabulary import Effort, Importance, Stage

LARGE = 10_000
"""Known URLs from which crawl budget can matter: Google's rough estimate for sites that change daily."""


@check("How many requests of search bots go to URLs with parameters?", Importance.INFO, Effort.SERVER, status=Stage.PREVIEW)
def site_hits_parameters(hits: SiteHits, summary: CrawlSummary) -> Finding:
    """Counts requests of search bots for URLs with parameters, on large sites."""
    known_count = sum(count for _, count in summary.by_status) + hits.parameters.urls_count
    if known_count < LARGE:
        return inapplicable("the site has fewer than {limit_count} known URLs", limit_count=LARGE)
    return held_back(hits) or hits_finding(
        hits.parameters,
        key="parameters",
        name="URLs with parameters",
        message="{hits_count|request|requests} of search bots for {urls_count|URL|URLs} with parameters",
        without="search bots requested no URL with parameters",
    )
