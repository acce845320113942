"""Canonical URLs declare a different URL as canonical.

In plain words: Google has to guess which page you want shown, because your pages point from one to the next.

Why it matters: Search engines have to guess which of the URLs is meant, and may ignore all of them.

How to fix: Let all duplicates declare the last URL of the chain directly.

Sources: [Google: consolidate duplicate URLs](https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls)
(2025); [Google: 5 common mistakes with
rel=canonical](https://developers.google.com/search/blog/2013/04/5-common-mistakes-with-relcanonical).

Not judged: Chains of redirects (see site-redirect-chains).
"""

from findable.capture.site_graph import CrawledCanonicals
from findable.checks.engine import Finding, by_cause, check
from findable.checks.site_causes import canonical_causes
from findable.vocabulary import Effort, Importance, Verdict


@check("Do canonical links lead to their end in one step?", Importance.MEDIUM, Effort.CONTENT, failed=60, warned=30)
def site_canonical_chain(canonicals: CrawledCanonicals) -> Finding:
    """Warns about pages whose canonical URL declares a third URL as canonical, grouped by template."""
    causes = canonical_causes(
        canonicals.chains,
        verdict=Verdict.WARNED,
        message="The canonical URL declares a different canonical URL",
        note="canonical URL {target} declares {target_canonical}",
    )
    return by_cause(
        "{pages_count|page has|pages have} a canonical URL that declares a different one", causes, pages_count=canonicals.chains_count
    )
