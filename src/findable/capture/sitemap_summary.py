"""Summary of a sitemap file, collected while it was streamed: counts of everything, samples of the rest."""

from enum import StrEnum

from msgspec import Struct


class SitemapForm(StrEnum):
    """Kind of sitemap file."""

    URLSET = "urlset"
    INDEX = "sitemapindex"
    RSS = "rss"
    ATOM = "feed"
    TEXT = "text"
    HTML = "html"
    OTHER = "other"
    EMPTY = ""


class SitemapEntry(Struct, frozen=True):
    """Entry of a sitemap; its URL is as written, trimmed."""

    url: str
    lastmod: str = ""
    sitemap_url: str = ""
    """Sitemap file that lists the URL; empty inside that file's own summary."""
    alternates: tuple[tuple[str, str], ...] = ()
    """Language versions as written: (code, URL) of each ``xhtml:link`` with hreflang.

    Set when single pages are looked up, empty in a sample.
    """
    alternates_cut: bool = False
    """Whether language versions are incomplete because the file has too many."""


class NewsEntries(Struct, frozen=True):
    """Entries of one sitemap file with the news extension."""

    count: int
    incomplete_count: int = 0
    """Number of entries without a title, a date, or the name and language of the publication."""
    incomplete: tuple[tuple[str, str], ...] = ()
    """First incomplete entries: (URL, first missing element)."""
    days: tuple[tuple[str, int], ...] = ()
    """Numbers of entries by day of publication, the oldest first; at most 1,000 days."""
    oldest_url: str = ""


class SitemapSummary(Struct, frozen=True):
    """Summary of one sitemap file. Counts cover the part that was read: see `read_to_end`."""

    form: SitemapForm = SitemapForm.EMPTY
    namespace: str = ""
    """Namespace of the root element."""
    urls_count: int = 0
    """Number of listed URLs; in an index, of listed files."""
    read_to_end: bool = False
    """Whether the whole file was read; False if a cap, the budget or an error ended it."""
    decoded_bytes: int = 0
    error: str = ""
    """One-line reason why the file is not well-formed."""
    error_line: int = 0
    has_doctype: bool = False
    """Whether reading stopped at a document type declaration, which is not accepted."""
    sample: tuple[SitemapEntry, ...] = ()
    """Up to 64 entries, evenly spread, in order."""
    children: tuple[str, ...] = ()
    """First 100 files of an index."""
    lastmod_count: int = 0
    lastmod_values_count: int = 0
    """Number of different dates, counted up to 1,000."""
    alternates_count: int = 0
    """Number of ``xhtml:link`` elements."""
    bad: tuple[tuple[str, str], ...] = ()
    """First 20 problems: (code: not_absolute, other_host, too_long or lastmod; the text)."""
    news: NewsEntries | None = None
    """Entries with the news extension; None without any."""
