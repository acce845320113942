"""URLs of the site redirect in a loop.

In plain words: Visitors and Google never reach some pages, because they are sent around in a circle.

Why it matters: No visitor and no crawler ever reaches a page.

How to fix: Find the two rules that redirect to each other, and remove one. Often a rule for https or a trailing slash exists in two places.

Sources: [Google: HTTP status codes](https://developers.google.com/search/docs/crawling-indexing/http-network-errors) (2025).

Not judged: URLs that redirect to themselves or each other until a cookie is sent; they are requested once more with it (see
redirect-chain).
"""

from findable.capture.site_graph import CrawledRedirects
from findable.checks.engine import Finding, by_cause, check, url_evidence
from findable.checks.site_causes import page_cause
from findable.vocabulary import Effort, Importance, Verdict


@check("Do all redirects end?", Importance.HIGH, Effort.SERVER, failed=150)
def site_redirect_loops(redirects: CrawledRedirects) -> Finding:
    """Fails for each redirect chain that returns to one of its URLs."""
    causes = [
        page_cause(
            chain.hops[0][0],
            verdict=Verdict.FAILED,
            message="The URL redirects in a loop",
            evidence=[url_evidence(url, status) for url, status in chain.hops],
        )
        for chain in redirects.loops
    ]
    return by_cause("{loops_count|redirect|redirects} without end", causes, loops_count=redirects.loops_count)
