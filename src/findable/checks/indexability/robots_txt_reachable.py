"""robots.txt itself returns an error, or is not a robots.txt.

In plain words: Google may stop visiting your whole site, because the file with its rules for search engines cannot be read.

Why it matters: While robots.txt returns a server error, Google stops crawling the whole site for twelve hours and then uses its last copy
for up to 30 days. Where the file does not exist (404), everything may be crawled.

How to fix: Serve a static text file; without any rules, return 404 or these two lines.

    User-agent: *
    Disallow:

Sources: [RFC 9309, section 2.3.1](https://www.rfc-editor.org/rfc/rfc9309#section-2.3.1); [Google: How Google interprets the robots.txt
specification](https://developers.google.com/search/docs/crawling-indexing/robots/robots_txt) (2025).

Not judged: hosts that this service could not reach, and the certificate of a preview; a 429 affects this crawler, so it only warns.
"""

from findable.artifacts.page.delivery import Transport
from findable.artifacts.site.robots import TOO_MANY_REQUESTS, Robots, RobotsState
from findable.capture.response import Failure, outcome
from findable.capture.status_classes import GONE
from findable.checks.engine import Evidence, Finding, check, failed, inapplicable, passed, quoted, url_evidence, warned
from findable.urls import same_host
from findable.vocabulary import Effort, Importance


@check("Is /robots.txt itself readable?", Importance.HIGH, Effort.SERVER, failed=400, warned=20)
def robots_txt_reachable(robots: Robots, transport: Transport | None) -> Finding:
    """Checks the response of robots.txt, not its rules.

    For a preview, the certificate is ignored.
    """
    response = robots.response
    if response.failure is Failure.TLS and transport is None:
        return inapplicable("robots.txt could not be read because of the certificate of this host, which is not checked")
    seen = url_evidence(response.url, response.status)
    if response.failure is Failure.TOO_MANY_REDIRECTS:
        return warned("robots.txt redirects more than five times: it counts as missing", evidence=seen)
    if response.status == TOO_MANY_REQUESTS:
        return warned("robots.txt returned {status}, which search engines treat as a server error", status=response.status, evidence=seen)
    if robots.state is RobotsState.UNREACHABLE:
        return failed("robots.txt could not be read: {reason}", evidence=seen, **outcome(response))
    if response.status in GONE:
        return passed("There is no robots.txt ({status}): everything may be crawled", status=response.status, evidence=seen)
    if robots.state is RobotsState.MISSING:
        return warned("robots.txt returns {status}: it counts as missing", status=response.status, evidence=seen)
    if robots.is_markup:
        return warned("robots.txt is an HTML page", evidence=[seen, *_first_lines(robots)])
    if not same_host(response.url, response.final_url):
        return warned("robots.txt redirects to another host", evidence=url_evidence(response.final_url, response.status))
    return passed(
        "robots.txt returns {status} with {rules_count|rule|rules}",
        status=response.status,
        rules_count=robots.rules.rules_count,
        evidence=[seen, *_first_lines(robots)],
    )


def _first_lines(robots: Robots) -> list[Evidence]:
    return [quoted(text, line=number, url=robots.response.url, kind="robots_txt") for number, text in robots.lines.items() if text.strip()]
