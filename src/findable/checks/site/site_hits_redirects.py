"""Search bots request URLs that redirect.

In plain words: Search engines spend their visits on old web addresses and reach your pages later.

Why it matters: Each redirect takes a request that another page could have had, and the target is found later. Old URLs of moved pages are
requested for years, which is normal; links and sitemaps of the site itself should lead to the final URLs.

How to fix: Link to final URLs, list only them in sitemaps, and shorten chains of redirects. Keep redirects of moved pages.

Sources: [Google: redirects](https://developers.google.com/search/docs/crawling-indexing/301-redirects) (2025); [Google: crawl budget of
large sites](https://developers.google.com/crawling/docs/crawl-budget) (2025).

Not judged: Bots that are not verified; how often a page should be requested.
"""

from findable.capture.site_hits import SiteHits
from findable.checks.engine import Finding, by_cause, check
from findable.checks.hit_causes import held_back, hit_evidence, hits_finding
from findable.checks.site_causes import page_cause
from findable.vocabulary import Effort, Importance, Stage, Verdict

_MESSAGE = "{hits_count|request|requests} of search bots for {urls_count|URL|URLs} led to redirects"
_OF_CHAIN = "A chain of redirects that begins here took {hits_count|request|requests} of search bots"


@check("How many requests of search bots lead to redirects?", Importance.INFO, Effort.SERVER, status=Stage.PREVIEW)
def site_hits_redirects(hits: SiteHits) -> Finding:
    """Counts requests of search bots that were redirected; warns about each chain, with the requests that it costs."""
    held = held_back(hits, needs_crawl=False)
    if held is not None or not hits.chains.items:
        return held or hits_finding(
            hits.redirects,
            key="redirects",
            name="URLs that redirect",
            message=_MESSAGE,
            without="no request of a search bot led to a redirect",
        )
    chains = [
        page_cause(one.url, verdict=Verdict.WARNED, message=_OF_CHAIN, evidence=[hit_evidence(one)], hits_count=one.hits_count)
        for one in hits.chains.items
    ]
    return by_cause(_MESSAGE, chains, hits_count=hits.redirects.hits_count, urls_count=hits.redirects.urls_count)
