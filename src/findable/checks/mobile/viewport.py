"""The page sets no viewport, or one of a fixed width.

Why it matters: without a viewport phones lay the page out as on a desktop, about 980 pixels wide, and shrink it until nothing can be
read. Google indexes what phones get.

How to fix: put one line into the head.

    <meta name="viewport" content="width=device-width, initial-scale=1">

Sources: Google, "Mobile-first indexing best practices" (2025); CSS Viewport Module Level 1, section 4 (``<meta name="viewport">``).

Not judged: whether the page then fits: that needs a browser (``content-width``).
"""

from findable.artifacts.page.head import Head
from findable.artifacts.page.viewport_meta import Viewport
from findable.checks.engine import Finding, check, element, failed, passed, warned
from findable.vocabulary import Effort, Importance


@check(question="Is a responsive viewport set?", importance=Importance.HIGH, effort=Effort.HEAD)
def viewport(head: Head, viewport: Viewport | None) -> Finding:
    """Judges the last viewport that says anything."""
    if viewport is None:
        return failed("the page sets no viewport", evidence=element(head.element, "no viewport meta in here"))
    if viewport.follows_device:
        return passed("viewport {content}", content=viewport.content, evidence=viewport.element)
    if viewport.width_px is not None:
        return warned("the viewport has a fixed width of {width_px}", width_px=viewport.width_px, evidence=viewport.element)
    return warned("the viewport sets no width: {content}", content=viewport.content, evidence=viewport.element)
