"""Filters of lists create endless combinations.

In plain words: Google gets lost in countless combinations of your filters, and finds new products later.

Why it matters: Six filters with twenty values create millions of URLs of the same few products. Crawlers spend their requests on them, and
find new products later.

How to fix: Disallow the combinations in robots.txt, or use fragments (``#color=red``) for filters. Keep links to those filter pages that
people search for.

Sources: [Google: managing crawling of faceted navigation
URLs](https://developers.google.com/search/docs/crawling-indexing/crawling-managing-faceted-navigation) (2025).

Not judged: Filters that robots.txt disallows; up to 1,000 URLs of one path, and up to eight sets of parameters.
"""

from findable.capture.crawl import TrapKind
from findable.capture.site_graph import CrawlTraps, Trap
from findable.checks.causes import Cause, CausedFinding, CauseKind
from findable.checks.engine import Finding, by_cause, check, inapplicable, url_evidence
from findable.urls import origin_part
from findable.vocabulary import Effort, Importance, Verdict


@check("Is the number of filter combinations limited?", Importance.MEDIUM, Effort.SERVER, failed=60, warned=30)
def site_facets(traps: CrawlTraps) -> Finding:
    """Warns about paths with more than 1,000 combinations of parameters, which the crawl stopped requesting."""
    if not traps.requests_count:
        return inapplicable("no URL of the site was requested")
    return by_cause("No parameters combine without limit", [_cause(item) for item in traps.items if item.trap is TrapKind.FACETS])


def _cause(item: Trap) -> CausedFinding:
    start = item.pattern.partition("?")[0]
    path = start.removeprefix(origin_part(start)) or "/"
    return CausedFinding(
        Cause(CauseKind.FOLDER, item.pattern, "filters of {path}", {"path": path}),
        Verdict.WARNED,
        "{found_count} combinations of parameters found, {fetched_count} of them requested",
        item.fetched_count,
        tuple(url_evidence(url, None, "first linked from {page}", page=item.source) for url in item.urls),
        {"found_count": item.found_count, "fetched_count": item.fetched_count, "path": path},
        "Add “Disallow: {path}?*&” to robots.txt, which leaves single filters and disallows their combinations.",
    )
