"""Hosts of advertising, analytics, chat and consent services, whose scripts change at any time behind one URL.

Collected in November 2026 from the vendors' own snippets and the requests of publishers' pages. A missing host only costs a hint.
"""

from msgspec import Struct

from findable.artifacts.tables.table_file import read_table


class _Table(Struct, frozen=True):
    """Contents of data/tag_hosts.json."""

    dated: str
    analytics: frozenset[str]
    """Registrable domains, or hosts if the domain also has other services."""
    advertising: frozenset[str]
    chat: frozenset[str]
    other: frozenset[str]
    """Hosts of consent, of tags, and of services that also serve what pages show."""


_TABLE = read_table("tag_hosts", _Table)
DATED = _TABLE.dated
COUNTING_HOSTS = _TABLE.analytics | _TABLE.advertising | _TABLE.chat
"""Hosts that count a visit as a visitor, and serve nothing that search engines judge."""
_HOSTS = COUNTING_HOSTS | _TABLE.other


def serves_tags(host: str) -> bool:
    """Return whether the host, or a domain above it, serves advertising, analytics or consent scripts."""
    labels = host.split(".")
    return any(".".join(labels[start:]) in _HOSTS for start in range(len(labels) - 1))
