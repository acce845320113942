"""Times in captures: RFC 3339 text in UTC."""

import re
from datetime import datetime

_FORM = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)


def moment(text: str) -> datetime:
    """The time that ``2026-11-21T10:00:04Z`` names. Raises ValueError on anything else."""
    if not _FORM.fullmatch(text):
        msg = f"{text!r} is no time as captures have it"
        raise ValueError(msg)
    return datetime.fromisoformat(text)
