"""Texts that the owner of a report writes for its client."""

from collections.abc import Mapping

from msgspec import Struct

SECTIONS = ("search", "fixes", "findings", "outside", "counted")
"""Optional sections; verdict, summary and end are always shown."""


class ClientTexts(Struct, frozen=True):
    """Plain texts of a report's owner for the client, each possibly empty."""

    summary: str = ""
    notes: Mapping[str, str] = {}
    """Notes by check id, stored even while the finding is gone."""
    prepared_by: str = ""
    prepared_for: str = ""


class ClientWords(ClientTexts, frozen=True):
    """Texts for the client, and the sections to show."""

    sections: tuple[str, ...] = SECTIONS
    """Optional sections that guests see."""


NOTHING_WRITTEN = ClientWords()
