"""What a sitemap file says, read while it streamed: counts of everything, samples of the rest. Values only."""

from enum import StrEnum

from msgspec import Struct


class SitemapForm(StrEnum):
    """What kind of file it is."""

    URLSET = "urlset"
    INDEX = "sitemapindex"
    RSS = "rss"
    ATOM = "feed"
    TEXT = "text"
    HTML = "html"
    OTHER = "other"
    EMPTY = ""


class SitemapEntry(Struct, frozen=True):
    """One listed address as written, trimmed."""

    url: str
    lastmod: str = ""
    sitemap_url: str = ""
    """The file it stands in; empty inside that file's own summary."""
    alternates: tuple[tuple[str, str], ...] = ()
    """(code, address) of each ``xhtml:link`` with hreflang, as written; looked up for single pages only, empty in a sample."""
    alternates_cut: bool = False
    """It has language versions that were not kept, because those of the file are too many."""


class SitemapSummary(Struct, frozen=True):
    """One file. Counts are right up to where it was read: see `read_to_end`."""

    form: SitemapForm = SitemapForm.EMPTY
    namespace: str = ""
    """Of the root element."""
    urls_count: int = 0
    """Listed addresses; in an index, listed files."""
    read_to_end: bool = False
    """False where a cap, the budget or an error ended it."""
    decoded_bytes: int = 0
    error: str = ""
    """Why it is not well-formed, one line."""
    error_line: int = 0
    has_doctype: bool = False
    """A document type declaration is refused: reading ended there."""
    sample: tuple[SitemapEntry, ...] = ()
    """Up to 64 entries, evenly spread, in order; all of them where there are no more."""
    children: tuple[str, ...] = ()
    """The first 100 files an index lists."""
    not_absolute_count: int = 0
    other_host_count: int = 0
    """Addresses of another host than the file's own."""
    too_long_count: int = 0
    """Addresses of more than 2,048 characters."""
    bad_lastmod_count: int = 0
    """Dates that are not W3C datetimes."""
    lastmod_count: int = 0
    lastmod_values_count: int = 0
    """Different dates among them, counted up to 1,000."""
    alternates_count: int = 0
    """``xhtml:link`` elements."""
    bad: tuple[tuple[str, str], ...] = ()
    """(what is wrong: not_absolute, other_host, too_long, lastmod; the text), the first 20."""
