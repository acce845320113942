"""Cache of page fingerprints from the sitemaps of a site: too many to store with a report, so they are looked up per page."""

from collections.abc import Iterable, Mapping

from findable.capture.sitemap_summary import SitemapEntry
from findable.fetch.sitemap_stream import ListedPages, fingerprint

MAX_SITES = 64

Listing = Mapping[str, ListedPages]
"""Listed pages by sitemap URL."""


class Listings:
    """Cache of the pages in the sitemaps of recent sites, by origin."""

    def __init__(self) -> None:
        self._sites: dict[str, Listing] = {}

    def store(self, origin: str, listing: Listing) -> None:
        """Cache the pages in the sitemaps of a site."""
        self._sites.pop(origin, None)
        if len(self._sites) >= MAX_SITES:
            self._sites.pop(next(iter(self._sites)))
        self._sites[origin] = listing

    def entries(self, origin: str, page_urls: Iterable[str]) -> tuple[SitemapEntry, ...]:
        """Return the sitemap entries of these pages; empty also if the site is not cached."""
        found = []
        for url in dict.fromkeys(page_urls):
            key = fingerprint(url)
            for sitemap_url, listed in self._sites.get(origin, {}).items():
                if key is not None and key in listed.lastmods:
                    alternates = listed.alternates.get(key, ())
                    found.append(SitemapEntry(url, listed.lastmods[key], sitemap_url, alternates or (), alternates is None))
        return tuple(found)

    def has(self, origin: str) -> bool:
        """Return whether the sitemaps of the site are cached."""
        return origin in self._sites
