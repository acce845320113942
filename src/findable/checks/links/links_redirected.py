"""Links inside the site go to URLs that redirect.

In plain words: Visitors wait a little longer, because links lead to old web addresses that forward to the new ones.

Why it matters: Every redirect costs readers a round trip and crawlers a request, and leaves it unclear which URL is preferred. A redirect
that never ends leads nowhere; one that only ends with a cookie leads visitors to the page, but not Googlebot, which keeps no cookies.

How to fix: Link to the URL where the redirect ends.

    <a href="https://www.example.com/shop/">Shop</a>

Sources: [Google: consolidate duplicate URLs](https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls)
(2025): "link consistently to the URL that you consider canonical".

Not judged: Temporary redirects (302, 303, 307), which may depend on the visitor; redirects to other hosts, which are often intended; from
http to https and nowhere else (see links-insecure). Whether the target declares another canonical URL is only known in a crawl.
"""

from findable.artifacts.responses.link_responses import LinkResponse, LinkState, PageLinkResponses
from findable.checks.engine import Finding, check, failed, passed, unknown, warned
from findable.checks.link_responses import failed_requests_message, response_evidence, unrequested_finding
from findable.checks.page_fix import attribute_fix
from findable.urls import as_https, same_host
from findable.vocabulary import EditPlace, Effort, Importance

WARN_SHARE = 0.05
"""Share of the requested internal URLs above which the check warns (set by Findable)."""


@check(
    "Do internal links lead directly to final URLs?",
    Importance.LOW,
    Effort.CONTENT,
    place=EditPlace.LINKS,
    failed=5,
    warned=5,
    site_twins=("site-links-redirected",),
)
def links_redirected(responses: PageLinkResponses) -> Finding:
    """Checks permanent redirects of the links to this host."""
    links = responses.internal
    if (finding := unrequested_finding(links, "The page links to no other page of this site")) is not None:
        return finding
    answered = links.in_states(LinkState.WORKS, LinkState.BROKEN, LinkState.LOOP)
    loops = links.in_states(LinkState.LOOP)
    if not answered:
        return unknown(
            "Not known: {asked_count|internal link|internal links} requested, no response is conclusive", asked_count=len(links.requested)
        )
    redirecting = [item for item in answered if _is_detour(item)]
    rest, numbers = failed_requests_message(links, len(links.in_states(LinkState.UNVERIFIED)))
    numbers |= {"answered_count": len(answered), "redirecting_count": len(redirecting), "loop_count": len(loops)}
    if loops:
        return failed(
            "{loop_count|internal link redirects|internal links redirect} without end" + rest, evidence=response_evidence(loops), **numbers
        )
    gated = [item for item in links.in_states(LinkState.WORKS) if item.needs_cookie]
    if gated:
        return warned(
            "{gated_count|internal link redirects|internal links redirect} in a loop without a cookie; Googlebot keeps no cookies" + rest,
            evidence=response_evidence(gated),
            gated_count=len(gated),
            **numbers,
        )
    template = (
        "{redirecting_count} of {answered_count|requested internal link|requested internal links} with a permanent redirect on the way"
    )
    if len(redirecting) > WARN_SHARE * len(answered):
        many = (
            "{redirecting_count} of {answered_count|requested internal link|requested internal links} with a permanent redirect "
            "on the way, more than {limit_percent}"
        )
        numbers["limit_percent"] = round(100 * WARN_SHARE)
        fixes = (attribute_fix(item.links[0].element, href=item.response.final_url) for item in redirecting if item.response)
        return warned(many + rest, evidence=response_evidence(redirecting), fixes=fixes, **numbers)
    return passed(template + rest, evidence=response_evidence(redirecting), **numbers)


def _is_detour(item: LinkResponse) -> bool:
    """Return whether a permanent redirect stays on the host, changes more than to https, and ends on a page."""
    if not item.is_permanent or item.state is not LinkState.WORKS or item.response is None:
        return False
    target = item.response.final_url
    return same_host(item.url, target) and as_https(item.url) != target
