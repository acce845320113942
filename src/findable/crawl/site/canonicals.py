"""Canonical links of a crawled site, compared with their targets, with the texts of pages and with the origin of the site."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from findable.artifacts.page.main_sketch import UNLIKE_BELOW
from findable.capture.crawl import Group, Reason
from findable.capture.site_graph import LIST_LIMIT, CanonicalPair, CrawledCanonicals
from findable.capture.site_signals import VariantOrigin
from findable.capture.status_classes import REFUSALS
from findable.crawl.clusters import without_version
from findable.crawl.page_numbers import without_page_number
from findable.crawl.redirect_chains import chain_of
from findable.crawl.site.counted import Counted, CountedPages
from findable.formats.sketches import estimate
from findable.urls import origin_part, same_host


def faulty_canonicals(links: Iterable[CanonicalPair], home: str, pages_count: int) -> CrawledCanonicals:
    """Return the canonical links with problems; the kinds of problems are the names of the lists of `CrawledCanonicals`.

    Args:
        links: all canonical links to another page.
        home: URL of the start page.
        pages_count: number of pages with these links.
    """
    found: defaultdict[str, Counted[CanonicalPair]] = defaultdict(lambda: Counted(LIST_LIMIT))
    for pair in links:
        for kind in canonical_faults(pair, home):
            found[kind].add(pair)
    lists = {kind: tuple(sorted(pairs.first, key=lambda pair: pair.url)) for kind, pairs in found.items()}
    return replace(CrawledCanonicals(pages_count), **lists, **{f"{kind}_count": pairs.count for kind, pairs in found.items()})


def canonical_faults(pair: CanonicalPair, home: str) -> Iterator[str]:
    """Yield the kinds of problems of a canonical link."""
    if is_origin_variant(origin_part(pair.url), origin_part(pair.target)):
        return  # a wrong origin in all canonical links, which CanonicalSignals reports
    if pair.target == home:
        yield "to_home"
    if not pair.target_known or pair.target_status in REFUSALS or pair.target_reason == Reason.CHALLENGE.value:
        return
    if pair.target_canonical:
        yield "chains"
    elif pair.target_reason:
        yield "not_indexable"


def is_origin_variant(origin: str, other: str) -> bool:
    """Return whether two origins differ only by scheme or ``www.``."""
    return origin != other and same_host(origin, other)


def other_site(targets: Iterable[str], start_url: str) -> str:
    """Return the origin of the one other site that pages declare as canonical; empty for none, or several."""
    found: set[str] = set()
    for url in targets:
        found.add(origin_part(url))
        if len(found) > 1 or same_host(url, start_url):
            return ""
    return next(iter(found), "")


# --- texts


class Topic(Struct, frozen=True):
    """Part of a record that shows what a page is about."""

    title: str = ""
    declares_canonical: bool = False
    sketch: bytes = b""


class CanonicalLink(Struct, frozen=True):
    """Canonical link from one page to another, with the records of both as stored."""

    page: int
    target: int
    url: str
    target_url: str
    record: bytes
    target_record: bytes


def pages_with_parameters(pages: Iterable[tuple[str, bytes]], read: Callable[[bytes], Topic]) -> tuple[int, Group | None]:
    """Return the number of pages with parameters, and those without a canonical link. Later pages of lists do not count.

    Args:
        pages: URL and stored record of each indexable page with parameters.
        read: returns the topic in a record.
    """
    count, without = 0, CountedPages()
    for url, record in pages:
        if without_page_number(url) == url:
            count += 1
            if not read(record).declares_canonical:
                without.add(url)
    return count, without.as_group("without_canonical")


def unlike_pages(links: Iterable[CanonicalLink], read: Callable[[bytes], Topic]) -> Counted[tuple[int, int, float]]:
    """Return the canonical links, as ids of page and target, to a page with different content, with the similarity of the texts.

    Args:
        links: canonical links to indexable pages, without those to the start page, which another root reports.
        read: returns the topic in a record.
    """
    unlike = Counted[tuple[int, int, float]](LIST_LIMIT)
    for link in links:
        if not is_choice(link.url, link.target_url):
            one, other = read(link.record), read(link.target_record)
            if one.sketch and other.sketch and one.title != other.title:
                similarity = estimate(one.sketch, other.sketch)
                if similarity < UNLIKE_BELOW:
                    unlike.add((link.page, link.target, round(similarity, 2)))
    return unlike


def is_choice(url: str, target: str) -> bool:
    """Return whether a page rightly declares one with another text: it is a variant of it, a page of its list or an older version."""
    return (
        url.partition("?")[0] == target.partition("?")[0]
        or without_page_number(url) == without_page_number(target)
        or without_version(url) == without_version(target)
    )


def diverging_ends(pages: Iterable[tuple[int, int]], canonicals: Mapping[int, int], url_of: Callable[[int], str]) -> dict[int, int]:
    """Return the different ends of the canonical links of pages with one text, each with the first page that leads there.

    Empty if there is one end, or if all are one page in several versions.

    Args:
        pages: ids of each page and of the one that it declares.
        canonicals: id of the declared page of each page that declares another one.
        url_of: returns the URL of an id.
    """
    first: dict[int, int] = {}
    for page, target in pages:
        first.setdefault(chain_of(target, canonicals.get)[0][-1], page)
    return first if len({without_version(url_of(end)) for end in first}) > 1 else {}


# --- origins


def variant_origins(declared: Iterable[tuple[str, str]], site_origin: str, *, is_hreflang: bool) -> Iterator[VariantOrigin]:
    """Yield the origins in declared URLs that differ from the site's only by scheme or ``www.``; ``declared``: (page, URL)."""
    pairs: defaultdict[str, Counted[tuple[str, str]]] = defaultdict(Counted)
    for page, url in declared:
        origin = origin_part(url)
        if origin_part(page) == site_origin and is_origin_variant(origin, site_origin):
            pairs[origin].add((page, url))
    for origin, found in sorted(pairs.items()):
        yield VariantOrigin(origin, is_hreflang, tuple(found.first), found.count)
