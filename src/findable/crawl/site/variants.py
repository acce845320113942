"""Variants of one URL: pages link to several, and all return the same page."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from msgspec import Struct

from findable.capture.site_graph import URL_LIMIT, LinkSource
from findable.capture.site_urls import VariantKind, VariantPair, Variants
from findable.crawl.url_keys import text_key
from findable.crawl.url_variants import has_double_slash, is_index, normalize_variant, variant_kind
from findable.limits import MAX_VARIANTS


class VariantPage(Struct, frozen=True):
    """Page that may have several URLs. Text, title and heading are hashes; 0 for none."""

    id: int
    url: str
    text: int
    plain_text: int
    title: int
    heading: int
    linked_from: int
    """Number of pages with a link to the URL."""


def possible_variants(urls: Iterable[tuple[int, str]]) -> Collection[Sequence[int]]:
    """Return groups of the ids of URLs that may be variants of one URL."""
    firsts: dict[int, int] = {}
    groups: dict[int, list[int]] = {}
    for number, url in urls:
        key = text_key(normalize_variant(url))
        first = firsts.setdefault(key, number)
        if first != number and (key in groups or len(groups) < MAX_VARIANTS):
            groups.setdefault(key, [first]).append(number)
    return groups.values()


def variants(groups: Iterable[Iterable[VariantPage]], source_of: Callable[[int], LinkSource | None]) -> tuple[Variants, ...]:
    """Return the variants in groups of pages, by kind. ``source_of``: returns a block that links to a URL."""
    pairs: defaultdict[VariantKind, list[tuple[VariantPage, VariantPage]]] = defaultdict(list)
    for pages in groups:
        for preferred, other, kind in variant_pairs(pages):
            pairs[kind].append((preferred, other))
    return tuple(
        Variants(
            kind,
            len(found),
            tuple(
                VariantPair(preferred.url, other.url, other.linked_from, source_of(other.id))
                for preferred, other in sorted(found, key=lambda pair: (-pair[1].linked_from, pair[1].url))[:URL_LIMIT]
            ),
        )
        for kind, found in sorted(pairs.items())
    )


def variant_pairs(pages: Iterable[VariantPage]) -> Iterator[tuple[VariantPage, VariantPage, VariantKind]]:
    """Yield (page, its variant, kind). Pages link to both URLs, and both return the same page."""
    by_fold: defaultdict[str, list[VariantPage]] = defaultdict(list)
    for page in pages:
        if page.linked_from:
            by_fold[normalize_variant(page.url)].append(page)
    for group in by_fold.values():
        preferred, *others = sorted(group, key=_preference)
        for other in others:
            kind = variant_kind(preferred.url, other.url)
            if kind is not None and _is_same_page(preferred, other):
                yield preferred, other, kind


def _is_same_page(one: VariantPage, other: VariantPage) -> bool:
    """Return whether two URLs return the same page. Short texts, which may differ only in numbers, need the same heading too."""
    if one.text or other.text:
        return one.text == other.text
    return (one.plain_text, one.title, one.heading) == (other.plain_text, other.title, other.heading) and one.title != 0


def _preference(page: VariantPage) -> tuple[bool, bool, int, int, str]:
    return has_double_slash(page.url), is_index(page.url), -page.linked_from, len(page.url), page.url
