"""Search bots requested some indexable pages not once.

In plain words: Google and other search engines have not visited some of your pages at all.

Why it matters: A page that is never requested is not updated in search results, or not in them at all. No search engine says how often a
page should be requested; new and rarely changed pages wait longest.

How to fix: Link to the pages from pages that are requested often, list them in a sitemap, and make sure that their content is worth a
visit.

Sources: [Google: make links crawlable](https://developers.google.com/search/docs/crawling-indexing/links-crawlable) (2025); [Google: crawl
budget of large sites](https://developers.google.com/crawling/docs/crawl-budget) (2025).

Not judged: Logs of fewer than 30 days, or with gaps; pages that a CDN served from its cache, if its logs are missing.
"""

from findable.capture.site_hits import SiteHits
from findable.checks.engine import Finding, check
from findable.checks.hit_causes import held_back, hits_finding
from findable.vocabulary import Effort, Importance, Stage

DAYS = 30
"""Days with logs from which a page without a request is listed (set by Findable): no search engine states a period."""


@check("Do search bots request all indexable pages?", Importance.INFO, Effort.CONTENT, status=Stage.PREVIEW)
def site_hits_never(hits: SiteHits) -> Finding:
    """Lists indexable pages without a request, those with the most links first."""
    return held_back(hits, needs_days=DAYS) or hits_finding(
        hits.never,
        key="never",
        name="indexable pages without a request",
        message="Search bots did not request {urls_count|indexable page|indexable pages}",
        without="search bots requested all indexable pages",
    )
