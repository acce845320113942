"""Only nofollow links lead to a page that is indexable.

In plain words: Google may not find a page, because all links to it tell Google not to follow them.

Why it matters: Google treats nofollow as a hint not to follow a link. A page without other links may not be found.

How to fix: Remove ``nofollow`` from links to pages that should be found; keep it for user-generated links.

Sources: [Google: Qualify your outbound links](https://developers.google.com/search/docs/crawling-indexing/qualify-outbound-links) (2025):
nofollow, sponsored and ugc are hints.

Not judged: Pages that are not indexable, as sign-in, cart and filters usually are; crawls that ended early.
"""

from findable.capture.crawl import CrawlSummary
from findable.capture.site_graph import CrawledLinks
from findable.checks.engine import Finding, by_cause, check, unknown
from findable.checks.site_causes import block_causes
from findable.vocabulary import Effort, Importance, Stage, Verdict


@check(
    question="Does a followed link lead to each page?",
    importance=Importance.INFO,
    effort=Effort.CONTENT,
    status=Stage.PREVIEW,
)
def site_nofollow_only(links: CrawledLinks, summary: CrawlSummary) -> Finding:
    """Reports indexable pages with only nofollow links, grouped by block."""
    if not summary.is_complete:
        return unknown("not known: the crawl did not cover the whole site")
    causes = block_causes(
        links.nofollow_only,
        verdict=lambda _: Verdict.INFO,
        message="{targets_count|indexable page is|indexable pages are} linked with nofollow only",
        joins_places=True,
    )
    return by_cause(
        "Only nofollow links lead to {found_count|indexable page|indexable pages}", causes, found_count=links.nofollow_only_count
    )
