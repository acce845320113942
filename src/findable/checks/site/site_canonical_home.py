"""Pages declare the start page as canonical.

In plain words: People hardly find these pages, because a setting tells Google to show your home page in their place.

Why it matters: Google is asked to drop these pages in favour of the start page. It is a frequent fault of templates.

How to fix: Let each page declare its own URL as canonical.

Sources: [Google: 5 common mistakes with
rel=canonical](https://developers.google.com/search/blog/2013/04/5-common-mistakes-with-relcanonical): "rel=canonical to the home page".

Not judged: Fewer than three pages; variants of the start page itself.
"""

from findable.capture.site_graph import CrawledCanonicals
from findable.checks.engine import Finding, by_cause, check
from findable.checks.site_causes import canonical_causes
from findable.vocabulary import EditPlace, Effort, Importance, Verdict

FAILS_FROM = 3
"""Number of pages from which they cannot be variants of the start page (set by Findable)."""


@check(
    "Do pages keep their own canonical URL?",
    Importance.HIGH,
    Effort.HEAD,
    place=EditPlace.CANONICAL,
    failed=550,
    limits={Verdict.FAILED: 15},
    page_twin="canonical-self",
)
def site_canonical_home(canonicals: CrawledCanonicals) -> Finding:
    """Fails if three or more other pages declare the start page as canonical, grouped by template."""
    causes = canonical_causes(
        canonicals.to_home if canonicals.to_home_count >= FAILS_FROM else (),
        verdict=Verdict.FAILED,
        message="The canonical URL is the start page",
        note="canonical URL {target}",
    )
    return by_cause("{pages_count|page declares|pages declare} the start page as canonical", causes, pages_count=canonicals.to_home_count)
