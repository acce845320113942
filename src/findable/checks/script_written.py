"""Finding for a part of the head that a script may add."""

from findable.artifacts.html.document import Element
from findable.checks.engine import Finding, element, unknown


def written_by_script(script: Element) -> Finding:
    """Return an unknown finding: the part is missing from the HTML, and this script may add it."""
    return unknown("Not known without a browser: a script may write it", evidence=element(script, "may write it"))
