"""Ways to the pages of a crawled site: clicks from the start page, link texts, and the pages with the highest link score."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence

from findable.artifacts.tables.wordings import GENERIC_ANCHORS, file_words, fold
from findable.capture.site_graph import URL_LIMIT, LinkSource
from findable.capture.site_reach import CrawledReach, GenericLinks
from findable.checks.site.site_depth import DEEP_FROM_CLICKS
from findable.crawl.found_by import FoundBy
from findable.crawl.page_numbers import without_page_number
from findable.crawl.site.counted import CountedPages
from findable.crawl.site_sections import Sections

TOP_SHARE = 0.05
"""Share of the pages with the highest link score that are top pages."""
_GENERIC = frozenset().union(*GENERIC_ANCHORS.values())
_GENERIC_SEEN, _OTHER_SEEN = 1, 2


def top_pages_count(pages_count: int) -> int:
    """Return how many pages are top pages; at least one."""
    return max(1, math.ceil(TOP_SHARE * pages_count))


def reach_by_clicks(pages: Iterable[tuple[int, str, int, int]]) -> tuple[CrawledReach, int]:
    """Return the clicks to the indexable pages, without later pages of lists, and the first of the deepest pages; 0 if none is deep.

    Args:
        pages: id, URL, flags of `FoundBy` and number of clicks, those with the most clicks first.
    """
    by_clicks: Counter[int] = Counter()
    deep, listed, sections = CountedPages(), CountedPages(), Sections()
    deepest = 0
    for number, url, found_by, clicks in pages:
        if without_page_number(url) != url:
            continue
        by_clicks[clicks] += 1
        is_listed = bool(found_by & int(FoundBy.SITEMAP))
        sections.add(url, clicks, is_listed=is_listed)
        if clicks >= DEEP_FROM_CLICKS:
            deepest = deepest or number
            deep.add(url)
            if is_listed:
                listed.add(url)
    groups = deep.as_group("deep"), listed.as_group("deep_listed")
    return CrawledReach(None, tuple(sorted(by_clicks.items())), *groups, tuple(sections.far())), deepest


class LinkTexts:
    """Finds out whether the followed links to each URL have generic texts.

    Args:
        size: highest id of a URL, plus one.
        anchors: id and text of all link texts.
    """

    def __init__(self, size: int, anchors: Iterable[tuple[int, str]]) -> None:
        self._seen = bytearray(size)
        self._generic: set[int] = set()
        self._empty: set[int] = set()
        for number, text in anchors:
            if not text.strip():
                self._empty.add(number)
            elif fold(text) in _GENERIC:
                self._generic.add(number)

    def add(self, targets: Sequence[int], anchors: Sequence[int], nofollows: Sequence[bool]) -> None:
        """Read the links of a block as columns. A link without text says nothing."""
        seen, generic, empty = self._seen, self._generic, self._empty
        for target, anchor, nofollow in zip(targets, anchors, nofollows, strict=True):
            if not nofollow and anchor not in empty:
                seen[target] |= _GENERIC_SEEN if anchor in generic else _OTHER_SEEN

    def generic_only(self, pages: Iterable[tuple[int, str]]) -> tuple[list[int], int]:
        """Return the pages, of these ids and URLs, whose links all have generic texts, and the number of those with any link text.

        A generic word that is the name of the page, like ``/go.html``, is no generic text.
        """
        generic: list[int] = []
        named_count = 0
        for number, url in pages:
            named_count += self._seen[number] > 0
            if self._seen[number] == _GENERIC_SEEN and file_words(url) not in _GENERIC:
                generic.append(number)
        return generic, named_count


def generic_links(url: str, sources: Iterable[LinkSource]) -> GenericLinks:
    """Return the followed links with text to a page."""
    shown = tuple(source for source in sources if not source.nofollow and source.anchor_text.strip())
    texts = tuple(dict.fromkeys(source.anchor_text for source in shown))
    return GenericLinks(url, texts[:URL_LIMIT], shown[:URL_LIMIT])
