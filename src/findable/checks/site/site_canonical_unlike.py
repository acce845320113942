"""Pages declare a page with different text as canonical.

In plain words: Pages may be missing from Google, because a setting declares them to be copies of a page with other text.

Why it matters: A canonical link is for duplicates. Google ignores it if the pages differ, or drops a page with unique text.

How to fix: Let the page declare itself as canonical. If it should disappear, redirect it.

Sources: [Google: 5 common mistakes with
rel=canonical](https://developers.google.com/search/blog/2013/04/5-common-mistakes-with-relcanonical): check that most of the content is the
same. The limit of 30 % of the three-word sequences is set by this report.

Not judged: Main texts below 100 words; pages that scripts build; variants that differ by parameters or have the same title; later pages of
lists; versions of a documentation; canonical links to the start page (see site-canonical-home).
"""

from findable.capture.site_signals import CanonicalSignals
from findable.checks.engine import Finding, by_cause, check, inapplicable
from findable.checks.site_causes import canonical_causes
from findable.vocabulary import EditPlace, Effort, Importance, Stage, Verdict


@check(
    "Do canonical links lead to the same content?",
    Importance.MEDIUM,
    Effort.HEAD,
    place=EditPlace.CANONICAL,
    status=Stage.PREVIEW,
    page_twin="canonical-self",
)
def site_canonical_unlike(canonicals: CanonicalSignals) -> Finding:
    """Warns if the main texts of a page and its canonical page share less than 30 %, grouped by template."""
    if not canonicals.declared_count:
        return inapplicable("no page declares another page as canonical")
    causes = canonical_causes(
        canonicals.unlike,
        verdict=Verdict.WARNED,
        message="Its canonical URL is a page with different text",
        note="canonical URL {target}: {similarity_percent} of the text in common",
    )
    return by_cause("{pages_count|page has|pages have} a canonical URL with different text", causes, pages_count=canonicals.unlike_count)
