"""Internal links contain campaign parameters.

In plain words: Google sees copies of your pages, and your visitor figures are wrong, because links within your site carry marks of
campaigns.

Why it matters: Such parameters belong to links on other sites and in emails. Within the site each of them creates another URL of the same
page, which is requested too, and web analytics attribute the rest of the visit to the wrong source.

How to fix: Link without these parameters. To measure which link is clicked, use events of the web analytics instead.

Sources: [Google: URL structure](https://developers.google.com/search/docs/crawling-indexing/url-structure) (2025): irrelevant parameters;
[Google Analytics: campaign URLs](https://support.google.com/analytics/answer/10917952) (2025).

Not judged: Links in feeds and emails; ``ref`` and other parameters that may mean something to the site.
"""

from findable.capture.site_graph import CrawledLinks
from findable.checks.engine import Finding, by_cause, check
from findable.checks.site_causes import block_causes
from findable.vocabulary import EditPlace, Effort, Importance, Verdict


@check("Are internal links free of campaign parameters?", Importance.MEDIUM, Effort.CONTENT, place=EditPlace.LINKS, failed=40, warned=20)
def site_tracking_links(links: CrawledLinks) -> Finding:
    """Warns about ``utm_…``, ``gclid``, ``fbclid`` and similar parameters, grouped by block."""
    causes = block_causes(
        links.tracking,
        verdict=lambda _: Verdict.WARNED,
        message="{targets_count|link has|links have} campaign parameters",
        joins_places=True,
    )
    return by_cause("{found_count|linked URL has|linked URLs have} campaign parameters", causes, found_count=links.tracking_count)
