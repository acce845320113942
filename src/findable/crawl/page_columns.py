"""Row of one crawled URL in lists and exports."""

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta, Struct

from findable.capture.crawl import Reason
from findable.crawl.column_declaration import listed, listed_in
from findable.crawl.extractors import Extracted
from findable.vocabulary import PageKind
from findable.wording import later

REASON_WORDS: Mapping[str, str] = {
    Reason.STATUS: later("status"),
    Reason.REDIRECT: later("redirect"),
    Reason.FAILURE: later("not loaded"),
    Reason.NOT_HTML: later("not HTML"),
    Reason.BLANK: later("empty"),
    Reason.CHALLENGE: later("bot challenge or login page"),
    Reason.COOKIE: later("only with a cookie"),
    Reason.NOINDEX: later("noindex"),
    Reason.CANONICAL: later("canonical elsewhere"),
    Reason.ROBOTS: later("disallowed by robots.txt"),
    Reason.IMPORTED: later("not indexable"),
}
FOUND_BY_WORDS: Mapping[str, str] = {
    "start": later("start page"),
    "link": later("link"),
    "nofollow_link": later("nofollow link"),
    "sitemap": later("sitemap"),
    "canonical": later("canonical link"),
    "hreflang": later("hreflang"),
    "redirect": later("redirect"),
    "list": later("list"),
    "earlier": later("earlier crawl"),
    "upload": later("uploaded URL"),
}


class PageRow(Struct, frozen=True):
    """Row of a crawled URL: its response, its content and its results."""

    n: int
    """Number of the page in this crawl."""
    url: Annotated[str, listed(later("Page"), can_sort=True)]
    """Requested URL."""
    status: Annotated[int, listed(later("Status"), can_sort=True, is_usual=True)]
    """HTTP status; 0 without a response."""
    type: Annotated[str, listed(later("Media type"))]
    """Media type of the response."""
    score: Annotated[int | None, listed(later("Score in this crawl"), can_sort=True, is_usual=True)]
    """Score from 0 to 100; null for everything but HTML pages with status 200."""
    checks_asked: int
    """Number of checks with a verdict."""
    verdicts: Annotated[dict[str, list[str]], listed(later("Findings"), name="problems", is_usual=True)]
    """Ids of the failed and of the warned checks."""
    covered_by: dict[str, tuple[str, ...]]
    """Failed and warned checks that do not count here, with the site checks that cover them for all pages."""
    indexable: bool
    """Whether search engines may list the page."""
    reason: str | None
    """Reason why the page is not indexable; null for an indexable page."""
    depth: Annotated[int | None, listed(later("Depth"), can_sort=True, is_usual=True, is_of_end=True)]
    """Clicks from the start page; null if no path of followed links leads here."""
    inlinks: Annotated[int | None, listed(later("Inlinks"), can_sort=True, descends=True, is_usual=True, is_of_end=True)]
    """Number of pages with a followed link to the page; null while the crawl is running, and in imported crawls."""
    content_inlinks: Annotated[int | None, listed(later("Inlinks from content"), can_sort=True, descends=True, is_of_end=True)]
    """Number of pages with a followed link in their main content; null like ``inlinks``, and if no page declares its main content."""
    link_score: Annotated[int | None, listed(later("Link score"), can_sort=True, descends=True, is_of_end=True)]
    """Link score from 0 to 100, from the internal links of the site; null like ``inlinks``."""
    template: int
    """Number of the template; 0 for none."""
    segment: Annotated[tuple[str, ...], listed(later("Segment"))]
    """Names of the segments."""
    found_by: Annotated[tuple[str, ...], listed(later("Found by"), words=FOUND_BY_WORDS)]
    """Ways in which the URL was found: start, link, sitemap …"""
    kind: PageKind
    """Kind of the page: article, product, list …"""
    words: Annotated[int | None, listed(later("Words"), unit="count", can_sort=True, is_usual=True)]
    """Number of words of the main text; null in imported crawls."""
    title: str
    """Title, at most 500 characters."""
    description: Annotated[str, listed(later("Description"))]
    """Meta description, at most 500 characters."""
    h1: Annotated[str, listed(later("Main heading"))]
    """Main heading, at most 500 characters."""
    canonical: Annotated[str, listed(later("Canonical URL"))]
    """Declared canonical URL if it is another page."""
    location: Annotated[str, listed(later("Redirects to"), unit="url")]
    """Target of a redirect."""
    failure: str
    """Reason why there is no response: dns, timeout …"""
    wire_bytes: Annotated[int | None, listed(later("Transferred"), name="size", unit="bytes")]
    """Bytes of the response as transferred; null in imported crawls."""
    size_bytes: Annotated[int | None, listed(later("Uncompressed"), unit="bytes")]
    """Bytes of the response after decompression; null in imported crawls."""
    lang: Annotated[str, listed(later("Language"))]
    """Declared language of the page, in lower case."""
    first_byte_ms: Annotated[
        float | None, listed(later("First byte"), name="ttfb_ms", unit="ms", can_sort=True, descends=True, is_usual=True)
    ]
    """Milliseconds from the request to the first byte; null in imported crawls."""
    requested_at: Annotated[str | None, listed(later("Last requested"), can_sort=True, descends=True)] = None
    """Time of the last request, RFC 3339 UTC. In a rolling crawl older than the crawl for pages that it carried over; null in imported
    crawls.
    """
    extracted: dict[str, Extracted | None] = {}
    """Results of extractors by name; null if they are unknown because the response is not stored.

    Empty for everything but HTML pages with status 200.
    """
    data: Annotated[dict[str, float | str], Meta(title="UploadedNumbers")] = {}
    """Uploaded metrics and requests of bots by column, visible only to people of the account."""


COLUMNS = listed_in(PageRow)
"""Columns of lists of pages, by their names there."""
