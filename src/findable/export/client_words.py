"""Texts that the owner of a report writes for its client."""

from collections.abc import Mapping

from msgspec import Struct

SECTIONS = ("search", "fixes", "findings", "outside", "counted")
"""Optional sections; verdict, summary and end are always shown."""


class ClientWords(Struct, frozen=True):
    """Plain texts of a report's owner for the client, each possibly empty, and the sections to show."""

    summary: str = ""
    notes: Mapping[str, str] = {}
    """Notes by check id."""
    sections: tuple[str, ...] = SECTIONS
    """Sections to show, in the order of SECTIONS."""
    prepared_by: str = ""
    prepared_for: str = ""


NOTHING_WRITTEN = ClientWords()
