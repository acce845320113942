"""The http URL does not redirect permanently to https.

In plain words: Visitors who type your web address may get the page without encryption.

Why it matters: People type and link the http URL; without a permanent redirect both versions remain, and the first visit is unprotected.

How to fix: Redirect everything on port 80 with 301.

    # nginx
    server { listen 80; return 301 https://$host$request_uri; }

Sources: [Google: consolidate duplicate URLs](https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls)
(2025); [Google: redirects](https://developers.google.com/search/docs/crawling-indexing/301-redirects) (2025); [RFC 9110, section
15.4](https://www.rfc-editor.org/rfc/rfc9110#section-15.4).

Not judged: Sites that do not respond on http at all.
"""

import re

from findable.artifacts.page.delivery import Transport
from findable.capture.page import PageCapture
from findable.capture.response import Failure, Hop, ProbeResponse
from findable.checks.engine import Evidence, Finding, check, failed, passed, unknown, url_evidence, warned
from findable.lazy_pattern import lazy_pattern
from findable.vocabulary import Effort, Importance

PERMANENT = frozenset({301, 308})
REDIRECTS = frozenset({301, 302, 303, 307, 308})
SCRIPT_BYTES = 4096
"""Number of bytes searched for a script redirect; pages that only redirect are short."""
_BY_PAGE = lazy_pattern(
    rb"http-equiv\s*=\s*[\"']?refresh[^>]{0,200}https://|location(?:\.href|\.protocol|\.replace\(|\.assign\()?\s*[=(]?\s*[\"']https:",
    re.IGNORECASE,
)


@check("Does http:// lead to https://?", Importance.MEDIUM, Effort.SERVER, failed=30, warned=15, depends_on=("https",))
def https_redirect(transport: Transport, page: PageCapture) -> Finding:
    response = transport.response
    down = [hop for hop in response.hops[:-1] if hop.url.startswith("https:") and hop.location.startswith("http:")]
    if down:
        return failed("A redirect on the way to the page leaves https", evidence=[_hop(hop) for hop in down])
    http_variant = page.probes.http_variant
    if http_variant is None:
        if response.hops[0].url.startswith("http:") and response.hops[-1].url.startswith("https:"):
            return _redirect_finding(response.hops)  # the page was requested over http
        return unknown("The http URL was not requested")
    if not http_variant.hops:
        if http_variant.failure is Failure.CONNECT:
            return passed("No server responds on http", evidence=url_evidence(http_variant.url, None, "no connection"))
        return unknown("The http URL: {reason}", reason=http_variant.failure)
    return _http_variant_finding(http_variant)


def _http_variant_finding(response: ProbeResponse) -> Finding:
    final = response.hops[-1]
    if final.url.startswith("https:"):
        return _redirect_finding(response.hops)
    if final.status in REDIRECTS and final.location.startswith("https:"):
        return _redirect_finding((*response.hops, Hop(final.location, 0, final.headers, "", final.timing)))
    seen = [_hop(hop) for hop in response.hops]
    if not response.ok:
        return warned("The http URL returns {status} instead of redirecting", status=final.status, evidence=seen)
    if _BY_PAGE.search(response.body[:SCRIPT_BYTES]):
        return warned("The http URL is redirected by the page, not by the server", evidence=seen)
    return failed("The http URL returns {status} without https", status=final.status, evidence=seen)


def _redirect_finding(hops: tuple[Hop, ...]) -> Finding:
    seen = [_hop(hop) for hop in hops]
    temporary = [hop for hop in hops[:-1] if hop.status not in PERMANENT]
    if temporary:
        return warned("http redirects to https temporarily ({status})", status=temporary[0].status, evidence=seen)
    return passed("http redirects to https with {status}", status=hops[0].status, evidence=seen)


def _hop(hop: Hop) -> Evidence:
    return url_evidence(hop.url, hop.status)
