"""Positions of the pages of a crawled site: how they are found, and what is known about the pages that they declare."""

from collections.abc import Mapping, Sequence
from functools import cache

from msgspec import Struct

from findable.capture.crawl import PageInCrawl, Reason
from findable.capture.status_classes import OK
from findable.crawl.found_by import FoundBy
from findable.crawl.link_graph import NOWHERE
from findable.crawl.record import UnsettledFinding

_LINKED = FoundBy.LINK | FoundBy.START


class Standing(Struct, frozen=True):
    """Facts in which pages without duplicates differ, apart from their texts and paths."""

    depth: int
    found_by: str
    is_linked: bool
    has_description: bool


class PlacedPage(Struct, frozen=True):
    """Page with its position in the crawl, and its verdicts so far."""

    number: int
    verdicts: bytes
    standing: Standing | None
    """Unknown for a page that shares a value with others."""


@cache
def found_by_name(ways: int) -> str:
    """Return the way in which a page was found, from its flags of `FoundBy`; a link takes precedence."""
    found = FoundBy(ways)
    return "link" if found & _LINKED else found.names[0] if found.names else "link"


def plain_page(standing: Standing, pages_count: int, *, is_complete: bool) -> PageInCrawl:
    """Return a page without texts and duplicates, whose path from the home page has the right length, but no URLs."""
    return PageInCrawl(
        url="",
        status=OK,
        title="",
        description="text" if standing.has_description else "",
        pages_count=pages_count,
        depth=standing.depth,
        found_by=standing.found_by,
        inlinks_count=int(standing.is_linked),
        path_from_home=("",) * (standing.depth + 1) if standing.depth != NOWHERE else (),
        is_complete=is_complete,
    )


# --- declared pages


class RelatedRecord(Struct, frozen=True):
    """Part of a record that a check of related pages reads."""

    title: str = ""
    canonical: str = ""
    noindex: bool = False
    alternates: tuple[tuple[str, str], ...] = ()
    faulty_alternates: tuple[tuple[str, str], ...] = ()
    sketch: bytes = b""
    verdicts: bytes = b""


class DeclaredUrl(Struct, frozen=True):
    """Crawled facts about a URL that a page declares as canonical or as a language version."""

    hops: tuple[tuple[str, int], ...]
    """(URL, status) from the declared URL to the end of its redirects."""
    end: RelatedRecord
    """Declarations of the final page."""
    is_known: bool
    """Whether all these URLs were requested and returned a response that does not depend on the visitor."""


class DeclaringPage(Struct, frozen=True):
    """Page that declares a canonical URL or language versions."""

    number: int
    url: str
    verdicts: bytes
    sketch: bytes = b""
    unsettled: UnsettledFinding | None = None
    score: int | None = None
    """Score of the page without the unsettled finding."""


class DeclaringPages(Struct, frozen=True):
    """Indexable pages that share a list of language versions."""

    record: RelatedRecord
    """Part of the record of one of the pages."""
    versions: Mapping[str, DeclaredUrl]
    """Crawled URLs by declared version."""
    pages: tuple[DeclaringPage, ...]


def declared_url(hops: Sequence[tuple[str, int | None]], end_reason: str | None, end: RelatedRecord) -> DeclaredUrl:
    """Return the facts about a URL from the (URL, status) of its redirects; the status of one that was not requested is None.

    Args:
        hops: as of `DeclaredUrl`.
        end_reason: reason why the final page is not indexable; empty if it is.
        end: declarations of the final page.
    """
    is_known = all(status for _, status in hops) and end_reason not in (Reason.FAILURE.value, Reason.CHALLENGE.value)
    return DeclaredUrl(tuple((url, status or 0) for url, status in hops), end, is_known)
