"""The finding for a part of the head that a script may write."""

from findable.artifacts.html.document import Element
from findable.checks.engine import Finding, element, unknown


def written_by_script(script: Element) -> Finding:
    """Unknown: the part is missing in the HTML, and this script may write it."""
    return unknown("Not known without a browser: a script may write it", evidence=element(script, "may write it"))
