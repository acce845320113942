"""Pages of the site could not be loaded.

In plain words: Visitors and Google wait in vain for some pages.

Why it matters: Pages that do not respond can neither be read nor indexed.

How to fix: Check whether the server is overloaded at these URLs, and whether their host name still exists.

Sources: [Google: HTTP status codes](https://developers.google.com/search/docs/crawling-indexing/http-network-errors) (2025).

Not judged: URLs that responded when they were requested again.
"""

from findable.capture.site_graph import CrawledLinks
from findable.checks.engine import Finding, by_cause, check, url_evidence
from findable.checks.site_causes import page_cause
from findable.vocabulary import Effort, Importance, Stage, Verdict

INFO_SHARE = 0.005
"""Share of the pages below which a briefly slow server is more likely than a fault (set by Findable)."""


@check("Do all pages respond in time?", Importance.MEDIUM, Effort.SERVER, status=Stage.PREVIEW)
def site_timeouts(links: CrawledLinks) -> Finding:
    """Fails for linked URLs that gave no response to two requests; only informs about a small share."""
    few = links.unreachable_count < INFO_SHARE * links.pages_count
    causes = [
        page_cause(
            target.url,
            verdict=Verdict.INFO if few else Verdict.FAILED,
            message="The URL gave no response, also when requested again",
            evidence=[url_evidence(target.url)],
        )
        for target in links.unreachable
    ]
    return by_cause("{silent_count|linked URL gives|linked URLs give} no response", causes, silent_count=links.unreachable_count)
