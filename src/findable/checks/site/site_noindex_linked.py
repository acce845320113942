"""A large share of the internal links leads to noindex pages.

In plain words: Many of your links lead to pages that do not appear in Google, and fewer help those that do.

Why it matters: Links pass on score. The score passed to pages outside search results is missing elsewhere.

How to fix: Link to indexable pages instead, or let these pages be indexed. Links to the cart, the account, the imprint or the privacy
policy are fine.

Sources: [Google: Block Search indexing with noindex](https://developers.google.com/search/docs/crawling-indexing/block-indexing) (2025).
The limit of 20 % of the internal links is set by this report.

Not judged: Pages for accounts, carts, legal notices, searches and the like, by their URL or link text: they are linked everywhere on
purpose.
"""

import re
from typing import Any

from findable.capture.site_graph import CrawledLinks, LinkTarget
from findable.capture.site_signals import CrawledNoindex
from findable.checks.engine import Finding, by_cause, check
from findable.checks.site_causes import block_causes
from findable.lazy_pattern import lazy_pattern
from findable.vocabulary import Effort, Importance, Stage, Verdict

WARN_SHARE = 0.2
"""Share of the internal links above which the check warns (set by Findable)."""
_SERVICE = lazy_pattern(
    r"imprint|impressum|legal|mentions|privacy|datenschutz|agb|terms|cookie|disclaimer|widerruf|cart|basket|warenkorb|checkout|kasse|wishlist"
    r"|merkzettel|account|konto|compte|login|log-in|signin|sign-in|anmeld|register|registrier|password|passwort|search|suche|contact|kontakt"
    r"|newsletter|feedback|print|drucken|rss|feed",
    re.IGNORECASE,
)
"""Words in URLs of pages that are deliberately noindex and linked (set by Findable)."""


@check(
    "Do internal links lead to indexable pages?",
    Importance.INFO,
    Effort.CONTENT,
    indexing_only=True,
    status=Stage.PREVIEW,
    loses_pages=True,
)
def site_noindex_linked(noindex: CrawledNoindex, links: CrawledLinks) -> Finding:
    """Warns if more than 20 % of the internal links lead to noindex pages; lists those with a high link score."""
    targets = [target for target in noindex.linked if not _is_service(target)]
    links_count = sum(target.inlinks_count for target in targets)
    numbers: dict[str, Any] = {"noindex_count": links_count, "links_count": links.links_count}
    are_many = links_count > WARN_SHARE * links.links_count
    shown = targets if are_many else [target for target in targets if target.url in noindex.prominent]
    causes = block_causes(
        shown,
        verdict=lambda _: Verdict.WARNED if are_many else Verdict.INFO,
        message="{targets_count|link leads to a noindex page|links lead to noindex pages}",
        joins_places=True,
    )
    return by_cause("{noindex_count} of {links_count|internal link leads|internal links lead} to noindex pages", causes, **numbers)


def _is_service(target: LinkTarget) -> bool:
    path = target.url.split("/", 3)[-1]
    return bool(_SERVICE.search(path)) or any(_SERVICE.search(source.anchor_text) for source in target.sources)
