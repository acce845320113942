"""Filters and order of a list of a crawl's pages: what the API, pages, agents and the store take."""

from collections.abc import Mapping
from datetime import date
from enum import StrEnum
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from findable.capture.crawl import Reason
from findable.crawl.column_declaration import Listed, listed, listed_in
from findable.crawl.extractors import MAX_VALUE_CHARS
from findable.crawl.page_columns import COLUMNS, FOUND_BY_WORDS, REASON_WORDS
from findable.errors import ValidationFailed
from findable.formats.number_tables import FIRST_DAY
from findable.urls import MAX_URL_CHARS
from findable.values import MESSAGE
from findable.vocabulary import Verdict
from findable.wording import later

MAX_SEARCH_CHARS = 2048
SPAN_PATTERN = r"^(\d{1,9}|\d{1,9}\.\.\d{0,9}|\.\.\d{1,9})$"
SpanText = Annotated[
    str,
    Meta(
        pattern=SPAN_PATTERN, extra={MESSAGE: "The {field} field must be a number, or a range like 5..20, ..50 or 20.."}, examples=["20.."]
    ),
]
_BOUND = r"(\d{1,9}|\d{4}-\d\d-\d\d)"
DataText = Annotated[
    str,
    Meta(
        pattern=rf"^[a-z0-9_]{{1,40}}(:({_BOUND}(\.\.{_BOUND}?)?|\.\.{_BOUND}))?$",
        extra={MESSAGE: "The {field} field must be the name of a column, perhaps with a number or range, like clicks:100.."},
        examples=["clicks:100.."],
    ),
]
Name = Annotated[str, Meta(max_length=200)]
_REASONS = tuple(reason.value for reason in Reason if reason.value)
_REASON = listed(later("Not indexable because"), words=REASON_WORDS)
_FOUND_BY = tuple(FOUND_BY_WORDS)


class CanonicalKind(StrEnum):
    """Kind of the canonical URL that a page declares."""

    NONE = "none"
    SELF = "self"
    OTHER = "other"


_YES_NO = {"1": later("yes"), "0": later("no")}
_CANONICALS = {CanonicalKind.SELF: later("itself"), CanonicalKind.OTHER: later("another URL"), CanonicalKind.NONE: later("none")}
_VERDICTS = {Verdict.FAILED: later("Problem"), Verdict.WARNED: later("Warning")}


class Span(Struct, frozen=True):
    """Inclusive range of numbers; None for an open end."""

    low: int | None = None
    high: int | None = None


def span_of(text: str) -> Span:
    """Return the range in a text like ``404``, ``5..20``, ``..50`` or ``20..``. Raises ValidationFailed for a day that does not exist."""
    low, dots, high = text.partition("..")
    return Span(_bound(low), _bound(high if dots else low))


def _bound(text: str) -> int | None:
    """Return a bound of a range, of days as the number of days since 1970."""
    if "-" not in text:
        return int(text) if text else None
    try:
        return date.fromisoformat(text).toordinal() - FIRST_DAY
    except ValueError as error:
        raise ValidationFailed({"data": [later("The data field must contain days like 2026-11-21.")]}) from error


def data_of(text: str | UnsetType) -> tuple[str | None, Span | None]:
    """Return the column and range in a text like ``clicks:100..``; None for a missing part."""
    column, _, span = (text or "").partition(":")
    return column or None, span_of(span) if span else None


class PageFilters(Struct, frozen=True):
    """Filters for the pages of a crawl, combined with AND."""

    status: Annotated[SpanText, listed(example="200, 400..499")] | UnsetType = UNSET
    """Status code or range, like 404 or 500..599."""
    type: Annotated[Name, listed(example="text/html")] | UnsetType = UNSET
    """Media type, like text/html."""
    check: Annotated[Name, listed(later("Check"))] | UnsetType = UNSET
    """Id of a check: pages with a failure or warning; with verdict, pages with the verdict."""
    verdict: Annotated[Verdict, listed(later("Finding"), words=_VERDICTS)] | UnsetType = UNSET
    """Verdict on the check; without check, on any check."""
    indexable: Annotated[Literal[0, 1], listed(later("Indexable"), words=_YES_NO)] | UnsetType = UNSET
    """1: only indexable pages. 0: only others."""
    reason: Annotated[Literal[_REASONS], _REASON] | UnsetType = UNSET  # type: ignore[valid-type]  # created from a table
    """Reason why pages are not indexable."""
    segment: Annotated[Name, listed()] | UnsetType = UNSET
    """Name of a segment."""
    folder: Annotated[str, Meta(max_length=MAX_URL_CHARS), listed(later("Folder"), example="/blog/")] | UnsetType = UNSET
    """Folder of the URL with everything below it, like /blog/."""
    template: Annotated[int, Meta(ge=0, le=2**31 - 1), listed(later("Template"), is_of_end=True)] | UnsetType = UNSET
    """Number of a template; 0: pages without template."""
    in_sitemap: Annotated[Literal[0, 1], listed(later("In a sitemap"), words=_YES_NO)] | UnsetType = UNSET
    """1: only pages that a sitemap lists. 0: only others."""
    found_by: Annotated[Literal[_FOUND_BY], listed()] | UnsetType = UNSET  # type: ignore[valid-type]  # created from a table
    """Way in which the URL was found, possibly among others."""
    canonical: Annotated[CanonicalKind, listed(words=_CANONICALS)] | UnsetType = UNSET
    """Whether the canonical URL of pages is the page itself, another URL or missing."""
    lang: Annotated[Name, listed(later("Language"), example="de")] | UnsetType = UNSET
    """Declared language of the page, in lower case."""
    depth: Annotated[SpanText, listed(later("Clicks from the start page"), example="3..")] | UnsetType = UNSET
    """Clicks from the start page."""
    inlinks: Annotated[SpanText, listed(example="..1")] | UnsetType = UNSET
    """Number of pages with a followed link to the page."""
    content_inlinks: Annotated[SpanText, listed(example="..2")] | UnsetType = UNSET
    """Number of pages with a followed link to the page in their main content."""
    words: Annotated[SpanText, listed(example="..100")] | UnsetType = UNSET
    """Words of the main text."""
    ttfb_ms: Annotated[SpanText, listed(later("First byte in ms"), example="1000..")] | UnsetType = UNSET
    """Milliseconds to the first byte."""
    has: Annotated[Name, listed(later("With"))] | UnsetType = UNSET
    """Name of an extractor: pages with a match."""
    lacks: Annotated[Name, listed(later("Without"))] | UnsetType = UNSET
    """Name of an extractor: pages without a match. Pages whose response is not stored match neither has nor lacks."""
    value: Annotated[str, Meta(max_length=MAX_VALUE_CHARS), listed(later("Contains"))] = ""
    """Part of a value of the extractor in has, case-insensitive."""
    data: Annotated[DataText, listed(later("Uploaded numbers"), is_of_end=True)] | UnsetType = UNSET
    """Column of uploaded metrics, like clicks: with a range, like clicks:100.., pages whose value is in it."""
    search: Annotated[str, Meta(max_length=MAX_SEARCH_CHARS)] = ""
    """Part of the URL, case-insensitive."""
    finding: Annotated[str, Meta(max_length=MAX_URL_CHARS), listed(is_of_end=True)] | UnsetType = UNSET
    """Key of a finding of the site: the pages stored with it."""

    @property
    def given(self) -> dict[str, Any]:
        """Values of the filters that are set, by name."""
        values = ((name, getattr(self, name)) for name in PageFilters.__struct_fields__)
        return {name: value for name, value in values if value not in (UNSET, "")}


FILTERS: Mapping[str, Listed] = {
    name: replace(one, title=one.title or COLUMNS[name].title, words=one.words or COLUMNS[name].words) if name in COLUMNS else one
    for name, one in listed_in(PageFilters).items()
}
"""Filters by name; one with the name of a column has its title and words unless it has others."""
NUMBER, DATA = "number", "data"
"""Sort keys that are no columns: order of discovery, and the uploaded metric of the filter `data`."""
SORTS = (NUMBER, *(name for name, one in COLUMNS.items() if one.can_sort), DATA)
AFTER_CRAWL = frozenset(name for names in (COLUMNS, FILTERS) for name, one in names.items() if one.is_of_end)
"""Sort keys and filters by what is known after the crawl."""
KNOWN_OF_IMPORTS = frozenset(
    (NUMBER, "url", "status", "type", "indexable", "reason", "depth", "folder", "search", "found_by", "segment", "finding", DATA)
)
"""Sort keys and filters by what is known of the pages of an imported table; they have no value in all others."""


class PagePlace(Struct, frozen=True):
    """Position in a sorted list of pages: sort value and number of a page. Value 0 means that the page has no value."""

    value: int | str
    number: int
    backwards: bool = False


class PageSelection(PageFilters, frozen=True):
    """Filters, sort order and position of a list of pages."""

    sort: str = NUMBER
    """One of SORTS."""
    descending: bool = False
    limit: int = 10
    offset: int = 0
    place: PagePlace | None = None

    @classmethod
    def of(cls, filters: PageFilters, sort: str = NUMBER, *, descending: bool = False) -> "PageSelection":
        """Return a selection with the filters of a query."""
        return cls(**filters.given, sort=sort, descending=descending)
