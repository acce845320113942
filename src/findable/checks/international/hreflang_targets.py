"""A language version of the page returns an error or is not indexable.

In plain words: Google cannot show a translation of this page, because it is broken or kept out of search results.

Why it matters: A version that returns an error, redirects, is noindex or declares another page as canonical drops out of the set.

How to fix: Link to the final URL of a page that is indexable and declares itself as canonical.

    <link rel="alternate" hreflang="de" href="https://www.example.com/de/">

Sources: [Google: Tell Google about localized versions of your
page](https://developers.google.com/search/docs/specialty/international/localized-versions) (2025).

Not judged: versions beyond the twenty that are requested, and those that rejected this crawler.
"""

from findable.artifacts.page.canonical import VARIANTS, comparable
from findable.artifacts.responses.probed_page import ProbedPage
from findable.artifacts.site.language_versions import LanguageVersions
from findable.checks.engine import Evidence, Finding, check, failed, passed, unknown, url_evidence, warned
from findable.vocabulary import Effort, Importance


@check(
    "Are the language versions valid pages?",
    Importance.MEDIUM,
    Effort.CONTENT,
    failed=40,
    warned=30,
    site_twins=("site-hreflang-target",),
)
def hreflang_targets(versions: LanguageVersions) -> Finding:
    """Checks the response and the robots rules of each language version that was requested."""
    bad = [shown for page in versions.pages if (shown := _fault(page)) is not None]
    if bad:
        return failed("{count|language version is not a valid page|language versions are not valid pages}", evidence=bad)
    odd = [shown for page in versions.pages if (shown := _minor_fault(page)) is not None]
    if odd:
        return warned("{count|language version is|language versions are} declared with another URL", evidence=odd)
    if not versions.pages:
        return unknown("No language version responded")
    return passed("{count|language version returns|language versions return} a valid page", count=len(versions.pages))


def _fault(page: ProbedPage) -> Evidence | None:
    response = page.response
    if not response.ok:
        return url_evidence(response.url, response.status, "returns {code}", code=response.status)
    if page.noindex is not None:
        return url_evidence(response.url, response.status, "is noindex")
    canonical = page.canonical
    if canonical is not None and canonical.target and canonical.differences and not canonical.differences <= VARIANTS:
        return url_evidence(response.url, response.status, "declares another page as canonical: {target}", target=canonical.target)
    return None


def _minor_fault(page: ProbedPage) -> Evidence | None:
    response = page.response
    if comparable(response.url) != comparable(response.final_url):
        return url_evidence(response.url, response.hops[0].status, "redirects to {target}", target=response.final_url)
    canonical = page.canonical
    if canonical is not None and canonical.target and canonical.differences:
        return url_evidence(response.url, response.status, "spells its own URL differently: {target}", target=canonical.target)
    return None
