"""Language versions of a page, from all places that declare them, and their responses."""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from findable.artifacts.page.canonical import VARIANTS, comparable, differences
from findable.artifacts.page.hreflang import MAX_ENTRIES, Alternate, Hreflang, alternate
from findable.artifacts.registry import Absent, artifact
from findable.artifacts.responses.probed_page import REFUSING, Probe, ProbedPage, read_probed, unchecked_reason
from findable.artifacts.site.sitemap import SitemapListing
from findable.capture.page import PageCapture
from findable.capture.response import ProbeResponse
from findable.capture.sitemap_summary import SitemapEntry
from findable.urls import join
from findable.vocabulary import Verdict


class LanguageSet(Hreflang, frozen=True):
    """Language versions in the page's markup and headers, then those in sitemaps, without duplicates."""

    sitemap_open: bool
    """Whether a sitemap may list more versions: it has some, and its entry for this page was not found."""


class LanguageVersions(Struct, frozen=True):
    """Language versions of the page that were requested, with their responses."""

    pages: tuple[ProbedPage, ...]
    """Language versions with a response of any status."""
    unknown: tuple[ProbeResponse, ...]
    """Language versions without a response, or with a rejected request."""
    left_count: int
    """Number of versions that were not requested."""
    sitemap_entries: Mapping[str, tuple[SitemapEntry, ...]] | None
    """Sitemap entries by comparable URL; None if the sitemaps were not searched."""

    def does_sitemap_list(self, page: ProbedPage, urls: Iterable[str]) -> bool | None:
        """Return whether the sitemap entry of a version lists one of these URLs; None if its language versions are unknown."""
        addresses = dict.fromkeys((page.response.url, page.response.final_url))
        sitemap_entries = self.sitemap_entries or {}
        entries = [entry for url in addresses for entry in sitemap_entries.get(comparable(url), ()) if entry.alternates]
        wanted = {comparable(url) for url in urls}
        if any(comparable(href) in wanted for entry in entries for _, href in entry.alternates):
            return True
        return False if entries else None


@artifact
def make_language_set(hreflang: Hreflang, listing: SitemapListing | None) -> LanguageSet:
    """Join the versions that the page and the sitemaps declare."""
    sitemap_entries = _missing_in(hreflang.entries, _sitemap_versions(listing.entries if listing else (), hreflang.page_url))
    return LanguageSet(
        page_url=hreflang.page_url,
        entries=(*hreflang.entries, *sitemap_entries)[:MAX_ENTRIES],
        entries_count=hreflang.entries_count + len(sitemap_entries),
        sitemap_open=listing is not None and listing.alternates_open,
    )


def listed_versions(entries: Iterable[SitemapEntry], page_url: str) -> list[str]:
    """Return URLs of usable language versions in the page's sitemap entries, except the page itself, without duplicates and fragments."""
    own = comparable(page_url)
    usable = (item.url for item in _sitemap_versions(entries, page_url) if item.usable and item.url)
    return list(dict.fromkeys(url for url in usable if comparable(url) != own))


def _sitemap_versions(entries: Iterable[SitemapEntry], page_url: str) -> list[Alternate]:
    """Return the versions that sitemaps list for any variant of this page's URL, but not for its canonical URL."""
    return [
        alternate(code, href, join(entry.sitemap_url, href), sitemap_url=entry.sitemap_url)
        for entry in entries
        if differences(page_url, entry.url) <= VARIANTS
        for code, href in entry.alternates[:MAX_ENTRIES]
    ]


def _missing_in(own: Iterable[Alternate], sitemap_entries: list[Alternate]) -> list[Alternate]:
    """Return the sitemap's language versions that the page itself does not declare, without duplicates."""
    known = {(item.code, comparable(item.url or "")) for item in own if item.usable}
    found = []
    for item in sitemap_entries:
        key = item.code, comparable(item.url or item.href)
        if key not in known:
            known.add(key)
            found.append(item)
    return found


@artifact
def make_language_versions(page: PageCapture, languages: LanguageSet) -> LanguageVersions | Absent:
    """Return the language versions; absent if the page declares none, unknown if none was requested."""
    wanted = languages.others
    if not wanted and languages.sitemap_open:
        return Absent("a sitemap that was not searched completely may declare language versions", Verdict.UNKNOWN)
    if not wanted:
        return Absent("the page declares no other language version")
    responses = page.probes.alternates
    if not responses:
        return unchecked_reason(Probe.LANGUAGE_VERSIONS, None)
    probed = [read_probed(response) for response in responses if response.status not in REFUSING]
    seen = tuple(other for other in probed if other)
    unknown = tuple(response for response in responses if not response.hops or response.status in REFUSING)
    searched = page.probes.sitemaps_searched
    sitemap_entries: dict[str, tuple[SitemapEntry, ...]] = {}
    for entry in page.probes.alternate_entries:
        key = comparable(entry.url)
        sitemap_entries[key] = (*sitemap_entries.get(key, ()), entry)
    return LanguageVersions(seen, unknown, max(0, len(wanted) - len(responses)), sitemap_entries if searched else None)
