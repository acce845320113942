"""The page has no links at all.

In plain words: Visitors and Google do not get further from this page, because it has no links.

Why it matters: A page without links is a dead end for readers and crawlers. Beyond that, the number matters little: search engines
document no limit, and the old advice of a hundred links no longer exists.

How to fix: Link to what readers need next.

    <nav><a href="/">Home</a> <a href="/shop/">Shop</a></nav>

Sources: [Google: make links crawlable](https://developers.google.com/search/docs/crawling-indexing/links-crawlable) (2025): no number;
[Google: URL structure](https://developers.google.com/search/docs/crawling-indexing/url-structure) (2025).

Not judged: Any number above zero. Whether paid links have rel=sponsored, which cannot be detected.
"""

import re
from typing import Any

from findable.artifacts.html.document import Document
from findable.artifacts.page.links import Links
from findable.checks.engine import Finding, check, element, info, warned
from findable.checks.link_evidence import link_evidence
from findable.lazy_pattern import lazy_pattern
from findable.vocabulary import Effort, Importance

DEAD_END_ADVICE = "Link to what readers need next: the home page, the part that this page belongs to, related pages."
TOP_HOSTS = 5
_TRACKING = lazy_pattern(
    r"[?&](?:utm_(?:source|medium|campaign|term|content|id)|mc_[ce]id|gclid|fbclid|msclkid|dclid|yclid)=", re.IGNORECASE
)
"""Campaign parameters: Google Analytics, Mailchimp and the click ids of advertising networks."""
PLAIN = "{internal_count} internal links, {external_count} external, {unique_count|URL|URLs}, {nofollow_count} with nofollow"
HOSTS = PLAIN + "; most to {hosts}"
TRACKED = PLAIN + "; {tracked_count|internal link|internal links} with tracking parameters"
TRACKED_HOSTS = HOSTS + "; {tracked_count|internal link|internal links} with tracking parameters"


@check("How many links are on the page, and where do they lead?", Importance.LOW, Effort.CONTENT, failed=40, warned=30)
def in_page_links(links: Links, document: Document) -> Finding:
    """Counts the links; warns for none."""
    if not links.items:
        return warned(
            "The page has no links: readers and crawlers cannot continue from it",
            evidence=element(document.body or document.html, "no link in here"),
            advice=DEAD_END_ADVICE,
        )
    values: dict[str, Any] = {
        "internal_count": len(links.internal),
        "external_count": len(links.external),
        "unique_count": len({link.address for link in (*links.internal, *links.external)}),
        "nofollow_count": sum(1 for link in (*links.internal, *links.external) if link.nofollow),
        "hosts": [host for host, _ in links.hosts.most_common(TOP_HOSTS)],
    }
    tracked = [link for link in links.internal if _TRACKING.search(link.url.partition("#")[0])]
    message = HOSTS if values["hosts"] else PLAIN
    if not tracked:
        return info(message, **values)
    return info(
        TRACKED_HOSTS if values["hosts"] else TRACKED,
        tracked_count=len(tracked),
        evidence=link_evidence(
            tracked, "a tracking parameter on an internal link: a second URL for the same page, and a new source in web analytics"
        ),
        **values,
    )
