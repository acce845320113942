"""Pages of one template respond slowly.

In plain words: Visitors wait for all pages of one kind, because your server is slow to respond with them.

Why it matters: Search engines request fewer pages of a slow site, and visitors wait. If all pages of a template are slow, the cause is on
the server: a query, a missing cache.

How to fix: Measure what the server does for one of these pages, and cache its result.

Sources: [Google: crawl budget of large sites](https://developers.google.com/search/docs/crawling-indexing/large-site-managing-crawl-budget)
(2025): make pages efficient to load. One second and 20 pages are set by this report.

Not judged: Templates of fewer than 20 pages; sites that refused some of the requests for being too many (429, 503).
"""

from findable.capture.crawl import CrawlSummary
from findable.capture.site_graph import CrawledTemplates, Template
from findable.checks.causes import Cause, CausedFinding, CauseKind
from findable.checks.engine import Finding, by_cause, check, inapplicable, unknown, url_evidence
from findable.vocabulary import Effort, Importance, Stage, Verdict

SLOW_MS = 1000
PAGES_FROM = 20
THROTTLING = frozenset({429, 503})


@check(
    question="Do the pages of all templates respond quickly?",
    importance=Importance.MEDIUM,
    effort=Effort.SERVER,
    costs={Verdict.FAILED: 40, Verdict.WARNED: 20},
    status=Stage.PREVIEW,
)
def site_slow_template(templates: CrawledTemplates, summary: CrawlSummary) -> Finding:
    """Warns if the first byte takes more than a second on a quarter of a template's pages."""
    judged = [template for template in templates.items if template.pages_count >= PAGES_FROM]
    if not judged:
        return inapplicable("no template has 20 pages")
    slow = [template for template in judged if template.first_byte_p75_ms > SLOW_MS]
    if slow and any(status in THROTTLING for status, _ in summary.by_status):
        return unknown("not known: the server refused some requests, so that the crawl may have slowed it down")
    return by_cause(
        "{templates_count|template responds|templates respond} in time", [_cause(item) for item in slow], templates_count=len(judged)
    )


def _cause(template: Template) -> CausedFinding:
    name = template.name or template.urls[0]
    return CausedFinding(
        Cause(CauseKind.TEMPLATE, name, "template {pattern}", {"pattern": name}),
        Verdict.WARNED,
        "A quarter of {pages_count|page takes|pages take} longer than {wait_ms} to the first byte",
        template.pages_count,
        tuple(url_evidence(url) for url in template.urls),
        {"pages_count": template.pages_count, "wait_ms": round(template.first_byte_p75_ms)},
    )
