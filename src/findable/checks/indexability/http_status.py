"""The page returns an error instead of status 200.

In plain words: Visitors and Google get an error message in place of this page.

Why it matters: Search engines index only pages that return 200. A 404 or 410 removes the page from the index; a permanent 5xx does so too
and slows crawling down.

How to fix: Serve 200 for pages that exist, redirect moved ones with 301, return 404 or 410 for removed ones.

Sources: [Google: How HTTP status codes, and network and DNS errors affect Google
Search](https://developers.google.com/search/docs/crawling-indexing/http-network-errors) (2025); [RFC 9110, section
15](https://www.rfc-editor.org/rfc/rfc9110#section-15).

Not judged: pages that could not be loaded (login, refusal, challenge, timeout), which get no verdict and no rating.
"""

from findable.capture.response import Response
from findable.capture.status_classes import OK
from findable.checks.engine import Finding, check, failed, passed, url_evidence, warned
from findable.vocabulary import EditPlace, Effort, Importance, Verdict

REDIRECT = 300
_BY_CLASS = {
    4: "Restore the page, or redirect its URL with 301 to the page that replaces it.",
    5: "Find the cause in the error log of the server and fix it. During maintenance return 503 with Retry-After.",
}
"""Instructions by status class: 4 for 4xx, 5 for 5xx."""


@check(
    "Does the final URL return 200?",
    Importance.HIGH,
    Effort.SERVER,
    place=EditPlace.REDIRECT,
    failed=1000,
    limits={Verdict.FAILED: 0},
    start_page_twin="site-start-page",
)
def http_status(response: Response) -> Finding:
    """Checks the status of the last hop."""
    seen = url_evidence(response.final_url, response.status)
    if response.status == OK:
        return passed("The page returns {status}", status=response.status, evidence=seen)
    if OK < response.status < REDIRECT:
        return warned("The page returns {status} instead of 200", status=response.status, evidence=seen)
    advice = _BY_CLASS.get(response.status // 100, "")
    return failed("The page returns {status}", status=response.status, evidence=seen, advice=advice)
