"""The page has no links at all, or more than a thousand.

In plain words: Visitors and Google do not get further from this page, because it has no links or far too many.

Why it matters: A page without links is a dead end for readers and crawlers. Beyond that, the number matters little: search engines have no
limit, and the old advice of a hundred links no longer exists.

How to fix: Link to what readers need next; split pages that list thousands.

    <nav><a href="/">Home</a> <a href="/shop/">Shop</a></nav>

Sources: [Google: make links crawlable](https://developers.google.com/search/docs/crawling-indexing/links-crawlable) (2025): no number;
[Google: URL structure](https://developers.google.com/search/docs/crawling-indexing/url-structure) (2025).

Not judged: Any number from 1 to 1,000. Whether paid links have rel=sponsored, which cannot be detected.
"""

import re
from typing import Any

from findable.artifacts.html.document import Document
from findable.artifacts.page.links import Links
from findable.checks.engine import Finding, check, element, info, warned
from findable.checks.link_evidence import link_evidence
from findable.vocabulary import Effort, Importance, Verdict

MANY_COUNT = 1000
"""Number of links above which the check warns (set by Findable; Google's "reasonable number" has no figure)."""
DEAD_END_ADVICE = "Link to what readers need next: the home page, the part that this page belongs to, related pages."
MANY_ADVICE = "Show the links that readers use, and move the rest to separate pages."
TOP_HOSTS = 5
_TRACKING = re.compile(r"[?&](?:utm_(?:source|medium|campaign|term|content|id)|mc_[ce]id|gclid|fbclid|msclkid|dclid|yclid)=", re.IGNORECASE)
"""Campaign parameters: Google Analytics, Mailchimp and the click ids of advertising networks."""
PLAIN = "{internal_count} internal links, {external_count} external, {unique_count|URL|URLs}, {nofollow_count} with nofollow"
HOSTS = PLAIN + "; most to {hosts}"
TRACKED = PLAIN + "; {tracked_count|internal link|internal links} with tracking parameters"
TRACKED_HOSTS = HOSTS + "; {tracked_count|internal link|internal links} with tracking parameters"


@check(
    question="How many links are on the page, and where do they lead?",
    importance=Importance.LOW,
    effort=Effort.CONTENT,
    costs={Verdict.FAILED: 40, Verdict.WARNED: 30},
)
def in_page_links(links: Links, document: Document) -> Finding:
    """Counts the links; warns for none and for very many."""
    if not links.items:
        return warned(
            "The page has no links: readers and crawlers cannot continue from it",
            evidence=element(document.body or document.html, "no link in here"),
            advice=DEAD_END_ADVICE,
        )
    jumps_count = sum(1 for link in links.items if link.same_page)
    if links.count - jumps_count > MANY_COUNT:
        return warned(
            "The page has {links_count} links, too many to follow",
            links_count=links.count - jumps_count,
            evidence=[link.element for link in links.items if not link.same_page][:MANY_COUNT],
            advice=MANY_ADVICE,
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
