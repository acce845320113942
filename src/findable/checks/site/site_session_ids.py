"""URLs contain session ids.

In plain words: Google sees every page again under a new web address with each visit, and may not get to the others.

Why it matters: Every visit creates new URLs of all pages. Crawlers spend their requests on copies, and may never reach the rest of the
site.

How to fix: Keep sessions in a cookie, and turn off the fallback that writes them into URLs.

Sources: [Google: URL structure](https://developers.google.com/search/docs/crawling-indexing/url-structure) (2025): session ids in URLs
create massive duplication.

Not judged: Parameters whose value stays the same.
"""

from findable.capture.crawl import TrapKind
from findable.capture.site_graph import CrawlTraps
from findable.checks.causes import Cause, CausedFinding, CauseKind
from findable.checks.engine import Finding, by_cause, check, inapplicable, url_evidence
from findable.vocabulary import Effort, Importance, Verdict

MESSAGE = "URLs contain the session id “{parameter}” with changing values"


@check("Are URLs free of session ids?", Importance.HIGH, Effort.SERVER, failed=100)
def site_session_ids(traps: CrawlTraps) -> Finding:
    """Fails for parameters with several random values."""
    if not traps.requests_count:
        return inapplicable("no URL of the site was requested")
    causes = [
        CausedFinding(
            Cause(CauseKind.PARAMETER, item.pattern, "parameter “{parameter}”", {"parameter": item.pattern}),
            Verdict.FAILED,
            MESSAGE,
            item.found_count,
            tuple(url_evidence(url, None, "first linked from {page}" if item.source else "", page=item.source) for url in item.urls),
            {"parameter": item.pattern},
            "Keep the session “{parameter}” in a cookie, and switch the fallback off that writes it into URLs.",
        )
        for item in traps.items
        if item.trap is TrapKind.SESSION_ID
    ]
    return by_cause("No URL contains a session id", causes)
