"""Row of one crawled URL in lists and exports."""

from typing import Annotated

from msgspec import Meta, Struct

from findable.crawl.extractors import Extracted
from findable.vocabulary import PageKind


class PageRow(Struct, frozen=True):
    """Row of a crawled URL: its response, its content and its results."""

    n: int
    """Number of the page in this crawl."""
    url: str
    """Requested URL."""
    status: int
    """HTTP status; 0 without a response."""
    type: str
    """Media type of the response."""
    score: int | None
    """Score from 0 to 100; null for everything but HTML pages with status 200."""
    checks_asked: int
    """Number of checks with a verdict."""
    verdicts: dict[str, list[str]]
    """Ids of the failed and of the warned checks."""
    covered_by: dict[str, tuple[str, ...]]
    """Failed and warned checks that do not count here, with the site checks that cover them for all pages."""
    indexable: bool
    """Whether search engines may list the page."""
    reason: str | None
    """Reason why the page is not indexable; null for an indexable page."""
    depth: int | None
    """Clicks from the start page; null if no path of followed links leads here."""
    inlinks: int | None
    """Number of pages with a followed link to the page; null while the crawl is running, and in imported crawls."""
    link_score: int | None
    """Link score from 0 to 100, from the internal links of the site; null like ``inlinks``."""
    template: int
    """Number of the template; 0 for none."""
    segment: tuple[str, ...]
    """Names of the segments."""
    found_by: tuple[str, ...]
    """Ways in which the URL was found: start, link, sitemap …"""
    kind: PageKind
    """Kind of the page: article, product, list …"""
    words: int | None
    """Number of words of the main text; null in imported crawls."""
    title: str
    """Title, at most 500 characters."""
    description: str
    """Meta description, at most 500 characters."""
    h1: str
    """Main heading, at most 500 characters."""
    canonical: str
    """Declared canonical URL if it is another page."""
    location: str
    """Target of a redirect."""
    failure: str
    """Reason why there is no response: dns, timeout …"""
    wire_bytes: int | None
    """Bytes of the response as transferred; null in imported crawls."""
    first_byte_ms: float | None
    """Milliseconds from the request to the first byte; null in imported crawls."""
    extracted: dict[str, Extracted | None] = {}
    """Results of extractors by name; null if they are unknown because the response is not stored.

    Empty for everything but HTML pages with status 200.
    """
    data: Annotated[dict[str, float | str], Meta(title="UploadedNumbers")] = {}
    """Uploaded metrics and requests of bots by column, visible only to people of the account."""
