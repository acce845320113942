"""The sitemap lists pages with noindex.

In plain words: People may not find these pages: a setting hides them from Google, although the list of pages that your site sends to
Google names them.

Why it matters: The sitemap requests indexing, which the page forbids. Often the noindex is the mistake, such as a setting of a staging
site that went live: search engines drop the pages.

How to fix: Remove the noindex from the pages that should be found. Remove the other pages from the sitemap.

Sources: [Google: Block Search indexing with noindex](https://developers.google.com/search/docs/crawling-indexing/block-indexing) (2025);
[Google: build and submit a sitemap](https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap) (2025): list the
canonical URLs that you want in search results.

Not judged: Entries that were not requested.
"""

from typing import Any

from findable.capture.site_graph import CrawledSitemap
from findable.checks.engine import Finding, by_cause, check, passed
from findable.checks.site_causes import group_cause
from findable.vocabulary import EditPlace, Effort, Importance, Verdict

UNNAMED = ("", "/*")
"""Names of templates whose pages have no common folder."""
FAILED_SHARE = 0.5
"""Share of the sitemap's entries from which noindex is taken for an accident (set by Findable)."""


@check(
    "Does the sitemap list only pages that may be indexed?",
    Importance.MEDIUM,
    Effort.HEAD,
    place=EditPlace.VISIBILITY,
    failed=800,
    warned=400,
    indexing_only=True,
    loses_pages=True,
    of_unfound_pages=True,
)
def site_sitemap_noindex(sitemap: CrawledSitemap) -> Finding:
    """Warns about requested sitemap entries that are noindex; fails if they are half of the sitemap."""
    group = sitemap.noindex
    found_count = group.pages_count if group else 0
    numbers: dict[str, Any] = {"found_count": found_count, "entries_count": sitemap.entries_count}
    summary = "{found_count} of {entries_count|sitemap entry is|sitemap entries are} noindex"
    if group is None or not found_count:
        return passed(summary, **numbers)
    message = "{found_count|page in the sitemap tells Google not to index it|pages in the sitemap tell Google not to index them} (noindex)"
    name = "in the sitemap"
    params: dict[str, Any] = {"found_count": found_count}
    template = sitemap.noindex_template
    if template is not None and found_count > 1 and template.name not in UNNAMED:
        params |= {"pattern": template.name, "noindex_count": template.pages_count}
        if template.pages_count > found_count:
            message = "{noindex_count} pages like {pattern} tell Google not to list them (noindex); the sitemap lists {found_count} of them"
        else:
            name = "template {pattern}"
    verdict = Verdict.FAILED if found_count > 1 and found_count >= FAILED_SHARE * sitemap.entries_count else Verdict.WARNED
    cause = group_cause("noindex", group, name=name, verdict=verdict, message=message, **params)
    return by_cause(summary, [cause], **numbers)
