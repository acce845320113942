"""Search bots request URLs that redirect.

Why it matters: Each redirect takes a request that another page could have had, and the target is found later. Old URLs of moved pages are
requested for years, which is normal; links and sitemaps of the site itself should lead to the final URLs.

How to fix: Link to final URLs, list only them in sitemaps, and shorten chains of redirects. Keep redirects of moved pages.

Sources: [Google: redirects](https://developers.google.com/search/docs/crawling-indexing/301-redirects) (2025); [Google: crawl budget of
large sites](https://developers.google.com/crawling/docs/crawl-budget) (2025).

Not judged: Bots that are not verified; how often a page should be requested.
"""

from findable.capture.site_hits import SiteHits
from findable.checks.engine import Finding, check
from findable.checks.hit_causes import held_back, hits_finding
from findable.vocabulary import Effort, Importance, Stage


@check(
    question="How many requests of search bots lead to redirects?",
    importance=Importance.INFO,
    effort=Effort.SERVER,
    since="2026-12",
    status=Stage.PREVIEW,
    costs={},
)
def site_hits_redirects(hits: SiteHits) -> Finding:
    """Counts requests of search bots that were redirected."""
    return held_back(hits, needs_crawl=False) or hits_finding(
        hits.redirects,
        key="redirects",
        name="URLs that redirect",
        message="{hits_count|request|requests} of search bots for {urls_count|URL|URLs} led to redirects",
        without="no request of a search bot led to a redirect",
    )
