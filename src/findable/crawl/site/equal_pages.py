"""Indexable pages of a crawled site that share a title, a description or a text, as far as they are duplicates of each other."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice

from msgspec import Struct

from findable.capture.site_graph import URL_LIMIT
from findable.crawl.clusters import MAX_LANGUAGES, cluster_keys, without_version
from findable.crawl.page_numbers import without_page_number
from findable.formats.sketches import similarity

COMPARED_PAGES = 50
"""Size of a group of near duplicates up to which each page is compared with the first others; in larger groups, with two others."""


class EqualPages(Struct, frozen=True):
    """Indexable pages with the same value."""

    numbers: tuple[int, ...]
    urls: tuple[str, ...]
    """URLs in alphabetical order."""
    keys: tuple[str, ...]
    """Keys of `cluster_keys`: pages with the same key are no duplicates of each other."""
    counts: Mapping[str, int]

    def others(self, place: int, limit: int = URL_LIMIT) -> list[int]:
        """Return the positions of the first pages with the same value as the page at this position."""
        own = self.keys[place]
        return list(islice((other for other, key in enumerate(self.keys) if key != own), limit))

    def others_count(self, place: int) -> int:
        """Return the number of other pages with the same value."""
        return len(self.keys) - self.counts[self.keys[place]]


Places = Mapping[int, tuple[EqualPages, int]]
"""Groups of pages, and the position of the page in its group, by page number."""
Pages = Sequence[tuple[int, str]]
"""Ids and URLs of the pages of a group, in the order of their URLs."""


def places_of(
    groups: Iterable[Pages], alternates_of: Callable[[Pages], Mapping[str, frozenset[str]]], fold: Callable[[str], str]
) -> Places:
    """Return the groups with pages that are duplicates.

    Args:
        groups: pages that share a language and a value.
        alternates_of: returns the declared language versions of pages, by URL.
        fold: returns a URL without the parts in which pages with one value may differ.
    """
    places: dict[int, tuple[EqualPages, int]] = {}
    for pages in groups:
        alternates = alternates_of(pages) if len(pages) <= MAX_LANGUAGES else {}
        keys = cluster_keys((url for _, url in pages), alternates, fold)
        counts = Counter(keys.values())
        if len(counts) > 1:
            numbers, urls = zip(*pages, strict=True)
            equals = EqualPages(numbers, urls, tuple(keys[url] for url in urls), counts)
            places |= {number: (equals, place) for place, number in enumerate(numbers)}
    return places


def others_with_value(places: Places, number: int) -> tuple[tuple[str, ...], int]:
    """Return the first other pages with the same value, and their number."""
    if number not in places:
        return (), 0
    equals, place = places[number]
    return tuple(equals.urls[other] for other in equals.others(place)), equals.others_count(place)


def near_pages(places: Places, number: int, shingles_of: Callable[[int], frozenset[str]]) -> tuple[tuple[str, float], ...]:
    """Return the first near duplicates of a page with their similarity; ``shingles_of`` returns those of the text of a page."""
    if number not in places:
        return ()
    equals, place = places[number]
    others = equals.others(place, URL_LIMIT if len(equals.urls) <= COMPARED_PAGES else 2)
    own = shingles_of(number)
    return tuple((equals.urls[other], round(similarity(own, shingles_of(equals.numbers[other])), 3)) for other in others)


def without_page_and_version(url: str) -> str:
    """Return a URL without page number and version folder, in which pages with one title may differ."""
    return without_version(without_page_number(url))
