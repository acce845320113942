"""Search bots request missing pages that the site still links to.

In plain words: Search engines and visitors follow your own links to pages that no longer exist.

Why it matters: 404 is a normal response for pages that are gone. If the site itself links to them or lists them in a sitemap, search bots
request them again and again, and visitors end there too.

How to fix: Remove the links and sitemap entries, or redirect to the page that replaced the missing one.

Sources: [Google: HTTP status codes](https://developers.google.com/search/docs/crawling-indexing/http-network-errors) (2025); [Google:
crawl budget of large sites](https://developers.google.com/crawling/docs/crawl-budget) (2025).

Not judged: Missing URLs that the site does not mention, which are only counted; files that are not pages are included.
"""

from findable.capture.site_hits import SiteHits
from findable.checks.engine import Finding, check
from findable.checks.hit_causes import held_back, hits_finding
from findable.vocabulary import Effort, Importance, Stage, Verdict

_MESSAGE = (
    "{hits_count|request|requests} of search bots for {urls_count|missing page|missing pages} that the site links to or lists, "
    "and for {others_count} that it does not mention"
)
_OTHERS = "search bots requested {others_count|missing page|missing pages}, none of which the site links to or lists"
_NONE = "search bots requested no missing page that the site links to or lists"


@check("Do search bots request missing pages that the site links to?", Importance.MEDIUM, Effort.CONTENT, status=Stage.PREVIEW, costs={})
def site_hits_not_found(hits: SiteHits) -> Finding:
    """Warns about URLs with 404 or 410 that the crawl found in links or sitemaps, and counts the others."""
    others_count = hits.missing.urls_count - hits.missing_linked.urls_count
    return held_back(hits) or hits_finding(
        hits.missing_linked,
        key="missing",
        name="missing pages that the site mentions",
        message=_MESSAGE,
        without=_OTHERS if others_count else _NONE,
        verdict=Verdict.WARNED,
        others_count=others_count,
    )
