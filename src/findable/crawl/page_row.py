"""Row of one crawled URL in lists and exports."""

from typing import Annotated

from msgspec import Meta, Struct

from findable.crawl.extractors import Extracted
from findable.vocabulary import PageKind


class PageRow(Struct, frozen=True):
    """Row of a crawled URL: its response, its content and its results."""

    n: int
    url: str
    status: int
    type: str
    score: int | None
    checks_asked: int
    verdicts: dict[str, list[str]]
    covered_by: dict[str, tuple[str, ...]]
    """Failed and warned checks that do not count here, with the site checks that cover them for all pages."""
    indexable: bool
    reason: str | None
    depth: int | None
    """Clicks from the start page; null if no path of followed links leads here."""
    inlinks: int
    link_score: int
    template: int
    segment: tuple[str, ...]
    found_by: tuple[str, ...]
    kind: PageKind
    words: int
    title: str
    description: str
    h1: str
    canonical: str
    location: str
    failure: str
    wire_bytes: int
    first_byte_ms: float
    extracted: dict[str, Extracted | None] = {}
    """Results of extractors by name; null if they are unknown because the response is not stored.

    Empty for everything but HTML pages with status 200.
    """
    data: Annotated[dict[str, float], Meta(title="UploadedNumbers")] = {}
    """Uploaded metrics by column, visible only to people of the account."""
