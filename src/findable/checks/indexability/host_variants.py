"""The site responds under more than one host name.

In plain words: Google sees your site twice, with “www” and without or with “http” and “https”, and splits its reputation.

Why it matters: For a search engine, the hosts with and without www are two sites. Links are split between them until one of them redirects.

How to fix: Choose one host and redirect the other one permanently.

    server { server_name example.com; return 301 https://www.example.com$request_uri; }

Sources: [Google: How to specify a canonical URL](https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls)
(2025): use permanent redirects.

Not judged: whether http leads to https, and whether https works at all, which other checks cover; redirects within the host, to a language
or a start page; hosts other than with and without www.
"""

from itertools import combinations, pairwise

from findable.artifacts.page.canonical import comparable
from findable.artifacts.responses.page_similarity import SAME_PAGE_SIMILARITY, page_similarity
from findable.artifacts.responses.probed_page import ProbedPage, read_probed
from findable.artifacts.site.host_variants import HostVariants
from findable.capture.response import Failure, Hop, ProbeResponse
from findable.checks.engine import Evidence, Finding, check, failed, inapplicable, passed, url_evidence, warned
from findable.urls import as_https, host_of, origin_part
from findable.vocabulary import Effort, Importance

TEMPORARY = frozenset({302, 303, 307})
MAX_REDIRECTS = 2
"""Largest number of redirects of a variant: to https, then to the host (set by Findable)."""
DEAD = frozenset({Failure.DNS, Failure.CONNECT, Failure.TLS, Failure.TIMEOUT})


@check("Do http/https and www/apex end on one host?", Importance.MEDIUM, Effort.SERVER, failed=60, warned=20)
def host_variants(variants: HostVariants) -> Finding:
    """Checks where each host variant redirects."""
    table = [_row(response) for response in variants.responses]
    by_host: dict[str, ProbeResponse] = {}
    for response in variants.responding:
        by_host.setdefault(host_of(response.final_url), response)
    if not by_host:
        return inapplicable("No variant of the host responds with a page")
    if len(by_host) > 1:
        return _two_hosts_finding(list(by_host.values()), table)
    dead = [
        _row(response)
        for response in variants.responses
        if response.failure in DEAD and not response.hops and _is_fault(response, variants)
    ]
    if dead:
        return warned("No response from {count|variant|variants} of the host", evidence=dead)
    temporary = [hop for response in variants.responses for hop in _host_redirects(response) if hop.status in TEMPORARY]
    if temporary:
        shown = [url_evidence(hop.url, hop.status, "leads to {target}", target=hop.location) for hop in dict.fromkeys(temporary)]
        return warned("A variant of the host redirects temporarily, not permanently", evidence=shown)
    long = [_row(response) for response in variants.responses if len(_host_redirects(response)) > MAX_REDIRECTS]
    if long:
        return warned("A variant of the host takes more than {limit_count} redirects", limit_count=MAX_REDIRECTS, evidence=long)
    return passed("All {count} variants lead to {host}", host=next(iter(by_host)), evidence=table)


def _two_hosts_finding(responses: list[ProbeResponse], table: list[Evidence]) -> Finding:
    """Return the finding for identical content on two hosts, a fault unless both declare the same canonical URL."""
    pages = [page for response in responses if (page := read_probed(response)) is not None]
    for first, second in combinations(pages, 2):
        if _common_canonical(first, second):
            return warned("Two hosts respond with the same page; only its canonical link says which one counts", evidence=table)
        share = page_similarity(first, second)
        if first.response.body == second.response.body or (share is not None and share >= SAME_PAGE_SIMILARITY):
            return failed("Two hosts respond with the same content", evidence=table)
    return warned("Two hosts respond, with different pages", evidence=table)


def _common_canonical(first: ProbedPage, second: ProbedPage) -> bool:
    targets = [page.canonical.target if page.canonical else None for page in (first, second)]
    return bool(targets[0] and targets[1]) and comparable(targets[0] or "") == comparable(targets[1] or "")


def _host_redirects(response: ProbeResponse) -> list[Hop]:
    """Return redirects that change the scheme or the host.

    Redirects within a host lead to a language or a start page, and are often temporary for a reason.
    """
    return [hop for hop, onto in pairwise(response.hops) if origin_part(hop.url) != origin_part(onto.url)]


def _is_fault(silent: ProbeResponse, variants: HostVariants) -> bool:
    """Return whether the variant without a response is a fault; a closed port 80 beside https, or a site without https, is none."""
    reached = {response.url for response in variants.responses if response.hops}
    if silent.url.startswith("http:"):
        return as_https(silent.url) not in reached
    return any(url.startswith("https:") for url in reached)


def _row(response: ProbeResponse) -> Evidence:
    if response.failure is not Failure.NONE and not response.hops:
        return url_evidence(response.url, None, "did not respond ({failure})", failure=response.failure)
    if len(response.hops) > 1:
        return url_evidence(response.url, response.hops[0].status, "leads to {target}", target=response.final_url)
    return url_evidence(response.url, response.status)
