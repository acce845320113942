"""Pages with the same title, description, heading or text, without those that other checks report or that are one page."""

from collections.abc import Callable, Iterable, Sequence

from findable.crawl.clusters import MAX_LANGUAGES, cluster_keys
from findable.crawl.page_numbers import without_page_number
from findable.crawl.site.variants import VariantPage, variant_pairs
from findable.crawl.url_parameters import without_parameters
from findable.urls import has_tracking, without_tracking


class EqualPage(VariantPage, frozen=True):
    """Page with the same value as others."""

    similar: int | None = None
    """Id of a group of pages with similar texts; 0 for none."""


def distinct_pages(
    pages: Sequence[EqualPage], duplicating: frozenset[str], alternates_of: Callable[[int], frozenset[str]], *, is_text: bool
) -> Sequence[EqualPage]:
    """Return the different pages among those with the same value; empty if all are versions or language versions of one page.

    Variants of a URL, campaign parameters and parameters that create duplicates have their own checks. Pages of one list have the same
    title, but not the same text.

    Args:
        pages: indexable pages with the same value, in the order of their URLs.
        duplicating: names of parameters that create duplicates.
        alternates_of: returns the URLs of the language versions of a page, by its id.
        is_text: whether the value is the text.
    """
    variants = {other.id for _, other, _ in variant_pairs(pages)}
    pages = _first_by((page for page in pages if page.id not in variants), lambda url: _without_duplicating(url, duplicating))
    if not is_text:
        pages = _first_by(pages, without_page_number)
    alternates = {page.url: alternates_of(page.id) for page in pages} if len(pages) <= MAX_LANGUAGES else {}
    return pages if len(set(cluster_keys((page.url for page in pages), alternates).values())) > 1 else ()


def have_same_text(pages: Sequence[EqualPage]) -> bool:
    """Return whether pages have the same or nearly the same text."""
    return len({page.similar or page.text for page in pages}) == 1 and pages[0].text != 0


def _first_by(pages: Iterable[EqualPage], fold: Callable[[str], str]) -> list[EqualPage]:
    """Return the first of the pages with each folded URL, in the order of the last ones."""
    return list({fold(page.url): page for page in reversed(list(pages))}.values())[::-1]


def _without_duplicating(url: str, names: frozenset[str]) -> str:
    return without_parameters(without_tracking(url) if has_tracking(url) else url, names)
