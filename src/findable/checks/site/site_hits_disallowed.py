"""Search bots request URLs that robots.txt disallows.

In plain words: Search engines read pages that your rules forbid them to read.

Why it matters: Verified search bots obey robots.txt. Such requests mean that robots.txt changed in the meantime, could not be loaded, or
allows other bots what it disallows for the crawler. Bots use a copy of robots.txt for up to 24 hours, so requests on the day of a
change are normal.

How to fix: Check robots.txt of this host and its changes. Nothing, if it changed in this period or is meant to differ between bots.

Sources: [Google: robots.txt](https://developers.google.com/search/docs/crawling-indexing/robots/intro) (2025).

Not judged: Which bot may request what: the rules of the crawl are compared.
"""

from findable.capture.site_hits import SiteHits
from findable.checks.engine import Finding, check
from findable.checks.hit_causes import held_back, hits_finding
from findable.vocabulary import Effort, Importance, Stage


@check("Do search bots request disallowed URLs?", Importance.INFO, Effort.SERVER, status=Stage.PREVIEW)
def site_hits_disallowed(hits: SiteHits) -> Finding:
    """Lists disallowed URLs with requests of search bots."""
    return held_back(hits) or hits_finding(
        hits.disallowed,
        key="disallowed",
        name="disallowed URLs",
        message="{hits_count|request|requests} of search bots for {urls_count|URL|URLs} that robots.txt disallows",
        without="search bots requested no disallowed URL",
    )
