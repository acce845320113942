"""Pages are noindex, but robots.txt prevents Googlebot from reading the rule.

In plain words: You want pages kept out of Google, but Google cannot read that wish and may show them.

Why it matters: Google does not load a disallowed page, so it never learns of the ``noindex``. The URL may stay in the results without a
description.

How to fix: Allow the pages in robots.txt until they are gone from the results. Disallow them again afterwards, if they need not be loaded.

Sources: [Google: Block Search indexing with noindex](https://developers.google.com/search/docs/crawling-indexing/block-indexing) (2025):
for noindex to be effective, the page must not be blocked by robots.txt.

Not judged: Pages that robots.txt disallows for this crawler too: their content is unknown.
"""

from findable.capture.site_signals import CrawledNoindex
from findable.checks.engine import Finding, by_cause, check, inapplicable
from findable.checks.site_causes import template_cause
from findable.vocabulary import Effort, Importance, Verdict


@check("Can search engines read every noindex?", Importance.MEDIUM, Effort.SERVER, failed=100)
def site_robots_noindex(noindex: CrawledNoindex) -> Finding:
    """Checks for fetched pages that are noindex and disallowed for Googlebot."""
    if not noindex.noindex_count and noindex.unread is None:
        return inapplicable("No page is noindex")
    message = "robots.txt keeps Googlebot from reading the noindex of {found_count|page|pages}"
    return by_cause(
        message,
        [template_cause(noindex.unread, verdict=Verdict.FAILED, message=message)] if noindex.unread else [],
        found_count=noindex.unread.pages_count if noindex.unread else 0,
    )
