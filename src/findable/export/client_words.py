"""The owner's texts for the client of a report."""

from collections.abc import Mapping

from msgspec import Struct

SECTIONS = ("search", "fixes", "findings", "outside", "counted")
"""Optional sections; verdict, summary and end are always shown."""


class ClientWords(Struct, frozen=True):
    """Plain texts for the client; each may be empty."""

    summary: str = ""
    notes: Mapping[str, str] = {}
    """Notes by check id."""
    sections: tuple[str, ...] = SECTIONS
    """Sections to show, in the order of SECTIONS."""
    prepared_by: str = ""
    prepared_for: str = ""


NOTHING_WRITTEN = ClientWords()
