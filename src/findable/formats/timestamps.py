"""Timestamps as RFC 3339 text in UTC, as captures contain them."""

import re
from datetime import datetime

_FORM = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)


def moment(text: str) -> datetime:
    """Parse ``2026-11-21T10:00:04Z``. Raises ValueError on anything else."""
    if not _FORM.fullmatch(text):
        raise ValueError(f"{text!r} is not a UTC timestamp like 2026-11-21T10:00:04Z")
    return datetime.fromisoformat(text)
