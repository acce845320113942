"""No page links to the canonical URL that others declare.

In plain words: Google is to show a page that none of your links leads to, so it trusts that page less.

Why it matters: The preferred URL gets no internal links, while its duplicates do.

How to fix: Link to the canonical URL, or declare the linked URL as canonical.

Sources: [Google: consolidate duplicate URLs](https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls)
(2025): link consistently to the canonical URL.

Not judged: Sites whose links usually lead to URLs with another canonical URL (see site-links-canonicalised).
"""

from findable.capture.site_graph import CrawledCanonicals, CrawledLinks
from findable.checks.engine import Finding, by_cause, check, inapplicable
from findable.checks.site.site_links_canonicalised import are_mostly_canonicalised
from findable.checks.site_causes import canonical_causes
from findable.vocabulary import Effort, Importance, Stage, Verdict


@check(
    question="Are canonical URLs linked?",
    importance=Importance.LOW,
    effort=Effort.CONTENT,
    costs={Verdict.FAILED: 40, Verdict.WARNED: 20},
    status=Stage.PREVIEW,
)
def site_canonical_unlinked(canonicals: CrawledCanonicals, links: CrawledLinks | None) -> Finding:
    """Warns about pages whose canonical URL has no internal link, grouped by template."""
    if links is not None and are_mostly_canonicalised(links):
        return inapplicable("links lead to other URLs as a rule")
    causes = canonical_causes(
        canonicals.unlinked,
        verdict=Verdict.WARNED,
        message="No page links to its canonical URL",
        note="canonical URL {target} has no internal link",
    )
    return by_cause(
        "{pages_count|page has|pages have} a canonical URL that no page links to", causes, pages_count=canonicals.unlinked_count
    )
