"""URLs that a crawl requests of those that it finds: which links it follows, and why it refuses the others."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from findable.capture.crawl import Refusal
from findable.crawl.found_by import FoundBy
from findable.crawl.record import ReadPage
from findable.crawl.settings import CrawlSettings
from findable.crawl.traps import is_growing
from findable.crawl.visits import Visit

USER_LISTED = FoundBy.START | FoundBy.LIST
"""How URLs were found that no rule refuses."""


class Candidate(Struct, frozen=True):
    """URL found by the crawl, to be added to the frontier."""

    url: str
    found_by: FoundBy
    depth: int
    source: int = 0
    """Id of the page that links to the URL; 0 for none."""

    @property
    def is_user_listed(self) -> bool:
        """Whether a user listed the URL, so that no rule refuses it."""
        return bool(int(self.found_by) & int(USER_LISTED))


def candidates_of(visit: Visit, page: ReadPage, url_numbers: Mapping[int, tuple[int, int]], *, follow: bool) -> Iterator[Candidate]:
    """Yield the URLs that a page links to, except those of blocks already known at this depth.

    ``url_numbers``: ids and depths of stored blocks by key. Refreshes and language versions are found only with ``follow``.
    """
    number, depth, record = visit.waiting.number, visit.waiting.depth, page.record
    if record.location:
        yield Candidate(record.location, FoundBy.REDIRECT, depth, number)
    if record.refresh and follow:
        yield Candidate(record.refresh, FoundBy.REDIRECT, depth + 1, number)
    for block in page.blocks:
        if block.key in url_numbers and url_numbers[block.key][1] <= depth:
            continue
        for link in block.links:
            yield Candidate(link.url, FoundBy.NOFOLLOW_LINK if link.nofollow else FoundBy.LINK, depth + 1, number)
    if record.canonical:
        yield Candidate(record.canonical, FoundBy.CANONICAL, depth + 1, number)
    for _, url in record.alternates if follow else ():
        yield Candidate(url, FoundBy.HREFLANG, depth + 1, number)


def refusal_of(candidate: Candidate, settings: CrawlSettings) -> Refusal | None:
    """Return why the crawl does not request a URL; None if it does, unless its series proves to be endless."""
    if candidate.is_user_listed:
        return None
    refusal = settings.refusal_of(candidate.url)
    if refusal is not None:
        return refusal
    if not settings.follows_links and not candidate.found_by & FoundBy.REDIRECT:
        return Refusal.SCOPE
    if is_growing(candidate.url):
        return Refusal.TRAP
    return Refusal.DEPTH if settings.depth is not None and candidate.depth > settings.depth else None
