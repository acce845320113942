"""Search engines cannot show the start page of the site.

In plain words: People who search for your name may not find you, because Google cannot show your home page.

Why it matters: The start page is the result for the name of the site, and most links from other sites lead there. Without it in the index
the site loses both.

How to fix: Let the start page return 200, remove ``noindex`` from its robots meta and its ``X-Robots-Tag``, let it declare itself as
canonical, and allow it in robots.txt.

    <link rel="canonical" href="https://www.example.com/">

Sources: [Google: Block Search indexing with noindex](https://developers.google.com/search/docs/crawling-indexing/block-indexing) (2025);
[Google: What is URL canonicalization](https://developers.google.com/search/docs/crawling-indexing/canonicalization) (2025).

Not judged: A start page behind a login or a bot challenge; a redirect from the start page to a language or a folder, whose target is
checked; crawls of a list of URLs. A canonical link to another site warns: copies declare it on purpose.
"""

from typing import Any

from findable.artifacts.responses.probed_page import REFUSING
from findable.capture.crawl import Reason
from findable.capture.site_reach import CrawledReach
from findable.checks.engine import Finding, by_cause, check, inapplicable, passed, quoted, unknown, url_evidence
from findable.checks.site_causes import page_cause
from findable.urls import origin_part, same_host
from findable.vocabulary import Effort, Importance, Verdict

_MESSAGES = {
    Reason.NOINDEX: ("The start page is noindex", "Remove noindex from the robots meta and the X-Robots-Tag header of {start_url}"),
    Reason.CANONICAL: (
        "The start page declares another page as canonical: {canonical}",
        'Write <link rel="canonical" href="{start_url}"> in {start_url}, or make {canonical} the start page by a permanent redirect',
    ),
    Reason.ROBOTS: ("robots.txt disallows the start page for Googlebot", "Allow {start_url} in robots.txt"),
    Reason.BLANK: ("The start page is empty or shows only an error message", "Fix the error of the server at {start_url}"),
    Reason.COOKIE: (
        "Without a cookie, the start page redirects in a loop; Googlebot keeps no cookies",
        "Return the start page to requests without cookies, and set the cookie with it",
    ),
    Reason.NOT_HTML: ("The start page is not an HTML page", "Return an HTML page at {start_url}"),
}

_ERROR = ("The start page returns {status}", "Return 200 with the start page at {start_url}")
_COPY = (
    "The start page declares a page of another site as canonical: {canonical}",
    'If this site is no copy of that one, write <link rel="canonical" href="{start_url}"> in {start_url}',
)


@check("Can the start page be indexed?", Importance.HIGH, Effort.HEAD, failed=600, warned=100, indexing_only=True, loses_pages=True)
def site_start_page(reach: CrawledReach) -> Finding:
    """Checks the response of the start page, and its robots rules."""
    start = reach.start
    if start is None:
        return inapplicable("The crawl has no start page")
    if start.reason in (Reason.FAILURE, Reason.CHALLENGE) or start.status in REFUSING:
        return unknown("The start page did not return a page to this crawler (status {status})", status=start.status)
    shown = [url_evidence(start.url, start.status)]
    if start.reason is Reason.ROBOTS and start.blocks_google:
        shown = [
            quoted(
                start.blocks_google, line=start.blocks_google_line or None, url=f"{origin_part(start.url)}/robots.txt", kind="robots_txt"
            )
        ]
    if not start.reason:
        return passed("The start page can be indexed", evidence=shown)
    is_copy = start.reason is Reason.CANONICAL and not same_host(start.url, start.canonical)
    message, advice = _COPY if is_copy else _MESSAGES.get(start.reason, _ERROR)
    params: dict[str, Any] = {"start_url": start.url, "canonical": start.canonical, "status": start.status}
    verdict = Verdict.WARNED if is_copy else Verdict.FAILED
    cause = page_cause(start.url, verdict=verdict, message=message, evidence=shown, advice=advice, **params)
    return by_cause("The start page can be indexed", [cause])
