"""Ranges in query parameters, like 404, 5..20, ..50 or 20.., optionally for a column of uploaded metrics."""

from datetime import date
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from findable.crawl.page_selection import Span
from findable.errors import ValidationFailed
from findable.formats.number_tables import FIRST_DAY
from findable.web.api.validation import MESSAGE
from findable.wording import later

SPAN_PATTERN = r"^(\d{1,9}|\d{1,9}\.\.\d{0,9}|\.\.\d{1,9})$"
_SPAN = Meta(
    pattern=SPAN_PATTERN,
    extra={MESSAGE: "The {field} field must be a number, or a range like 5..20, ..50 or 20.."},
    examples=["20.."],
)
SpanText = Annotated[str, _SPAN]
_BOUND = r"(\d{1,9}|\d{4}-\d\d-\d\d)"
DATA = Meta(
    pattern=rf"^[a-z0-9_]{{1,40}}(:({_BOUND}(\.\.{_BOUND}?)?|\.\.{_BOUND}))?$",
    extra={MESSAGE: "The {field} field must be the name of a column, perhaps with a number or range, like clicks:100.."},
    examples=["clicks:100.."],
)


_NO_DAY = later("The data field must contain days like 2026-11-21.")


def span_of(text: str | UnsetType) -> Span | None:
    """Return the range in the text of a query parameter; None if the parameter was not sent."""
    if text is UNSET or not isinstance(text, str):
        return None
    low, mark, high = text.partition("..")
    return Span(_bound(low), _bound(high if mark else low))


def _bound(text: str) -> int | None:
    """Return a bound of a range, of days as the number of days since 1970. Raises ValidationFailed for a day that does not exist."""
    if "-" not in text:
        return int(text) if text else None
    try:
        return date.fromisoformat(text).toordinal() - FIRST_DAY
    except ValueError as error:
        raise ValidationFailed({"data": [_NO_DAY]}) from error


def data_of(text: str | UnsetType) -> tuple[str | None, Span | None]:
    """Return the column and range in a text like ``clicks:100..``; None for a missing part."""
    if text is UNSET or not isinstance(text, str):
        return None, None
    column, _, span = text.partition(":")
    return column, span_of(span or UNSET)
