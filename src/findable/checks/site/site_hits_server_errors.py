"""Search bots get server errors.

In plain words: Google or another search engine gets error messages from your server and visits less often.

Why it matters: Google requests fewer pages while a server responds with 5xx, and finally drops URLs that keep failing. Errors that only
occur under load are not seen by a crawl.

How to fix: Find the requests in the error log of the server, and fix the cause. Respond with 503 and Retry-After only for short
maintenance.

Sources: [Google: HTTP status codes](https://developers.google.com/search/docs/crawling-indexing/http-network-errors) (2025).

Not judged: Fewer than 20 errors, or less than 1 % of the requests, unless robots.txt was among them.
"""

from findable.capture.site_hits import HitList, SiteHits
from findable.checks.engine import Finding, check
from findable.checks.hit_causes import held_back, hits_finding
from findable.vocabulary import Effort, Importance, Stage, Verdict

MIN_HITS = 20
MIN_SHARE = 0.01
"""Share of the requests from which errors are a fault (set by Findable)."""


@check("Do search bots get server errors?", Importance.HIGH, Effort.SERVER, status=Stage.PREVIEW, costs={})
def site_hits_server_errors(hits: SiteHits) -> Finding:
    """Warns if search bots got many server errors."""
    found = hits.errors
    is_robots = any(one.url.endswith("/robots.txt") for one in found.items)
    if not is_robots and found.hits_count < max(MIN_HITS, MIN_SHARE * hits.hits_count):
        found = HitList()
    return held_back(hits, needs_crawl=False) or hits_finding(
        found,
        key="errors",
        name="server errors",
        message="{hits_count|request|requests} of search bots for {urls_count|URL|URLs} led to server errors",
        without="search bots got few or no server errors",
        verdict=Verdict.WARNED,
    )
