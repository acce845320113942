"""Many pages link to URLs that robots.txt disallows.

In plain words: Google cannot read pages that many of your links lead to, because your rules forbid it.

Why it matters: Google may show a URL that it may not crawl, without a description, if links lead there. A page that should be found is then
lost; for a cart or a filter this is fine.

How to fix: Allow pages in robots.txt that should be found. Leave carts, filters and actions disallowed.

Sources: [Google: Introduction to robots.txt](https://developers.google.com/search/docs/crawling-indexing/robots/intro) (2025): a disallowed
URL may still be indexed if other pages link to it.

Not judged: Targets that up to 10 % of the pages link to; whether the target should be open.
"""

from findable.capture.site_graph import CrawledLinks
from findable.checks.engine import Finding, by_cause, check
from findable.checks.site_causes import block_causes
from findable.vocabulary import Effort, Importance, Stage, Verdict

MANY_SHARE = 0.1
"""Share of the pages with a link to a target from which the target is reported (set by Findable)."""


@check(
    "Which linked URLs does robots.txt disallow?",
    Importance.INFO,
    Effort.SERVER,
    indexing_only=True,
    status=Stage.PREVIEW,
    loses_pages=True,
)
def site_robots_linked(links: CrawledLinks) -> Finding:
    """Reports disallowed URLs that more than 10 % of the pages link to, grouped by block."""
    targets = [target for target in links.disallowed if target.inlinks_count > MANY_SHARE * links.pages_count]
    causes = block_causes(
        targets, verdict=lambda _: Verdict.INFO, message="{targets_count|link is|links are} disallowed by robots.txt", joins_places=True
    )
    return by_cause("robots.txt disallows {found_count|linked URL|linked URLs}", causes, found_count=links.disallowed_count)
