"""The sitemap lists URLs that redirect or fail.

In plain words: Your list of pages sends Google to pages that have moved or no longer exist.

Why it matters: A page with an error cannot be found. Search engines spend requests on URLs that are not pages, and trust the sitemap less.

How to fix: List the final URLs, and remove the missing ones. Most systems do this when the sitemap is regenerated. Keep URLs that return
a server error: fix the error.

Sources: [Google: build and submit a sitemap](https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap) (2025);
[Google: HTTP status codes](https://developers.google.com/search/docs/crawling-indexing/http-network-errors) (2025).

Not judged: Entries that were not requested.
"""

from typing import Any

from findable.capture.site_graph import CrawledSitemap
from findable.capture.status_classes import is_server_error
from findable.checks.engine import Finding, by_cause, check
from findable.checks.site_causes import group_cause
from findable.vocabulary import Effort, Importance, Verdict

_REPAIR = "Find the error in the server log, and fix it. Do not remove the URLs from the sitemap: they should be found."


@check(
    "Do all sitemap entries lead to pages?",
    Importance.MEDIUM,
    Effort.SERVER,
    failed=800,
    warned=100,
    loses_pages=True,
    of_unfound_pages=True,
)
def site_sitemap_status(sitemap: CrawledSitemap) -> Finding:
    """Warns about requested sitemap entries that redirect or return an error, grouped by status."""
    causes = [
        group_cause(
            group.name,
            group,
            name="sitemap",
            verdict=Verdict.WARNED,
            message="{group_count|URL of the sitemap returns|URLs of the sitemap return} {entry_status}",
            group_count=group.pages_count,
            advice=_REPAIR if is_server_error(int(group.name)) else "",
            entry_status=group.name,
        )
        for group in sitemap.not_ok
    ]
    numbers: dict[str, Any] = {"found_count": sitemap.not_ok_count, "entries_count": sitemap.entries_count}
    return by_cause("{found_count} of {entries_count|sitemap entry redirects or fails|sitemap entries redirect or fail}", causes, **numbers)
