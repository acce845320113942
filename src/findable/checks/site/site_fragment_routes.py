"""Pages of the site differ only after the ``#`` of their URL.

In plain words: Google sees only one page where your visitors see several, because their web addresses differ only after the “#”.

Why it matters: Search engines remove the part after ``#``. For them, all these views are one page, and their content is not found.

How to fix: Give every view a separate URL with the History API, and let the server respond to each.

    history.pushState(null, "", "/shop/blue-widgets")

Sources: [Google: Understand JavaScript SEO
basics](https://developers.google.com/search/docs/crawling-indexing/javascript/javascript-seo-basics) (2025): use the History API instead of
fragments; [Google: URL structure](https://developers.google.com/search/docs/crawling-indexing/url-structure) (2025).

Not judged: Links within a page; sites that have more pages with separate URLs than such views.
"""

from typing import Any

from findable.capture.site_signals import CrawledSignals
from findable.checks.causes import Cause, CausedFinding, CauseKind
from findable.checks.engine import EVIDENCE_SHOWN, Finding, by_cause, check, passed, url_evidence
from findable.vocabulary import Effort, Importance, Verdict

FAIL_FROM = 3
"""Number of views from which the site counts as built on fragments (set by Findable)."""


@check("Does each view have its own URL?", Importance.MEDIUM, Effort.CONTENT, failed=250)
def site_fragment_routes(signals: CrawledSignals) -> Finding:
    """Fails if links open three or more views by fragment, and more views than the site has pages."""
    numbers: dict[str, Any] = {"routes_count": signals.routes_count, "pages_count": signals.indexable_count}
    summary = "{routes_count|link leads|links lead} to a view behind #, {pages_count|page has|pages have} a URL"
    pages = signals.routes_pages
    if pages is None or signals.routes_count < max(FAIL_FROM, signals.indexable_count):
        return passed(summary, **numbers)
    cause = Cause(CauseKind.HOST, "routes", "the router of the site")
    message = "Links lead to {routes_count|view|views} behind #, only {pages_count|page has|pages have} a URL"
    shown = tuple(url_evidence(url, None, "linked in {page}", page=pages.urls[0]) for url in signals.routes[:EVIDENCE_SHOWN])
    return by_cause(summary, [CausedFinding(cause, Verdict.FAILED, message, pages.pages_count, shown, numbers)], **numbers)
