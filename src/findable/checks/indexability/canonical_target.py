"""The canonical URL cannot replace this page.

In plain words: Google is sent to a page that it cannot show, and has to guess which one you mean.

Why it matters: A canonical URL that returns an error, is noindex or declares another canonical URL is ignored, and the search engine picks
a URL by itself.

How to fix: Declare a page that returns 200, is indexable and declares itself as canonical.

    <link rel="canonical" href="https://www.example.com/shop/blue-widgets">

Sources: [Google: Fix canonicalization issues](https://developers.google.com/search/docs/crawling-indexing/canonicalization-troubleshooting)
(2025).

Not judged: URLs that refused this crawler; another spelling of this page's URL that leads back to it, which canonical-self reports.
"""

from findable.artifacts.page.canonical import Canonical, comparable
from findable.artifacts.responses.canonical_response import CanonicalTarget
from findable.artifacts.site.robots import Robots
from findable.checks.engine import Finding, check, failed, inapplicable, passed, url_evidence, warned
from findable.checks.indexing_evidence import decision_evidence
from findable.urls import origin_of
from findable.vocabulary import EditPlace, Effort, Importance


@check(
    "Is the canonical page indexable?",
    Importance.MEDIUM,
    Effort.CONTENT,
    place=EditPlace.CANONICAL,
    failed=450,
    warned=40,
    depends_on=("canonical-valid",),
    site_twins=("site-canonical-target",),
)
def canonical_target(target: CanonicalTarget, canonical: Canonical, robots: Robots | None) -> Finding:
    """Checks the response of the canonical URL and its robots rules."""
    page, response = target.page, target.page.response
    seen = url_evidence(response.final_url, response.status)
    if response.ok and comparable(response.final_url) == comparable(canonical.page_url):
        return inapplicable("The canonical URL leads back to this page: see “{check}”", check="canonical-self")
    if not response.ok:
        return failed("The canonical page returns {status}", status=response.status, evidence=url_evidence(target.url, response.status))
    if page.noindex is not None:
        return failed("The canonical page is noindex", evidence=seen)
    if robots is not None and origin_of(target.url) == robots.origin:
        decision = robots.decide(("Googlebot",), target.url)
        if not decision.allowed:
            return failed("robots.txt forbids Googlebot to fetch the canonical page", evidence=[seen, decision_evidence(robots, decision)])
    own = page.canonical
    if own is not None and own.target is not None and own.differences and comparable(own.target) != comparable(target.url):
        return failed("The canonical page declares a different canonical URL: {url}", url=own.target, evidence=seen)
    if comparable(response.final_url) != comparable(target.url):
        return warned("The canonical URL redirects to {url}", url=response.final_url, evidence=seen)
    return passed("The canonical page returns {status} and may be indexed", status=response.status, evidence=seen)
