"""Search bots request noindex pages.

In plain words: Search engines spend their visits on pages that you keep out of search results.

Why it matters: A bot must load a page to see its ``noindex``, so these requests are right. Many of them show that the site links to many
pages that are not for search.

How to fix: Nothing, if the pages are needed. Link less often to pages that are not for search. Do not disallow them in robots.txt, because
then their ``noindex`` is not seen.

Sources: [Google: block indexing](https://developers.google.com/search/docs/crawling-indexing/block-indexing) (2025); [Google: crawl budget
of large sites](https://developers.google.com/crawling/docs/crawl-budget) (2025).

Not judged: Whether the pages should be indexed.
"""

from findable.capture.site_hits import SiteHits
from findable.checks.engine import Finding, check
from findable.checks.hit_causes import held_back, hits_finding
from findable.vocabulary import Effort, Importance, Stage


@check("How many requests of search bots go to noindex pages?", Importance.INFO, Effort.CONTENT, status=Stage.PREVIEW)
def site_hits_noindex(hits: SiteHits) -> Finding:
    """Counts requests of search bots for noindex pages."""
    return held_back(hits) or hits_finding(
        hits.noindex,
        key="noindex",
        name="noindex pages",
        message="{hits_count|request|requests} of search bots for {urls_count|noindex page|noindex pages}",
        without="search bots requested no noindex page",
    )
