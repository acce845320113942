"""The URL takes several redirects to reach the page, one that leaves HTTPS, or a loop that only ends with a cookie.

In plain words: Visitors wait, because they are sent through several web addresses before the page opens.

Why it matters: Each redirect costs a visitor a round trip and a crawler a request. Googlebot follows up to ten. A redirect from https to
http can be read and changed in transit. If the page redirects in a loop until a cookie is sent, visitors get it, but Googlebot does not,
because it keeps no cookies.

How to fix: Link to the last URL, and let every old URL respond with one redirect straight to it.

    location = /old { return 301 https://www.example.com/new; }

Return the page to requests without cookies, and set the cookie with it.

Sources: [Google: How HTTP status codes, and network and DNS errors affect Google
Search](https://developers.google.com/search/docs/crawling-indexing/http-network-errors) (2025); [Google: Redirects and Google
Search](https://developers.google.com/search/docs/crawling-indexing/301-redirects) (2025); [Google: Fix search-related JavaScript
problems](https://developers.google.com/search/docs/crawling-indexing/javascript/fix-search-javascript) (2025): cookies are cleared across
page loads.

Not judged: an endless chain, which prevents a report; script and meta refresh redirects are another check.
"""

from itertools import pairwise

from findable.capture.response import Hop, Response
from findable.checks.engine import Evidence, Finding, check, failed, passed, url_evidence, warned, with_fault
from findable.vocabulary import EditPlace, Effort, Fault, Importance, Verdict

FEW = 1
"""Normal number of redirects: http to https, or to the preferred host."""
MANY = 5
"""Number of redirects from which the check fails: half of what Googlebot follows."""


@check(
    "How many redirects before the page?",
    Importance.MEDIUM,
    Effort.SERVER,
    place=EditPlace.REDIRECT,
    costs={Fault.COOKIE_LOOP: 850, Verdict.FAILED: 40, Verdict.WARNED: 15},
    limits={Fault.COOKIE_LOOP: 15},
    warned_summary="The URL takes more than one redirect to reach the page.",
)
def redirect_chain(response: Response) -> Finding:
    """Counts the redirects before the page and checks that they stay on https."""
    if loop := response.cookie_loop:
        found = failed(
            "Without a cookie, the URL redirects in a loop: visitors get the page, but Googlebot keeps no cookies",
            evidence=[url_evidence(hop.url, hop.status, "leads to {target}", target=hop.location) for hop in loop],
            advice="Return the page to requests without cookies, and set the cookie with it.",
        )
        return with_fault(found, Fault.COOKIE_LOOP)
    redirects = response.hops[:-1]
    count = len(redirects)
    chain = [_evidence(hop) for hop in response.hops]
    unsafe = [
        url_evidence(before.url, before.status, "leads to {target}", target=after.url)
        for before, after in pairwise(response.hops)
        if before.url.startswith("https:") and after.url.startswith("http:")
    ]
    if unsafe:
        return failed("A redirect leaves HTTPS", evidence=unsafe)
    if count >= MANY:
        return failed(
            "{count} redirects before the page; one is enough, and {many_count} or more fail", count=count, many_count=MANY, evidence=chain
        )
    if count > FEW:
        return warned("{count} redirects before the page; one is enough", count=count, evidence=chain)
    return passed("{count|redirect|redirects} before the page", count=count, evidence=chain)


def _evidence(hop: Hop) -> Evidence:
    return url_evidence(hop.url, hop.status, "first byte after {wait_ms}", wait_ms=round(hop.timing.first_byte_ms))
