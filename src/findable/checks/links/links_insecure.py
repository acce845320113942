"""A page on https links to its own site over http.

In plain words: Visitors follow links on your site that are not encrypted at first.

Why it matters: Such a link costs a redirect, can be read and changed in transit, and uses a URL that is not canonical.

How to fix: Write the URL with https, or without scheme and host.

    <a href="/contact">Contact</a>

Sources: [Google: consolidate duplicate URLs](https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls)
(2025): link consistently, prefer HTTPS.

Not judged: Links to other hosts, which may have no https.
"""

from typing import Any

from findable.artifacts.page.links import Links
from findable.capture.response import Response
from findable.checks.engine import Finding, attribute_mark, check, inapplicable, passed, warned
from findable.checks.link_evidence import link_evidence
from findable.checks.page_fix import attribute_fix
from findable.urls import parse
from findable.vocabulary import EditPlace, Effort, Importance


@check("Do internal links keep to https?", Importance.LOW, Effort.CONTENT, place=EditPlace.LINKS, warned=5, mark=attribute_mark("href"))
def links_insecure(links: Links, response: Response) -> Finding:
    """Checks the scheme of links to this host."""
    if not response.final_url.startswith("https:"):
        return inapplicable("The page itself is not on https")
    if not links.internal:
        return inapplicable("The page links to no other page of this site")
    insecure = [link for link in links.internal if link.url.startswith("http:")]
    numbers: dict[str, Any] = {"insecure_count": len(insecure), "links_count": len(links.internal)}
    if insecure:
        return warned(
            "{insecure_count} of {links_count|internal link|internal links} over http",
            evidence=link_evidence(insecure),
            fixes=(attribute_fix(link.element, href=url) for link in insecure if (url := _secure_url(link.url, response.final_url))),
            **numbers,
        )
    return passed("{links_count|internal link|internal links}, none over http", **numbers)


def _secure_url(href: str, page_url: str) -> str:
    """Return the URL on the origin of the page, which may differ by "www."; empty for another port, of which https is not known."""
    url, page = parse(href), parse(page_url)
    if url is None or page is None or url.port_part:
        return ""
    return page.origin + url.path_and_query + (f"#{url.fragment}" if url.fragment else "")
