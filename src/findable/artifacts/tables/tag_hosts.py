"""Hosts of advertising, analytics and consent services, whose scripts change at any time behind one URL.

Collected in November 2026 from the vendors' own snippets and the requests of publishers' pages. A missing host only costs a hint.
"""

from msgspec import Struct

from findable.artifacts.tables.table_file import read_table


class _Table(Struct, frozen=True):
    """Contents of data/tag_hosts.json."""

    dated: str
    hosts: frozenset[str]
    """Registrable domains, or hosts if the domain also has other services."""


_TABLE = read_table("tag_hosts", _Table)
DATED = _TABLE.dated


def serves_tags(host: str) -> bool:
    """Return whether the host, or a domain above it, serves advertising, analytics or consent scripts."""
    labels = host.split(".")
    return any(".".join(labels[start:]) in _TABLE.hosts for start in range(len(labels) - 1))
