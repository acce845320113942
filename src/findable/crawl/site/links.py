"""Internal links of a crawled site: which problems a linked URL has."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from findable.capture.crawl import Reason, Refusal
from findable.capture.site_graph import LIST_LIMIT, CrawledLinks, LinkTarget
from findable.capture.status_classes import ERRORS, OK, REFUSALS, SERVER_ERRORS
from findable.crawl.clusters import without_version
from findable.crawl.page_numbers import without_page_number
from findable.crawl.site.counted import Counted
from findable.urls import has_tracking, origin_part


class LinkedUrl(Struct, frozen=True):
    """URL of the site that pages link to. Values of its response are None if it was not requested."""

    number: int
    url: str
    refusal: str
    status: int | None
    failure: str | None
    reason: str | None
    location: int | None
    """Id of the target of a redirect; 0 for none."""
    linked_from: int
    """Number of pages that link to it."""
    canonical_url: str | None
    """Another URL that it declares as canonical; None for none."""


class FaultyLinks:
    """Collects linked URLs by kind of problem, which is the name of a list of `CrawledLinks`.

    Args:
        start_url: URL of the start page.
    """

    def __init__(self, start_url: str) -> None:
        self._start_url = start_url
        self._found: defaultdict[str, Counted[int]] = defaultdict(lambda: Counted(LIST_LIMIT))
        self._links_counts: Counter[str] = Counter()

    def add(self, link: LinkedUrl) -> None:
        """Add a linked URL. Those that the most pages link to come first."""
        for kind in link_faults(link, self._start_url):
            self._found[kind].add(link.number)
            self._links_counts[kind] += link.linked_from

    def as_root(self, pages_count: int, links_count: int, target: Callable[[int], LinkTarget]) -> CrawledLinks:
        """Return the linked URLs with problems; ``target`` returns one by its id."""
        links = CrawledLinks(
            pages_count,
            links_count,
            broken_links_count=self._links_counts["broken"],
            redirected_links_count=self._links_counts["redirected"],
            canonicalised_links_count=self._links_counts["canonicalised"],
        )
        targets = {kind: tuple(map(target, found.first)) for kind, found in self._found.items()}
        return replace(links, **targets, **{f"{kind}_count": found.count for kind, found in self._found.items()})


def link_faults(link: LinkedUrl, start_url: str) -> Iterator[str]:
    """Yield the kinds of problems of a linked URL."""
    if link.refusal == Refusal.ROBOTS.value:
        yield "disallowed"
    if start_url.startswith("https:") and link.url.startswith("http:"):
        yield "plain_http"
    if has_tracking(link.url):
        yield "tracking"
    if link.status is None:
        return
    if link.failure:
        yield "unreachable"
    elif link.status >= SERVER_ERRORS:
        yield "server_errors"
    elif link.status >= ERRORS:
        if link.status not in REFUSALS:
            yield "broken"
    elif link.location or link.reason == Reason.REDIRECT.value:
        if link.status != OK:  # A refresh is a finding about the page that has it, not about each link to it.
            yield "redirected"
    elif link.reason == Reason.CANONICAL.value and is_duplicate(link.url, link.canonical_url or "", start_url):
        yield "canonicalised"


def is_duplicate(url: str, canonical_url: str, start_url: str) -> bool:
    """Return whether a link should lead to the canonical URL.

    Sort orders, filters, variants of a product, pages of a list and older versions are linked on purpose, and a copy of a site links to
    itself. If a page declares the start page as canonical, the canonical URL is wrong.
    """
    is_of_start = canonical_url != start_url or _folder(url) == _folder(start_url)
    is_choice = url.partition("?")[0] == canonical_url or without_page_number(url).rstrip("/") == canonical_url.rstrip("/")
    is_copy = origin_part(url) != origin_part(canonical_url)
    return is_of_start and not is_choice and not is_copy and without_version(url) != without_version(canonical_url)


def _folder(url: str) -> str:
    return url.partition("?")[0].rpartition("/")[0]
