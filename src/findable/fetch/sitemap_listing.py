"""Which pages the sitemaps of a site list, as fingerprints: too much to be stored with a report, asked for one page at a time."""

from collections.abc import Iterable, Mapping

from findable.capture.sitemap_summary import SitemapEntry
from findable.fetch.sitemap_stream import ListedPages, fingerprint

MAX_SITES = 64

Listing = Mapping[str, ListedPages]
"""By sitemap URL."""


class Listings:
    """The last sites whose sitemaps were read, by origin."""

    def __init__(self) -> None:
        self._sites: dict[str, Listing] = {}

    def keep(self, origin: str, listing: Listing) -> None:
        """Remembers what the sitemaps of a site list."""
        self._sites.pop(origin, None)
        if len(self._sites) >= MAX_SITES:
            self._sites.pop(next(iter(self._sites)))
        self._sites[origin] = listing

    def entries(self, origin: str, page_urls: Iterable[str]) -> tuple[SitemapEntry, ...]:
        """Where these pages are listed; empty as well where the site is not known (any more)."""
        found = []
        for url in dict.fromkeys(page_urls):
            key = fingerprint(url)
            for sitemap_url, listed in self._sites.get(origin, {}).items():
                if key is not None and key in listed.lastmods:
                    alternates = listed.alternates.get(key, ())
                    found.append(SitemapEntry(url, listed.lastmods[key], sitemap_url, alternates or (), alternates is None))
        return tuple(found)

    def knows(self, origin: str) -> bool:
        """Whether the sitemaps of that site are still at hand."""
        return origin in self._sites
