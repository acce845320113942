"""Internal links start chains of redirects.

In plain words: Visitors wait, because links send them through several web addresses before the page opens.

Why it matters: Each further redirect costs a round trip; Googlebot follows up to ten in one go, browsers about twenty, and every hop can
break.

How to fix: Redirect the first URL to the last one in one step, and link to the last one.

Sources: [Google: HTTP status codes](https://developers.google.com/search/docs/crawling-indexing/http-network-errors) (2025): Googlebot
follows up to 10 hops; [Google: redirects](https://developers.google.com/search/docs/crawling-indexing/301-redirects) (2025).

Not judged: A single redirect.
"""

from findable.capture.site_graph import CrawledRedirects, Redirects
from findable.capture.status_classes import is_error
from findable.checks.engine import Finding, by_cause, check, url_evidence
from findable.checks.site_causes import page_cause
from findable.vocabulary import EditPlace, Effort, Importance, Verdict

LONG_HOPS = 5
"""Number of redirects from which a chain fails (set by Findable)."""


@check("Do redirects lead to their end in one step?", Importance.LOW, Effort.SERVER, place=EditPlace.REDIRECT, failed=40, warned=20)
def site_redirect_chains(redirects: CrawledRedirects) -> Finding:
    """Warns about chains of two or more redirects that begin at a linked URL; fails for long ones and for those that end in an error."""
    causes = [
        page_cause(
            chain.hops[0][0],
            verdict=_verdict(chain),
            message="The URL redirects more than once before it leads to a page",
            evidence=[url_evidence(url, status) for url, status in chain.hops],
        )
        for chain in redirects.chains
    ]
    return by_cause("{chains_count|chain|chains} of two and more redirects", causes, chains_count=redirects.chains_count)


def _verdict(chain: Redirects) -> Verdict:
    end_status = chain.hops[-1][1]
    is_bad = len(chain.hops) > LONG_HOPS or is_error(end_status)
    return Verdict.FAILED if is_bad else Verdict.WARNED
