"""Internal links lead to http URLs on an https site.

In plain words: Visitors follow links on your site that are not encrypted at first.

Why it matters: Every such link is redirected at best; at worst a page is requested without encryption.

How to fix: Write the links with ``https://``, or without scheme and host.

Sources: [Google: HTTPS as a ranking signal and
migration](https://developers.google.com/search/docs/crawling-indexing/site-move-with-url-changes) (2025).

Not judged: Sites without https.
"""

from findable.capture.site_graph import CrawledLinks
from findable.checks.engine import Finding, by_cause, check
from findable.checks.site_causes import block_causes
from findable.vocabulary import EditPlace, Effort, Importance, Verdict


@check("Do internal links use https?", Importance.MEDIUM, Effort.CONTENT, place=EditPlace.LINKS, failed=60, warned=30)
def site_mixed_scheme(links: CrawledLinks) -> Finding:
    """Warns about internal http links on a site with https, grouped by block."""
    causes = block_causes(links.plain_http, verdict=lambda _: Verdict.WARNED, message="{targets_count|link uses|links use} http")
    return by_cause(
        "{http_count|linked URL of this site uses|linked URLs of this site use} http", causes, http_count=links.plain_http_count
    )
