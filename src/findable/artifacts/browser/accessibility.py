"""Accessibility violations that axe-core reports."""

from msgspec import Struct

from findable.artifacts.html.rendered_document import Visit
from findable.artifacts.registry import Absent, artifact
from findable.capture.rendering import AxeNode
from findable.vocabulary import Verdict


class Accessibility(Struct, frozen=True):
    """Violations reported by axe-core."""

    violations: tuple[AxeNode, ...]


@artifact
def make_accessibility(visit: Visit) -> Accessibility | Absent:
    """Return the reported violations, each element once per rule; unknown if axe-core did not complete."""
    if not visit.rendering.axe_version:
        return Absent("not measured: axe-core did not finish on this page", Verdict.UNKNOWN)
    return Accessibility(tuple(dict.fromkeys(visit.rendering.axe)))
