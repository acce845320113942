"""The faults, one module for each part of a report; importing this registers them all."""

from tests.mutations.fault import FAULTS
from tests.mutations.faults import content, data, delivery, indexing, international, links, media, security, site, technical

__all__ = ["FAULTS", "content", "data", "delivery", "indexing", "international", "links", "media", "security", "site", "technical"]
