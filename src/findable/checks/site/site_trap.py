"""Links of the site lead into endless series of URLs.

In plain words: Google gets lost in an endless series of pages and finds new ones later.

Why it matters: Crawlers spend their requests on pages without new content, and find new pages later.

How to fix: Let the links end: no link to the next month without an event, no parameter that only changes the order. Otherwise disallow the
pattern in robots.txt.

Sources: [Google: URL structure](https://developers.google.com/search/docs/crawling-indexing/url-structure) (2025); [Google: crawl budget of
large sites](https://developers.google.com/crawling/docs/crawl-budget) (2025).

Not judged: Archives and calendars that end; filters and session ids, which have separate checks.
"""

from findable.capture.crawl import TrapKind
from findable.capture.site_graph import CrawlTraps
from findable.checks.causes import Cause, CausedFinding, CauseKind
from findable.checks.engine import Finding, by_cause, check, url_evidence
from findable.vocabulary import Effort, Importance, Stage, Verdict

FAIL_SHARE = 0.2
"""Share of the crawl's requests for such URLs from which the check fails (set by Findable)."""
REPORTED_ELSEWHERE = frozenset({TrapKind.FACETS, TrapKind.SESSION_ID})
"""Kinds that site-facets and site-session-ids report instead."""


@check("Is the number of URLs of the site limited?", Importance.MEDIUM, Effort.CONTENT, status=Stage.PREVIEW)
def site_trap(traps: CrawlTraps) -> Finding:
    """Checks generated URLs that the crawl stopped following: failed if they took more than 20 % of its requests."""
    causes = [
        CausedFinding(
            Cause(CauseKind.PARAMETER, item.pattern, "{pattern}", {"pattern": item.pattern}),
            Verdict.FAILED if item.fetched_count > FAIL_SHARE * traps.requests_count else Verdict.WARNED,
            "{trap}: {found_count|URL|URLs} found, {fetched_count} of them requested",
            item.fetched_count,
            tuple(url_evidence(url, None, "first linked from {page}", page=item.source) for url in item.urls),
            {"trap": item.trap, "found_count": item.found_count, "fetched_count": item.fetched_count},
        )
        for item in traps.items
        if item.trap not in REPORTED_ELSEWHERE
    ]
    return by_cause("{traps_count|endless series|endless series} of URLs", causes, traps_count=len(causes))
