"""Sitemaps of the site: their declarations and files, and whether they list the page."""

from collections.abc import Iterator, Mapping
from enum import StrEnum

from msgspec import Struct

from findable.artifacts.page.canonical import Canonical, comparable
from findable.artifacts.registry import Absent, artifact
from findable.artifacts.responses.probed_page import REFUSING
from findable.artifacts.site.robots import Robots
from findable.capture.page import PageCapture
from findable.capture.response import NOT_REQUESTED, ProbeResponse
from findable.capture.site import SiteCapture
from findable.capture.sitemap_summary import SitemapEntry, SitemapForm, SitemapSummary
from findable.urls import join
from findable.vocabulary import Verdict

MAX_URLS = 50_000
MAX_BYTES = 52_428_800
"""Limits of one file, uncompressed (sitemaps.org protocol; Google, "Build and submit a sitemap", 2025)."""
NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
READABLE = frozenset({SitemapForm.URLSET, SitemapForm.INDEX, SitemapForm.RSS, SitemapForm.ATOM, SitemapForm.TEXT})


class SitemapState(StrEnum):
    """State of one sitemap file."""

    READ = "read"
    BROKEN = "broken"
    """Error status, or not a sitemap."""
    UNKNOWN = "unknown"
    """File that was not requested, or refused to this client."""


class SitemapFile(Struct, frozen=True):
    """Sitemap file that was requested, with a summary of its content."""

    url: str
    response: ProbeResponse
    state: SitemapState
    summary: SitemapSummary | None
    robots_line: int | None
    """Line of robots.txt that declares it; None for a usual location or a file of an index."""
    in_index: bool
    """Whether an index lists it."""

    @property
    def is_declared(self) -> bool:
        """Whether an index or robots.txt points to the file, so that it should exist."""
        return self.in_index or self.robots_line is not None

    @property
    def form(self) -> SitemapForm:
        """Kind of file."""
        return self.summary.form if self.summary else SitemapForm.EMPTY


class Sitemaps(Struct, frozen=True):
    """Sitemap files that were requested, declared ones first."""

    files: tuple[SitemapFile, ...]
    declarations: tuple[tuple[int, str], ...]
    """Declarations in robots.txt: (line, URL as written), valid or not."""
    left_count: int
    """Number of files in indexes that were not read."""
    sample: tuple[ProbeResponse, ...]
    """Responses of a sample of listed URLs."""

    @property
    def readable(self) -> list[SitemapFile]:
        """Requested files that are sitemaps."""
        return [file for file in self.files if file.state is SitemapState.READ]

    @property
    def urls_count(self) -> int:
        """Number of listed URLs in all files except indexes."""
        return sum(file.summary.urls_count for file in self.readable if file.summary and file.form is not SitemapForm.INDEX)

    @property
    def lists_alternates(self) -> bool:
        """Whether a sitemap of the site lists language versions."""
        return any(file.summary and file.summary.alternates_count for file in self.readable)

    @property
    def complete(self) -> bool:
        """Whether all sitemap files were read completely."""
        read = all(file.summary and file.summary.read_to_end for file in self.readable)
        return bool(self.readable) and read and not self.left_count and all(file.state is not SitemapState.UNKNOWN for file in self.files)


class SitemapListing(Struct, frozen=True):
    """Sitemap entries of the page."""

    entries: tuple[SitemapEntry, ...]
    """Entries of the page's own URL or its canonical URL."""
    is_complete: bool
    """Whether all URLs in the files were compared with the URL of the page."""
    alternates_open: bool
    """Whether the sitemaps list language versions but the entries of this page were not read completely."""


@artifact
def make_sitemaps(site: SiteCapture, robots: Robots | None) -> Sitemaps | Absent:
    """Match the responses of sitemap files with their declarations; unknown if no sitemap was requested."""
    responses = site.sitemaps
    if not responses:
        return Absent("sitemaps were not looked for", Verdict.UNKNOWN)
    announced = tuple((line.line, line.url) for line in robots.rules.sitemaps) if robots else ()
    lines = dict(reversed([(join(robots.response.final_url, url), line) for line, url in announced] if robots else []))
    children = _children(responses)
    asked = [response for response in responses if not response.left_count]
    files = tuple(_file(response, lines, children) for response in asked)
    left_count = sum(response.left_count for response in responses)
    return Sitemaps(files=files, declarations=announced, left_count=left_count, sample=site.sitemap_sample)


@artifact
def make_sitemap_listing(page: PageCapture, sitemaps: Sitemaps, canonical: Canonical | None) -> SitemapListing:
    """Find the page in the sitemap entries that were stored while the files were read, and in samples of their URLs."""
    page_urls = [comparable(url) for url in (page.response.final_url, canonical.target if canonical else None) if url]
    entries = tuple(_entries(page, sitemaps.files, page_urls))
    searched = page.probes.sitemaps_searched
    small = all(file.summary is None or file.form is SitemapForm.INDEX or _is_whole_sample(file.summary) for file in sitemaps.files)
    is_open = sitemaps.lists_alternates and _is_open(entries, searched=searched and sitemaps.complete)
    return SitemapListing(entries, small or bool(entries) or searched, is_open)


def _is_open(entries: tuple[SitemapEntry, ...], *, searched: bool) -> bool:
    if any(entry.alternates_cut for entry in entries):
        return True
    return not searched and not any(entry.alternates for entry in entries)


def _is_whole_sample(summary: SitemapSummary) -> bool:
    return summary.urls_count == len(summary.sample)


def _children(responses: tuple[ProbeResponse, ...]) -> frozenset[str]:
    indexes = [response for response in responses if response.sitemap and response.sitemap.form is SitemapForm.INDEX]
    return frozenset(
        join(response.final_url, child) or "" for response in indexes for child in (response.sitemap.children if response.sitemap else ())
    )


def _file(response: ProbeResponse, lines: Mapping[str | None, int], children: frozenset[str]) -> SitemapFile:
    return SitemapFile(response.url, response, _state(response), response.sitemap, lines.get(response.url), response.url in children)


def _state(response: ProbeResponse) -> SitemapState:
    if response.failure in NOT_REQUESTED or response.status in REFUSING:
        return SitemapState.UNKNOWN
    if not response.ok:
        return SitemapState.BROKEN
    if response.sitemap is None:
        return SitemapState.UNKNOWN
    summary = response.sitemap
    # This parser stops at a doctype, before the root element; other parsers may continue.
    readable = summary.form in READABLE or (summary.has_doctype and summary.form is not SitemapForm.HTML)
    return SitemapState.READ if readable and not summary.error else SitemapState.BROKEN


def _entries(page: PageCapture, files: tuple[SitemapFile, ...], page_urls: list[str]) -> Iterator[SitemapEntry]:
    """Yield entries that the fetcher found or the samples of the files contain, each pair of page and file once."""
    seen = set()
    sampled = (
        SitemapEntry(entry.url, entry.lastmod, file.url)
        for file in files
        if file.summary and file.form is not SitemapForm.INDEX
        for entry in file.summary.sample
    )
    for entry in (*page.probes.sitemap_entries, *sampled):
        key = (comparable(entry.url), entry.sitemap_url)
        if key[0] in page_urls and key not in seen:
            seen.add(key)
            yield entry
