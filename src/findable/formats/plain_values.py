"""Convert written dates, numbers and durations to machine-readable form if their meaning is certain."""

import re
from datetime import datetime

from findable.lazy_pattern import lazy_pattern

MAX_CHARS = 80
_FORMS = (
    *("%B %d, %Y", "%b %d, %Y", "%d %B %Y", "%d %b %Y", "%Y/%m/%d", "%Y.%m.%d", "%a %b %d %Y"),
    *("%a, %d %b %Y %H:%M:%S %z", "%a %b %d %Y %H:%M:%S %z", "%d %b %Y %H:%M:%S %z", "%B %d, %Y %H:%M"),
)
"""Formats in which day and month cannot be confused, with English month names."""
_ZONE_NAME = lazy_pattern(r" ?\([^()]{0,40}\)\Z")
_GMT = lazy_pattern(r"\b(?:GMT|UTC)(?=[+-]\d{4}|\Z)")
_AMOUNT = lazy_pattern(r"[^\d]*(\d{1,3}(?:([.,'\u00a0\u202f ])\d{3})*|\d+)([.,]\d{1,2})?[^\d]*")
_MINUTES = lazy_pattern(
    r"(?:(\d{1,3})\s*(?:h|hrs?|hours?|std\.?|stunden?)\b\.?)?\s*(?:(\d{1,4})\s*(?:m|mins?|minutes?|minuten?)\b\.?)?", re.IGNORECASE
)


def iso_date(text: str) -> str:
    """Convert a written date such as November 19, 2019 to ISO 8601; empty if it is ambiguous or not a date."""
    plain = _ZONE_NAME.sub("", " ".join(text[:MAX_CHARS].split()))
    plain = " ".join(_GMT.sub("+0000", plain).replace("+0000+", "+").replace("+0000-", "-").split())
    if not any(map(str.isdecimal, plain)):  # also spares a page without a date the eleven formats, which are compiled on first use
        return ""
    for form in _FORMS:
        try:
            moment = datetime.strptime(plain, form)  # noqa: DTZ007 - most formats have no time zone, and none is assumed
        except ValueError:
            continue
        return moment.isoformat() if "%H" in form else moment.date().isoformat()
    return ""


def plain_number(text: str) -> str:
    """Convert an amount to digits and a point: 1,299.00 and 1.299,00 € give 1299.00. Empty if a separator is ambiguous."""
    found = _AMOUNT.fullmatch(text[:MAX_CHARS])
    if found is None:
        return ""
    whole, separator, cents = found.groups()
    if separator and not cents and separator in ".,":
        return ""  # 1.299 may have a decimal or a thousands separator
    if cents and cents[0] == separator:
        return ""
    return re.sub(r"\D", "", whole) + (cents or "").replace(",", ".")


def iso_duration(text: str) -> str:
    """Convert 1 h 30 min to PT1H30M; empty for other formats."""
    found = _MINUTES.fullmatch(text[:MAX_CHARS].strip())
    if found is None or not any(found.groups()):
        return ""
    hours, minutes = (int(part) if part else 0 for part in found.groups())
    return "PT" + (f"{hours}H" if hours else "") + (f"{minutes}M" if minutes or not hours else "")
