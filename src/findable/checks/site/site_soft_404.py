"""Pages look like error pages, yet return 200.

In plain words: Google takes some pages for error messages and leaves them out of its results.

Why it matters: Google treats such pages as missing (soft 404) and drops them, or wastes visits on them.

How to fix: Return 404 or 410 for missing pages. Give real pages, such as an empty category, a unique title and text.

    error_page 404 /404.html;   # and no rule that sends unknown URLs to index.html

Sources: [Google: HTTP status codes: soft 404
errors](https://developers.google.com/search/docs/crawling-indexing/http-network-errors#soft-404-errors) (2025).

Not judged: Wording in languages whose phrases are not known here; pages that scripts build. Empty search results and categories warn.
"""

from findable.capture.site_signals import CrawledSignals
from findable.checks.causes import Cause, CausedFinding, CauseKind
from findable.checks.engine import EVIDENCE_SHOWN, Finding, by_cause, check, url_evidence
from findable.checks.site_causes import template_cause
from findable.vocabulary import Effort, Importance, Verdict

BLANK = "{found_count|URL returns|URLs return} 200 with an empty response or only an error message"
BLANK_ADVICE = "Return the page, 404 for a missing page, or a status of 500 or more for an error of the server."


@check(
    "Do missing pages return 404 everywhere?",
    Importance.MEDIUM,
    Effort.SERVER,
    failed=600,
    warned=150,
    limits={Verdict.FAILED: 15},
    loses_pages=True,
)
def site_soft_404(signals: CrawledSignals) -> Finding:
    """Groups the soft-404 findings of indexable pages by template: failed if two signs agree, warned if only one is present."""
    failed = "{found_count|page looks like an error page, but returns 200|pages look like error pages, but return 200}"
    warned = "{found_count|page may be an error page that returns 200|pages may be error pages that return 200}"
    causes = [template_cause(group, verdict=Verdict.FAILED, message=failed) for group in signals.soft_errors]
    if signals.blank:
        shown = tuple(url_evidence(url) for url in signals.blank.urls[:EVIDENCE_SHOWN])
        count = signals.blank.pages_count
        cause = Cause(CauseKind.GROUP, "blank", "empty responses")
        causes.append(CausedFinding(cause, Verdict.FAILED, BLANK, count, shown, {"found_count": count}, BLANK_ADVICE))
    causes += [template_cause(group, verdict=Verdict.WARNED, message=warned) for group in signals.soft_doubts]
    return by_cause(failed, causes, found_count=sum(cause.pages_count for cause in causes if cause.verdict is Verdict.FAILED))
