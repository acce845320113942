"""The address does not answer 200.

Why it matters: search engines index only pages that answer 200. A 404 or 410 takes the page out of the index, a lasting 5xx does
so too and slows crawling down.

How to fix: serve 200 for pages that exist, redirect moved ones with 301, answer 404 or 410 for gone ones.

Sources: Google, "How HTTP status codes, and network and DNS errors affect Google Search" (2025); RFC 9110 section 15.

Not judged: what could not be seen at all (a login, a refusal, a challenge, a timeout) gives no verdict and no rating.
"""

from findable.capture.response import Response
from findable.checks.engine import Finding, check, failed, passed, url_evidence, warned
from findable.vocabulary import Effort, Importance

OK = 200
REDIRECT = 300


@check(question="Does the final URL answer 200?", importance=Importance.HIGH, effort=Effort.SERVER)
def http_status(response: Response) -> Finding:
    """Judges the status of the last hop."""
    seen = url_evidence(response.final_url, response.status)
    if response.status == OK:
        return passed("the page answers {status}", status=response.status, evidence=seen)
    if OK < response.status < REDIRECT:
        return warned("the page answers {status} instead of 200", status=response.status, evidence=seen)
    return failed("the page answers {status}", status=response.status, evidence=seen)
