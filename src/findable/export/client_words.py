"""What the owner of a report wrote for the client."""

from collections.abc import Mapping

from msgspec import Struct

SECTIONS = ("search", "fixes", "findings", "counted")
"""What can be chosen; verdict, summary and end are always there."""


class ClientWords(Struct, frozen=True):
    """Plain text; each may be empty."""

    summary: str = ""
    notes: Mapping[str, str] = {}
    """Check id to note."""
    sections: tuple[str, ...] = SECTIONS
    """Which of SECTIONS are shown, in our order."""
    prepared_by: str = ""
    prepared_for: str = ""


NOTHING_WRITTEN = ClientWords()
