"""The page has no links at all, or more than a thousand.

Why it matters: a page without links is a dead end for readers and crawlers. Beyond that the number says little: search engines
name none, and the old advice of a hundred links is gone.

How to fix: link to what readers need next; split pages that list thousands.

    <nav><a href="/">Home</a> <a href="/shop/">Shop</a></nav>

Sources: Google, "Link best practices" (2025: no number); Google, "URL structure best practices" (2025).

Not judged: any number from 1 to 1,000. Whether paid links carry rel=sponsored cannot be seen from outside.
"""

from typing import Any

from findable.artifacts.html.document import Document
from findable.artifacts.page.links import Links
from findable.checks.engine import Finding, check, element, info, warned
from findable.vocabulary import Effort, Importance

MANY_COUNT = 1000
"""Ours; Google's "reasonable number" has no figure."""
TOP_HOSTS = 5


@check(question="How many links are on the page, and where do they lead?", importance=Importance.LOW, effort=Effort.CONTENT)
def in_page_links(links: Links, document: Document) -> Finding:
    """Counts; warns at the two ends only."""
    if not links.items:
        return warned("the page has no links: a dead end", evidence=element(document.body or document.html, "no link in here"))
    if links.count > MANY_COUNT:
        return warned(
            "the page has {links_count} links, more than anybody follows",
            links_count=links.count,
            evidence=[link.element for link in links.items[:MANY_COUNT]],
        )
    values: dict[str, Any] = {
        "internal_count": len(links.internal),
        "external_count": len(links.external),
        "unique_count": len({link.address for link in (*links.internal, *links.external)}),
        "nofollow_count": sum(1 for link in (*links.internal, *links.external) if link.nofollow),
        "hosts": [host for host, _ in links.hosts.most_common(TOP_HOSTS)],
    }
    template = "{internal_count} internal, {external_count} external, {unique_count|address|addresses}, {nofollow_count} not to be followed"
    return info(template + ("; most to {hosts}" if values["hosts"] else ""), **values)
