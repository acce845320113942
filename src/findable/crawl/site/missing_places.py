"""Links to places on other pages that have no such place."""

from collections.abc import Callable, Iterable, Sequence

from findable.capture.site_graph import LIST_LIMIT
from findable.capture.site_places import CrawledPlaces, MissingPlace
from findable.crawl.places import has_place
from findable.crawl.site.counted import Counted
from findable.crawl.url_keys import url_key
from findable.limits import MAX_PLACES


class _LinkingPages(Counted[str]):
    """URLs of the pages with a link to one place."""

    def __init__(self, url: str) -> None:
        super().__init__()
        self.url = url


def crawled_places(
    pages: Iterable[tuple[str, Iterable[tuple[str, str]]]], names_of: Callable[[Sequence[int]], Iterable[tuple[int, bytes]]]
) -> CrawledPlaces:
    """Return the links to places on other pages; those on pages whose names are not known are left out.

    Args:
        pages: (URL, links) of the pages with links to places, each as (URL without fragment, fragment).
        names_of: returns (key, result of `place_keys`) of the pages whose names are known, by the keys of their URLs.
    """
    places, is_cut = _places_by_page(pages)
    links_count = missing_links_count = 0
    missing = []
    for key, names in names_of(sorted(places)):
        for fragment, linking in places[key].items():
            links_count += linking.count
            if not has_place(names, fragment):
                missing_links_count += linking.count
                missing.append(MissingPlace(f"{linking.url}#{fragment}", linking.count, tuple(linking.first)))
    missing.sort(key=lambda item: (-item.pages_count, item.url))
    return CrawledPlaces(links_count, tuple(missing[:LIST_LIMIT]), len(missing), missing_links_count, is_cut)


def _places_by_page(pages: Iterable[tuple[str, Iterable[tuple[str, str]]]]) -> tuple[dict[int, dict[str, _LinkingPages]], bool]:
    """Return the links by key of the page with the place and by fragment, and whether some were left out."""
    found: dict[int, dict[str, _LinkingPages]] = {}
    left = MAX_PLACES
    for page_url, links in pages:
        for url, fragment in links:
            places = found.setdefault(url_key(url), {})
            if fragment not in places:
                if not left:
                    return found, True
                left -= 1
                places[fragment] = _LinkingPages(url)
            places[fragment].add(page_url)
    return found, False
