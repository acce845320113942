"""Pages with parameters declare no canonical URL.

In plain words: Google sees many copies of your pages, under web addresses that differ only after the “?”.

Why it matters: Parameters multiply URLs: each sort order, filter and campaign adds another one with the same content. Without a canonical
link the choice among them is left to chance.

How to fix: Let each page declare the URL that should be found, without the parameters that do not change its content.

    <link rel="canonical" href="https://www.example.com/shop/widgets">

Sources: [Google: How to specify a canonical URL](https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls)
(2025). The limits of five pages and 20 % are set by this report.

Not judged: Sites without parameters; later pages of lists (``?page=2``); pages that are not indexable; parameters that multiply pages (see
site-parameters).
"""

from typing import Any

from findable.capture.site_signals import CanonicalSignals
from findable.capture.site_urls import CrawledParameters
from findable.checks.causes import Cause, CausedFinding, CauseKind
from findable.checks.engine import EVIDENCE_SHOWN, Finding, by_cause, check, covered_by, inapplicable, passed, url_evidence
from findable.vocabulary import Effort, Importance, Stage, Verdict

WARN_FROM = 5
WARN_SHARE = 0.2


@check("Do pages with parameters declare a canonical URL?", Importance.LOW, Effort.HEAD, status=Stage.PREVIEW)
def site_canonical_missing(canonicals: CanonicalSignals, parameters: CrawledParameters | None) -> Finding:
    """Warns if five or more, and at least 20 %, of the indexable pages with parameters declare no canonical URL."""
    if not canonicals.with_parameters_count:
        return inapplicable("The site has no indexable page with parameters")
    if parameters is not None and parameters.multiplying:
        return covered_by("site-parameters")
    group = canonicals.without_canonical
    multiplied_count = sum(item.pages_count for item in parameters.multiplying) if parameters else 0  # site-parameters reports these
    missing_count = max(0, group.pages_count - multiplied_count) if group else 0
    numbers: dict[str, Any] = {"missing_count": missing_count, "pages_count": canonicals.with_parameters_count}
    message = "{missing_count} of {pages_count|page with parameters declares|pages with parameters declare} no canonical URL"
    if group is None or missing_count < WARN_FROM or missing_count < WARN_SHARE * canonicals.with_parameters_count:
        return passed(message, **numbers)
    shown = tuple(url_evidence(url) for url in group.urls[:EVIDENCE_SHOWN])
    cause = Cause(CauseKind.PARAMETER, "all", "pages with parameters")
    return by_cause(message, [CausedFinding(cause, Verdict.WARNED, message, missing_count, shown, numbers)], **numbers)
