"""Evidence for links."""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from findable.artifacts.page.links import Link
from findable.checks.engine import Evidence, element


def link_evidence(links: Sequence[Link], note: Callable[[Link], str] | str = "") -> list[Evidence]:
    """Return each link with its URL; ``note`` describes the fault."""
    return [replace(element(link.element, note if isinstance(note, str) else note(link)), url=link.url) for link in links]
