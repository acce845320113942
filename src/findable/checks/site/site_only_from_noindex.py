"""Only noindex pages link to an indexable page.

In plain words: Google may lose a page, because only pages that do not appear in Google link to it.

Why it matters: Google follows the links of a noindex page for a while and stops as it visits the page less often. A page that only such
pages link to is then found only through the sitemap.

How to fix: Link to the page from an indexable page, or let the pages that link to it be indexed.

Sources: [Google: Block Search indexing with noindex](https://developers.google.com/search/docs/crawling-indexing/block-indexing) (2025): a
noindex page drops out of the results; that its links count for nothing in the long run was said by Google's John Mueller (2017).

Not judged: Pages that an indexable page links to as well, directly or by a redirect; crawls that ended early.
"""

from findable.capture.crawl import CrawlSummary
from findable.capture.site_reach import CrawledReach
from findable.checks.engine import EVIDENCE_SHOWN, Finding, by_cause, check, inapplicable, unknown, url_evidence
from findable.checks.site_causes import LINKS_UNREAD, page_cause
from findable.vocabulary import Effort, Importance, Stage, Verdict


@check(
    question="Do indexable pages link to all indexable pages?",
    importance=Importance.MEDIUM,
    effort=Effort.CONTENT,
    costs={Verdict.FAILED: 100, Verdict.WARNED: 50},
    status=Stage.PREVIEW,
)
def site_only_from_noindex(reach: CrawledReach, summary: CrawlSummary) -> Finding:
    """Warns about indexable pages whose followed links are all on non-indexable pages."""
    if reach.indexable_count < 2:  # noqa: PLR2004 - a link needs another page
        return inapplicable("The site has fewer than two indexable pages")
    if not summary.is_complete:
        return unknown("Not known: the crawl did not cover the whole site")
    if reach.hidden_sources and reach.unread_count:
        return unknown(LINKS_UNREAD, unread_count=reach.unread_count)
    message = "Only pages that are not indexable link to this page"
    causes = [
        page_cause(
            item.url,
            verdict=Verdict.WARNED,
            message=message,
            evidence=[
                url_evidence(url, None, "links to the page; {not_indexable}", not_indexable=reason)
                for url, reason in item.sources[:EVIDENCE_SHOWN]
            ],
        )
        for item in reach.hidden_sources
    ]
    return by_cause(
        "Only pages that are not indexable link to {found_count|indexable page|indexable pages}",
        causes,
        found_count=reach.hidden_sources_count,
    )
