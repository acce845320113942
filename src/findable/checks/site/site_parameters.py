"""A parameter creates duplicate pages.

In plain words: Google sees copies of your pages, because something after the “?” of their web addresses changes nothing on the page.

Why it matters: Each value of the parameter is another URL of an existing page. Crawlers request them all, and links count for one or the
other.

How to fix: Link without the parameter. Where it is needed, declare the URL without it as canonical.

Sources: [Google: URL structure](https://developers.google.com/search/docs/crawling-indexing/url-structure) (2025): irrelevant parameters;
[Google: consolidate duplicate URLs](https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls) (2025).

Not judged: Fewer than 50 values; parameters that select different content; pages that declare a canonical URL without it.
"""

from findable.capture.site_graph import LinkTarget
from findable.capture.site_urls import CrawledParameters, Parameter
from findable.checks.causes import Cause, CausedFinding, CauseKind
from findable.checks.engine import EVIDENCE_SHOWN, Finding, by_cause, check, inapplicable, url_evidence
from findable.checks.site_causes import link_on_page
from findable.vocabulary import Effort, Importance, Verdict


@check("Do parameters change the page?", Importance.MEDIUM, Effort.CONTENT, failed=40, warned=20)
def site_parameters(parameters: CrawledParameters) -> Finding:
    """Warns about parameters with 50 or more values if 90 % of their pages have the same text as the page without the parameter."""
    if not parameters.with_parameters_count:
        return inapplicable("no indexable page has parameters in its URL")
    return by_cause("No parameter multiplies pages", [_cause(item) for item in parameters.multiplying])


def _cause(item: Parameter) -> CausedFinding:
    evidence = [url_evidence(url) for url in item.urls[:EVIDENCE_SHOWN]]
    if evidence and item.source is not None and item.source.pages:
        evidence[0] = link_on_page(item.source, LinkTarget(item.urls[0], 0))
    return CausedFinding(
        Cause(CauseKind.PARAMETER, item.name, "parameter “{parameter}”", {"parameter": item.name}),
        Verdict.WARNED,
        "{same_count} of {pages_count|page|pages} with “{parameter}” have the text of the page without it",
        item.same_count,
        tuple(evidence),
        {"parameter": item.name, "same_count": item.same_count, "pages_count": item.pages_count},
        "Link without “{parameter}”, or declare the URL without it as canonical.",
    )
