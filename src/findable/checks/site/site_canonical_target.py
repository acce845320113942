"""Canonical links lead to pages that cannot be indexed.

In plain words: Google is sent to pages that it cannot show, so neither they nor the pages that name them may appear.

Why it matters: The links ask Google to index a URL that returns an error, redirects or forbids indexing. It may then index neither page.

How to fix: Set the canonical link to a URL that returns 200 and is indexable, or let the page declare itself.

Sources: [Google: consolidate duplicate URLs](https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls)
(2025); [Google: 5 common mistakes with
rel=canonical](https://developers.google.com/search/blog/2013/04/5-common-mistakes-with-relcanonical).

Not judged: Targets that the crawl did not request; targets that declare a third URL (see site-canonical-chain).
"""

from findable.capture.site_graph import CrawledCanonicals
from findable.checks.engine import Finding, by_cause, check
from findable.checks.site_causes import canonical_causes
from findable.vocabulary import EditPlace, Effort, Importance, Verdict


@check(
    "Do canonical links lead to indexable pages?",
    Importance.HIGH,
    Effort.CONTENT,
    place=EditPlace.CANONICAL,
    failed=450,
    limits={Verdict.FAILED: 15},
    loses_pages=True,
)
def site_canonical_target(canonicals: CrawledCanonicals) -> Finding:
    """Fails for pages whose canonical URL cannot be indexed, grouped by template."""
    causes = canonical_causes(
        canonicals.not_indexable,
        verdict=Verdict.FAILED,
        message="The canonical URL cannot be indexed",
        note="canonical URL {target} is not indexable (status {target_status})",
    )
    return by_cause(
        "{pages_count|page has|pages have} a canonical URL that cannot be indexed", causes, pages_count=canonicals.not_indexable_count
    )
