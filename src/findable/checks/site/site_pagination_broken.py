"""Pages of a list declare the first one as canonical, or are not linked.

In plain words: Google may miss products or articles that are on the second and later pages of a list.

Why it matters: Search engines drop a page with another canonical URL, and with it the links to the listed pages. A page of a list that no
other page links to is not found at all.

How to fix: Let each page of the list declare itself as canonical, and link from each page to the next.

Sources: [Google: pagination best
practices](https://developers.google.com/search/docs/specialty/ecommerce/pagination-and-incremental-page-loading) (2025): do not use the
first page of a paginated sequence as the canonical page.

Not judged: Further pages without unique entries, such as those of reviews; missing numbers if the crawl ended early.
"""

from collections import defaultdict
from collections.abc import Iterable

from findable.capture.crawl import CrawlSummary
from findable.capture.site_urls import CrawledPaginations, Pagination
from findable.checks.causes import Cause, CausedFinding, CauseKind
from findable.checks.engine import EVIDENCE_SHOWN, Finding, by_cause, check, unknown, url_evidence
from findable.vocabulary import Effort, Importance, Verdict


@check("Can all pages of lists be found?", Importance.MEDIUM, Effort.HEAD, failed=150, warned=75)
def site_pagination_broken(paginations: CrawledPaginations, summary: CrawlSummary) -> Finding:
    """Checks paginated lists, grouped by template; unlinked pages are reported per list."""
    causes = _canonical_causes(paginations.items)
    if summary.is_complete:
        causes += [_missing_cause(item) for item in paginations.items if item.missing]
    elif not causes:
        return unknown("not known: the crawl did not cover the whole site")
    return by_cause("{series_count|list|lists} on several pages", causes, series_count=paginations.series_count)


def _canonical_causes(items: Iterable[Pagination]) -> list[CausedFinding]:
    by_template: defaultdict[int, list[Pagination]] = defaultdict(list)
    for item in items:
        if item.canonical_to_first_count:
            by_template[item.template].append(item)
    found = []
    for lists in by_template.values():
        first = min(item.url for item in lists)
        count = sum(item.canonical_to_first_count for item in lists)
        evidence = [
            url_evidence(url, None, "canonical URL: {target}", target=item.url) for item in lists for url in item.canonical_to_first
        ]
        found.append(
            CausedFinding(
                Cause(CauseKind.TEMPLATE, first, "lists like {url}", {"url": first}),
                Verdict.WARNED,
                "{pages_count|further page of a list declares|further pages of lists declare} the first page as canonical",
                count,
                tuple(evidence[:EVIDENCE_SHOWN]),
                {"pages_count": count, "page": lists[0].canonical_to_first[0]},
                "Let {page} and its like declare themselves as canonical.",
            )
        )
    return sorted(found, key=lambda cause: (-cause.pages_count, cause.cause.key))


def _missing_cause(item: Pagination) -> CausedFinding:
    return CausedFinding(
        Cause(CauseKind.GROUP, item.url, "pages of {url}", {"url": item.url}),
        Verdict.WARNED,
        "No link leads to page {numbers} of this list, which has page {last_number}",
        len(item.missing),
        (url_evidence(item.url),),
        {"numbers": item.missing, "last_number": item.last_number},
    )
