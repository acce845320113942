"""Sitemaps of the site: where they are declared, their content, and whether they list this page."""

from collections.abc import Iterator, Mapping
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from findable.artifacts.page.canonical import Canonical, comparable
from findable.artifacts.registry import Absent, artifact
from findable.artifacts.responses.assets import NOT_LOOKED_AT
from findable.artifacts.site.robots import Robots
from findable.capture.page import Capture
from findable.capture.response import Answer
from findable.capture.sitemap_summary import SitemapEntry, SitemapForm, SitemapSummary
from findable.urls import join, parse
from findable.vocabulary import Verdict

MAX_URLS = 50_000
MAX_BYTES = 52_428_800
"""Limits of one file, uncompressed (sitemaps.org protocol; Google, "Build and submit a sitemap", 2025)."""
NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
REFUSING = frozenset({401, 403, 407, 429, 451, 503})
"""Statuses that concern this client or this moment only."""
READABLE = frozenset({SitemapForm.URLSET, SitemapForm.INDEX, SitemapForm.RSS, SitemapForm.ATOM, SitemapForm.TEXT})


class SitemapState(StrEnum):
    """State of one file."""

    READ = "read"
    BROKEN = "broken"
    """Error status, or not a sitemap."""
    UNKNOWN = "unknown"
    """Not requested, or rejected for this client."""


class SitemapFile(Struct, frozen=True):
    """One file."""

    url: str
    answer: Answer
    state: SitemapState
    summary: SitemapSummary | None
    robots_line: int | None
    """Line of robots.txt that declares it; None for a usual location or a file of an index."""
    in_index: bool
    """Whether an index lists it."""

    @property
    def expected(self) -> bool:
        """Whether an index or robots.txt points to it, so that it should exist."""
        return self.in_index or self.robots_line is not None

    @property
    def form(self) -> SitemapForm:
        """Kind of file."""
        return self.summary.form if self.summary else SitemapForm.EMPTY


class Sitemaps(Struct, frozen=True):
    """All checked files, declared ones first."""

    files: tuple[SitemapFile, ...]
    announced: tuple[tuple[int, str], ...]
    """(line, URL as written) of robots.txt, wherever it leads."""
    left_count: int
    """Number of files of an index that were not read."""
    entries: tuple[SitemapEntry, ...]
    """Entries of this page: its URL or its canonical URL."""
    searched: bool
    """Whether all URLs in the files were compared with the page's."""
    alternates_open: bool
    """Whether they list language versions but the entries of this page were not read completely."""
    sample: tuple[Answer, ...]
    """Responses of some listed URLs."""

    @property
    def readable(self) -> list[SitemapFile]:
        """Files that are sitemaps."""
        return [file for file in self.files if file.state is SitemapState.READ]

    @property
    def urls_count(self) -> int:
        """Number of listed URLs in all files except indexes."""
        return sum(file.summary.urls_count for file in self.readable if file.summary and file.form is not SitemapForm.INDEX)

    @property
    def names_alternates(self) -> bool:
        """Whether they list language versions of any page."""
        return any(file.summary and file.summary.alternates_count for file in self.readable)

    @property
    def complete(self) -> bool:
        """Whether every file was read completely."""
        read = all(file.summary and file.summary.read_to_end for file in self.readable)
        return bool(self.readable) and read and not self.left_count and all(file.state is not SitemapState.UNKNOWN for file in self.files)


@artifact
def make_sitemaps(capture: Capture, robots: Robots | None, canonical: Canonical | None) -> Sitemaps | Absent:
    """Join responses, declarations and listings; unknown if no sitemap was searched for."""
    answers = capture.site.sitemaps
    if not answers:
        return Absent("sitemaps were not looked for", Verdict.UNKNOWN)
    announced = tuple((line.line, line.url) for line in robots.rules.sitemaps) if robots else ()
    lines = dict(reversed([(join(robots.answer.final_url, url), line) for line, url in announced] if robots else []))
    children = _children(answers)
    asked = [answer for answer in answers if not answer.left_count]
    files = tuple(_file(answer, lines, children) for answer in asked)
    page_urls = [comparable(url) for url in (capture.response.final_url, canonical.target if canonical else None) if url]
    entries = tuple(_entries(capture, files, page_urls))
    small = all(file.summary is None or file.form is SitemapForm.INDEX or _is_whole_sample(file.summary) for file in files)
    made = Sitemaps(
        files=files,
        announced=announced,
        left_count=sum(answer.left_count for answer in answers),
        entries=entries,
        searched=small or bool(entries) or capture.probes.sitemaps_searched,
        alternates_open=False,
        sample=capture.site.sitemap_sample,
    )
    return replace(made, alternates_open=_is_open(capture, made)) if made.names_alternates else made


def _is_open(capture: Capture, made: Sitemaps) -> bool:
    if any(entry.alternates_cut for entry in made.entries):
        return True
    seen = any(entry.alternates for entry in made.entries)
    return not seen and not (capture.probes.sitemaps_searched and made.complete)


def _is_whole_sample(summary: SitemapSummary) -> bool:
    return summary.urls_count == len(summary.sample)


def _children(answers: tuple[Answer, ...]) -> frozenset[str]:
    indexes = [answer for answer in answers if answer.sitemap and answer.sitemap.form is SitemapForm.INDEX]
    return frozenset(
        join(answer.final_url, child) or "" for answer in indexes for child in (answer.sitemap.children if answer.sitemap else ())
    )


def _file(answer: Answer, lines: Mapping[str | None, int], children: frozenset[str]) -> SitemapFile:
    return SitemapFile(answer.url, answer, _state(answer), answer.sitemap, lines.get(answer.url), answer.url in children)


def _state(answer: Answer) -> SitemapState:
    if answer.failure in NOT_LOOKED_AT or answer.status in REFUSING:
        return SitemapState.UNKNOWN
    if not answer.ok:
        return SitemapState.BROKEN
    if answer.sitemap is None:
        return SitemapState.UNKNOWN
    summary = answer.sitemap
    # This parser stops at a document type, before the root element; others may continue.
    readable = summary.form in READABLE or (summary.has_doctype and summary.form is not SitemapForm.HTML)
    return SitemapState.READ if readable and not summary.error else SitemapState.BROKEN


def _entries(capture: Capture, files: tuple[SitemapFile, ...], page_urls: list[str]) -> Iterator[SitemapEntry]:
    """Yield entries that the fetcher found or the samples of the files contain; each (page, file) once."""
    seen = set()
    sampled = (
        SitemapEntry(entry.url, entry.lastmod, file.url)
        for file in files
        if file.summary and file.form is not SitemapForm.INDEX
        for entry in file.summary.sample
    )
    for entry in (*capture.probes.sitemap_entries, *sampled):
        key = (comparable(entry.url), entry.sitemap_url)
        if key[0] in page_urls and key not in seen:
            seen.add(key)
            yield entry


def host_of(url: str) -> str:
    """Return the host of a URL; empty if it is not a URL."""
    parsed = parse(url)
    return parsed.host if parsed else ""
