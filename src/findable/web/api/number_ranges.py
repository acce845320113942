"""Ranges in query parameters, like 404, 5..20, ..50 or 20.., optionally for a column of uploaded metrics."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from findable.crawl.page_selection import Span
from findable.web.api.validation import MESSAGE

SPAN_PATTERN = r"^(\d{1,9}|\d{1,9}\.\.\d{0,9}|\.\.\d{1,9})$"
_SPAN = Meta(
    pattern=SPAN_PATTERN,
    extra={MESSAGE: "The {field} field must be a number, or a range like 5..20, ..50 or 20.."},
    examples=["20.."],
)
SpanText = Annotated[str, _SPAN]
DATA = Meta(
    pattern=rf"^[a-z0-9_]{{1,40}}(:{SPAN_PATTERN[1:-1]})?$",
    extra={MESSAGE: "The {field} field must be the name of a column, perhaps with a number or range, like clicks:100.."},
    examples=["clicks:100.."],
)


def span_of(text: str | UnsetType) -> Span | None:
    """Return the range in the text of a query parameter; None if the parameter was not sent."""
    if text is UNSET or not isinstance(text, str):
        return None
    if ".." not in text:
        return Span(int(text), int(text))
    low, _, high = text.partition("..")
    return Span(int(low) if low else None, int(high) if high else None)


def data_of(text: str | UnsetType) -> tuple[str | None, Span | None]:
    """Return the column and range in a text like ``clicks:100..``; None for a missing part."""
    if text is UNSET or not isinstance(text, str):
        return None, None
    column, _, span = text.partition(":")
    return column, span_of(span or UNSET)
