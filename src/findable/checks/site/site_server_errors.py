"""Pages of the site return a server error.

In plain words: Visitors and Google get an error message of your server in place of some pages.

Why it matters: A page that returns 5xx cannot be indexed; when many do, Google slows its crawling down and drops pages from the index.

How to fix: Check the server log at the time of the request, and fix the error.

Sources: [Google: HTTP status codes](https://developers.google.com/search/docs/crawling-indexing/http-network-errors) (2025).

Not judged: Errors that went away when the URL was requested again.
"""

from findable.capture.site_graph import CrawledLinks
from findable.checks.engine import Finding, by_cause, check, url_evidence
from findable.checks.site_causes import page_cause
from findable.vocabulary import Effort, Importance, Verdict


@check("Do all pages respond without server errors?", Importance.HIGH, Effort.SERVER, failed=800, loses_pages=True, of_unfound_pages=True)
def site_server_errors(links: CrawledLinks) -> Finding:
    """Fails for linked URLs that returned a server error (5xx) twice."""
    causes = [
        page_cause(
            target.url,
            verdict=Verdict.FAILED,
            message="The URL returns {error_status}, also when requested again",
            error_status=target.status,
            evidence=[url_evidence(target.url, target.status)],
        )
        for target in links.server_errors
    ]
    return by_cause("{errors_count|linked URL returns|linked URLs return} 5xx", causes, errors_count=links.server_errors_count)
