"""Links have an empty path segment.

In plain words: Google sees some pages twice, because links to them contain “//” in the middle.

Why it matters: ``/shop//lamps`` is another URL than ``/shop/lamps``. Most servers return the same page for both, and links count for one or
the other.

How to fix: Correct the template that joins the parts of the URL, and redirect URLs with ``//`` to those without.

Sources: [Google: consolidate duplicate URLs](https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls)
(2025); [RFC 3986](https://www.rfc-editor.org/rfc/rfc3986#section-3.3), section 3.3.

Not judged: URLs within a path (``/https://…``); links that redirect or fail.
"""

from findable.capture.site_graph import CrawledLinks
from findable.checks.engine import Finding, by_cause, check
from findable.checks.site_causes import block_causes
from findable.vocabulary import Effort, Importance, Stage, Verdict


@check(
    question="Are the paths of links free of double slashes?",
    importance=Importance.LOW,
    effort=Effort.CONTENT,
    costs={Verdict.FAILED: 60, Verdict.WARNED: 30},
    status=Stage.PREVIEW,
)
def site_duplicate_slash(links: CrawledLinks) -> Finding:
    """Checks links to pages that return 200, grouped by block."""
    causes = block_causes(
        links.double_slash,
        verdict=lambda _: Verdict.WARNED,
        message="{targets_count|link has|links have} a double slash in the path",
        joins_places=True,
    )
    return by_cause("{found_count|linked URL has|linked URLs have} a double slash", causes, found_count=links.double_slash_count)
