"""Pages redirect by a refresh instead of a status.

In plain words: Visitors see an empty page for a moment before they are sent on to the right one.

Why it matters: Google follows a refresh of 0 seconds as a permanent redirect, but has to load and read the page first. Other crawlers do
not follow it, and the back button of browsers stops working.

How to fix: Redirect on the server with 301 or 308, and link to the target.

    location = /old { return 301 /new; }

Sources: [Google: Redirects and Google Search](https://developers.google.com/search/docs/crawling-indexing/301-redirects) (2025): a meta
refresh only where no redirect of the server is possible; [WCAG technique H76](https://www.w3.org/WAI/WCAG22/Techniques/html/H76).

Not judged: A refresh of the same page, as on news tickers; a refresh after more than 10 seconds; redirects by script.
"""

from findable.capture.site_signals import CrawledSignals
from findable.checks.causes import Cause, CausedFinding, CauseKind
from findable.checks.engine import EVIDENCE_SHOWN, Finding, by_cause, check, url_evidence
from findable.checks.site_causes import page_cause
from findable.vocabulary import Effort, Importance, Stage, Verdict

MANY_PAGES = 3
"""Number of pages from which a common template is the cause (set by Findable)."""


@check(
    question="Does the server redirect, not the page?",
    importance=Importance.LOW,
    effort=Effort.SERVER,
    costs={Verdict.FAILED: 30, Verdict.WARNED: 15},
    status=Stage.PREVIEW,
)
def site_redirect_meta(signals: CrawledSignals) -> Finding:
    """Warns about pages with a refresh to another page; three or more pages are one cause."""
    count, message = signals.refreshing_count, "{found_count|page redirects|pages redirect} by a refresh"
    shown = [url_evidence(page.url, None, "redirects to {target}", target=page.target) for page in signals.refreshing[:EVIDENCE_SHOWN]]
    if count >= MANY_PAGES:
        cause = Cause(CauseKind.GROUP, "refresh", "pages with a refresh")
        caused = CausedFinding(cause, Verdict.WARNED, message, count, tuple(shown), {"found_count": count})
        return by_cause(message, [caused], found_count=count)
    causes = [
        page_cause(
            page.url,
            verdict=Verdict.WARNED,
            message="It redirects by a refresh to {target}",
            evidence=[evidence],
            advice="Return 301 with “Location: {target}” at {page}",
            target=page.target,
            page=page.url,
        )
        for page, evidence in zip(signals.refreshing, shown, strict=False)
    ]
    return by_cause(message, causes, found_count=count)
