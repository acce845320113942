"""Services that ask visitors for consent to cookies, and how to recognise and dismiss their layers.

Identifiers and calls are those that the services document or that their published layers have, compared in November 2026. The source of
each is in the data. Buttons are those of the first layer; none is identified by its text.
"""

from msgspec import Struct

from findable.artifacts.tables.table_file import read_table


class ConsentService(Struct, frozen=True):
    """Consent service with its selectors, in which ``>>>`` enters the open shadow root of the preceding element."""

    name: str
    source: str
    layer: str
    """Selector of the layer; nothing outside it is clicked."""
    reject: tuple[str, ...] = ()
    """Selectors of buttons that refuse everything unnecessary."""
    reject_call: str = ""
    """JavaScript call that refuses, if the layer has no such button; empty for none."""
    accept: tuple[str, ...] = ()
    """Selectors of buttons that consent to everything."""
    frame: str = ""
    """Selector of the frame with the buttons; empty for the page itself."""


class _Table(Struct, frozen=True):
    """Contents of data/consent_services.json."""

    dated: str
    services: tuple[ConsentService, ...]


_table = read_table("consent_services", _Table)
DATED = _table.dated
CONSENT_SERVICES = _table.services
