"""Violations that axe-core reports."""

from msgspec import Struct

from findable.artifacts.html.rendered_document import Visit
from findable.artifacts.registry import artifact
from findable.capture.rendering import AxeNode


class Accessibility(Struct, frozen=True):
    """Violations as axe-core found them."""

    violations: tuple[AxeNode, ...]


@artifact
def make_accessibility(visit: Visit) -> Accessibility:
    """Return each node once for each rule."""
    return Accessibility(tuple(dict.fromkeys(visit.rendering.axe)))
