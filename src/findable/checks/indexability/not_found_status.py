"""A non-existent URL does not return 404.

In plain words: Visitors and Google do not learn that a page is missing: they get an ordinary page for every mistyped web address.

Why it matters: If every URL returns 200, every typo and every outdated link becomes a page that search engines fetch and compare. Visitors
do not learn that a page is missing.

How to fix: Return 404 for unknown URLs, with a helpful page.

    error_page 404 /404.html;
    location / { try_files $uri $uri/ =404; }

Sources: [Google: How HTTP status codes, and network and DNS errors affect Google
Search](https://developers.google.com/search/docs/crawling-indexing/http-network-errors) (2025); webhint, "Has useful HTML error pages": old
browsers replace pages of less than 512 bytes by their own.

Not judged: the content of the page with status 404; a server that rejected this crawler, or had an error at that time.
"""

from findable.artifacts.responses.not_found_probe import NotFoundProbe
from findable.capture.status_classes import GONE, is_server_error
from findable.checks.engine import Finding, check, failed, passed, unknown, url_evidence, warned
from findable.lazy_pattern import lazy_pattern
from findable.urls import parse, same_host
from findable.vocabulary import Effort, Importance

MIN_BYTES = 512
MAX_LINKS = 2000
HOME = lazy_pattern(r"/(?:[a-z]{2}(?:[-_][a-z]{2,4})?/?)?(?:index\.\w{3,4})?")
"""Paths of a home page, also of one language (``/de/``)."""


@check("Does a non-existent URL return 404?", Importance.MEDIUM, Effort.SERVER, failed=40, warned=20)
def not_found_status(probe: NotFoundProbe) -> Finding:
    """Checks the response of a non-existent URL."""
    response = probe.response
    status = response.status
    seen = url_evidence(response.url, status)
    if status in GONE:
        if len(response.body) < MIN_BYTES:
            return passed("A non-existent URL returns {status}, with an almost empty page", status=status, evidence=seen)
        if not _redirects_home(probe):
            return passed("A non-existent URL returns {status}, without a link to the home page", status=status, evidence=seen)
        return passed("A non-existent URL returns {status}, with a link to the home page", status=status, evidence=seen)
    if is_server_error(status):
        return unknown("A non-existent URL returned {status}", status=status, evidence=seen)
    if probe.is_redirect and response.ok:
        evidence = url_evidence(response.url, response.hops[0].status, "leads to {target}", target=response.final_url)
        return warned("URLs that do not exist redirect elsewhere instead of returning 404", evidence=evidence)
    if response.ok:
        return failed("URLs that do not exist show a page with status {status} instead of 404", status=status, evidence=seen)
    return warned("URLs that do not exist return {status} instead of 404", status=status, evidence=seen)


def _redirects_home(probe: NotFoundProbe) -> bool:
    document, url = probe.page.tree, parse(probe.response.final_url)
    if document is None or url is None:
        return False
    links = (document.resolve(link.attr("href") or "") for link in document.all("a", "area")[:MAX_LINKS])
    return any(link and same_host(link, url.href) and HOME.fullmatch(_path(link)) for link in links)


def _path(link: str) -> str:
    url = parse(link)
    return url.path.lower() if url else ""
