"""Internal links of a crawled site: which problems a linked URL has."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator

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


def faulty_links(links: Iterable[LinkedUrl], start_url: str, target: Callable[[int], LinkTarget], **counts: int) -> CrawledLinks:
    """Return the linked URLs with problems; the kinds of problems are the names of the lists of `CrawledLinks`.

    Args:
        links: linked URLs, those that the most pages link to first.
        start_url: URL of the start page.
        target: returns a linked URL by its id.
        counts: ``pages_count`` and ``links_count`` of `CrawledLinks`.
    """
    found: defaultdict[str, Counted[int]] = defaultdict(lambda: Counted(LIST_LIMIT))
    links_counts: Counter[str] = Counter()
    for link in links:
        for kind in link_faults(link, start_url):
            found[kind].add(link.number)
            links_counts[kind] += link.linked_from
    counts |= {f"{kind}_links_count": links_counts[kind] for kind in ("broken", "redirected", "canonicalised")}
    counts |= {f"{kind}_count": urls.count for kind, urls in found.items()}
    return replace(CrawledLinks(0, 0), **counts, **{kind: tuple(map(target, urls.first)) for kind, urls in found.items()})


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
