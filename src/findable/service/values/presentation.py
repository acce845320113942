"""How a report is shown to those it was made for: what the owner wrote and chose, the project's brand and language, the link."""

import hashlib
import json
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta

from msgspec import Struct, field

from findable.store.report_link_table import LinkRow

SECTIONS = ("search", "fixes", "outside", "findings", "counted", "facts", "evidence")
"""Sections of the page that can be chosen, in their order; verdict and summary are always there. ``evidence`` is the saved page."""


class ClientView(Struct, frozen=True):
    """What the owner wrote for the client: plain text with line breaks."""

    summary: str = ""
    notes: Mapping[str, str] = field(default_factory=dict)
    """Check id to note; kept while the finding comes and goes."""
    sections: tuple[str, ...] = SECTIONS
    """Which of SECTIONS guests are shown."""
    prepared_by: str = ""
    prepared_for: str = ""
    run: int | None = None
    """The run that the link stays at; None for the newest result."""

    def shows(self, section: str) -> bool:
        """Whether guests are shown it."""
        return section in self.sections

    @property
    def gives_saved_page(self) -> bool:
        """Whether guests get the saved page: everything can be read from it, so only where nothing is hidden from them."""
        return all(map(self.shows, SECTIONS))

    @property
    def shown_notes(self) -> Mapping[str, str]:
        """The notes that guests are shown: none where the findings they belong to are hidden."""
        return self.notes if self.shows("findings") else {}


class BrandView(Struct, frozen=True):
    """How the project shows itself; each part may be empty."""

    name: str = ""
    color: str = ""
    """``#rrggbb``."""
    logo: bytes = b""
    """Hash of the picture."""

    @property
    def digest(self) -> str:
        """Changes with any part of it."""
        return hashlib.sha256(repr((self.name, self.color, self.logo)).encode()).hexdigest()[:8]


class Presentation(Struct, frozen=True):
    """All of it."""

    client: ClientView = field(default_factory=ClientView)
    brand: BrandView = field(default_factory=BrandView)
    language: str | None = None
    """In which guests read the report; None for what they ask for."""
    is_listed: bool = False
    """Whether search engines may list the public page."""
    expires_at: datetime | None = None
    """Guests see it until then; None for no end."""

    @property
    def last_day(self) -> date | None:
        """The last day (UTC) on which guests see it."""
        return None if self.expires_at is None else (self.expires_at - timedelta(seconds=1)).astimezone(UTC).date()


def presentation_of(row: LinkRow) -> Presentation:
    """What the columns hold."""
    return Presentation(
        client=client_of(row.client_json),
        brand=BrandView(row.brand_name or "", row.brand_color or "", row.brand_logo or b""),
        language=row.language or None,
        is_listed=bool(row.listed),
        expires_at=None if row.expires_at is None else datetime.fromtimestamp(row.expires_at, UTC),
    )


def client_of(text: str | None) -> ClientView:
    """What `client_json` made."""
    if not text:
        return ClientView()
    kept = json.loads(text)
    return ClientView(
        summary=kept.get("summary", ""),
        notes=kept.get("notes", {}),
        sections=tuple(name for name in SECTIONS if name not in kept.get("hidden", ())),
        prepared_by=kept.get("prepared_by", ""),
        prepared_for=kept.get("prepared_for", ""),
        run=kept.get("run"),
    )


def client_json(client: ClientView) -> str | None:
    """As it is kept: what is hidden, so that sections that come later are shown; None for nothing."""
    kept = {
        "summary": client.summary,
        "notes": dict(client.notes),
        "hidden": [name for name in SECTIONS if name not in client.sections],
        "prepared_by": client.prepared_by,
        "prepared_for": client.prepared_for,
        "run": client.run,
    }
    said = {name: value for name, value in kept.items() if value}
    return json.dumps(said, ensure_ascii=False, separators=(",", ":")) if said else None
