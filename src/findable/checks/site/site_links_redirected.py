"""Internal links lead to URLs that redirect.

In plain words: Visitors wait a little longer, because links lead to old web addresses that forward to the new ones.

Why it matters: Every redirect costs visitors a round trip and crawlers a request.

How to fix: Link to the URL at the end of the redirect. A link in a menu or footer is changed once, for all pages that show it.

Sources: [Google: redirects](https://developers.google.com/search/docs/crawling-indexing/301-redirects) (2025); [Google: consolidate
duplicate URLs](https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls) (2025): link consistently to the
canonical URL.

Not judged: Redirects of the start page, which often choose a language; redirects to other hosts; chains and loops (see
site-redirect-chains and site-redirect-loops); redirects by a refresh.
"""

from typing import Any

from findable.capture.crawl import CrawlSummary
from findable.capture.site_graph import CrawledLinks, LinkTarget
from findable.checks.engine import Finding, by_cause, check
from findable.checks.site_causes import block_causes
from findable.urls import same_host
from findable.vocabulary import EditPlace, Effort, Fixer, Importance, Stage, Verdict


@check(
    "Do internal links go straight to their target?",
    Importance.LOW,
    Effort.CONTENT,
    place=EditPlace.LINKS,
    fixer=Fixer.EDITOR,
    status=Stage.PREVIEW,
)
def site_links_redirected(links: CrawledLinks, summary: CrawlSummary) -> Finding:
    """Warns about links to URLs that redirect, grouped by block."""
    targets = [target for target in links.redirected if target.url != summary.start_url and _is_plain(target)]
    causes = block_causes(
        targets,
        verdict=lambda _: Verdict.WARNED,
        message="{targets_count|link redirects|links redirect}",
        message_one="{found_count|page links|pages link} to {target}, which redirects",
        note="“{anchor_text}” in {selector} links to {target}, which redirects to {end_url}",
        joins_places=True,
    )
    numbers: dict[str, Any] = {"redirected_count": links.redirected_links_count, "links_count": links.links_count}
    return by_cause("{redirected_count} of {links_count|internal link redirects|internal links redirect}", causes, sums_up=True, **numbers)


def _is_plain(target: LinkTarget) -> bool:
    """Return whether a link target is a single redirect to another URL of the host."""
    return target.hops_count <= 1 and target.end_url != target.url and same_host(target.url, target.end_url or target.url)
