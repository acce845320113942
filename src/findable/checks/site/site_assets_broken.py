"""Stylesheets, scripts or images of the site do not exist.

In plain words: Pages may look wrong or miss images, because files of your site do not exist.

Why it matters: A page without its stylesheet or script looks or works differently, for visitors and for Google, which renders it. Missing
images leave empty spaces, and image search has nothing to show.

How to fix: Restore the file, or correct the URL in the page, the template or the plugin. A file of the template is corrected once for all
pages.

    <link rel="stylesheet" href="/assets/site.css">

Sources: [Google: HTTP status codes](https://developers.google.com/search/docs/crawling-indexing/http-network-errors) (2025): the content of
URLs that return 4xx is not used; [Google: fix search-related JavaScript
problems](https://developers.google.com/search/docs/crawling-indexing/javascript/fix-search-javascript) (2025).

Not judged: Files of other sites; 401, 403, 429 and server errors, which may affect only this crawler; fonts, and images loaded only by
stylesheets or scripts; tracking pixels.
"""

from findable.capture.site_resources import CrawledResources, FaultyResources
from findable.checks.causes import CausedFinding
from findable.checks.engine import Finding, by_cause, check, inapplicable, unknown
from findable.checks.site_causes import resource_cause
from findable.vocabulary import Effort, Importance, Verdict


@check("Do the stylesheets, scripts and images of the site exist?", Importance.MEDIUM, Effort.CONTENT, failed=60)
def site_assets_broken(resources: CrawledResources) -> Finding:
    """Checks for files with 404 and 410, grouped by the pages or the template that load them; each file is requested once per crawl."""
    asked = resources.requested
    if not asked.found_count:
        return inapplicable("The pages load no files of the site")
    if not asked.known_count:
        return unknown("Not known: {found_count|file|files}, none of them with a conclusive response", found_count=asked.found_count)
    return by_cause(
        "{known_count} of {found_count|file|files} checked, {missing_count} missing",
        [_cause(item) for item in resources.missing],
        known_count=asked.known_count,
        found_count=asked.found_count,
        missing_count=resources.missing_count,
    )


def _cause(item: FaultyResources) -> CausedFinding:
    return resource_cause(
        item,
        verdict=Verdict.FAILED,
        message="{found_count|page loads|pages load} {resources_count|file that does|files that do} not exist",
        note="{used_as}, loaded by {page}",
    )
