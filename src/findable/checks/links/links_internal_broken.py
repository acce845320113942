"""Links to pages of this site lead to an error.

In plain words: Visitors who click on a link to another page of yours get an error message.

Why it matters: Readers who follow a dead link leave, and crawlers spend requests on nothing. Search engines find and weigh pages by links;
a link that ends in an error passes nothing on.

How to fix: Point the link at the page's new URL, restore the page, redirect its old URL, or remove the link.

    <a href="/shop/blue-widgets">Blue widgets</a>

Sources: [Google: HTTP status codes](https://developers.google.com/search/docs/crawling-indexing/http-network-errors) (2025); [Google: make
links crawlable](https://developers.google.com/search/docs/crawling-indexing/links-crawlable) (2025).

Not judged: URLs that refuse this crawler (401, 403, 405, 406, 429, 451, 503, 999) or do not respond in time are unverified, never broken,
and cost nothing, because people may get the page. URLs that look like actions (log out, delete, add to cart) are not requested, nor the
URLs that Cloudflare writes in place of ``mailto:``. The message contains the number of URLs beyond the budget.
"""

from findable.artifacts.responses.link_responses import LinkState, PageLinkResponses
from findable.checks.engine import Finding, check, failed, passed, unknown, warned
from findable.checks.link_responses import failed_requests_message, response_evidence, unrequested_finding
from findable.vocabulary import EditPlace, Effort, Importance

FAIL_COUNT = 2
"""Number of broken links from which the check fails (set by Findable)."""


@check(
    "Do internal links work?",
    Importance.HIGH,
    Effort.CONTENT,
    place=EditPlace.LINKS,
    failed=80,
    warned=30,
    site_twins=("site-links-broken",),
)
def links_internal_broken(responses: PageLinkResponses) -> Finding:
    """Checks the responses of links to this host."""
    links = responses.internal
    if (finding := unrequested_finding(links, "The page links to no other page of this site")) is not None:
        return finding
    asked_count = len(links.requested)
    broken = links.in_states(LinkState.BROKEN)
    unverified = links.in_states(LinkState.UNVERIFIED, LinkState.LOOP)
    rest, numbers = failed_requests_message(links, len(unverified))
    numbers |= {"asked_count": asked_count, "broken_count": len(broken)}
    if broken:
        verdict = failed if len(broken) >= FAIL_COUNT else warned
        return verdict(
            "{broken_count} of {asked_count|requested internal link is|requested internal links are} broken" + rest,
            evidence=response_evidence(broken),
            **numbers,
        )
    if len(unverified) == asked_count:
        return unknown(
            "Not known: {asked_count|internal link|internal links} requested, no response is conclusive",
            evidence=response_evidence(unverified),
            **numbers,
        )
    return passed(
        "{asked_count|internal link|internal links} requested, none is broken" + rest, evidence=response_evidence(unverified), **numbers
    )
