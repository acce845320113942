"""The page prevents zooming.

In plain words: Visitors with weak eyes cannot enlarge the page on their phone.

Why it matters: People with low vision enlarge the page. ``user-scalable=no`` and a low ``maximum-scale`` prevent that in Android browsers.

How to fix: Remove user-scalable and maximum-scale from the viewport.

    <meta name="viewport" content="width=device-width, initial-scale=1">

Sources: [WCAG 2.2, 1.4.4 Resize Text](https://www.w3.org/TR/WCAG22/#resize-text); Deque, axe rule "meta-viewport" (zoom up to 500 % must
work for the large variant).

Not judged: pages without a viewport. iOS has ignored these limits since version 10.
"""

import re

from findable.artifacts.page.viewport_meta import Viewport
from findable.checks.engine import Finding, check, passed, warned
from findable.checks.page_fix import Fix, attribute_fix
from findable.vocabulary import Effort, Importance

MIN_MAXIMUM_SCALE = 5.0
"""Minimum maximum-scale, as in Lighthouse and axe ("meta-viewport-large")."""


@check(
    "May readers zoom?",
    Importance.LOW,
    Effort.HEAD,
    warned=25,
    depends_on=("viewport",),
    mark=r"(?i)\b(?:user-scalable|maximum-scale)\s*=\s*[^,\"]+",
)
def viewport_zoom(viewport: Viewport) -> Finding:
    """Checks user-scalable and maximum-scale."""
    if not viewport.user_scalable:
        return warned("Zooming is switched off", evidence=viewport.element, fixes=[_fix(viewport)])
    if viewport.maximum_scale is not None and viewport.maximum_scale < MIN_MAXIMUM_SCALE:
        return warned(
            "Zooming is limited to a scale of {scale}, less than {least}",
            scale=viewport.maximum_scale,
            least=MIN_MAXIMUM_SCALE,
            evidence=viewport.element,
            fixes=[_fix(viewport)],
        )
    return passed("Zooming is not limited", evidence=viewport.element)


def _fix(viewport: Viewport) -> Fix | None:
    """Return the viewport meta element without the values that limit zooming, even if they are separate attributes."""
    parts = [part.strip() for part in re.split(r"[,;]", viewport.element.attr("content") or "")]
    kept = [part for part in parts if part and not part.lower().startswith(("user-scalable", "maximum-scale"))]
    return attribute_fix(
        viewport.element, content=", ".join(kept), user_scalable=None, maximum_scale=None, minimum_scale=None, initial_scale=None
    )
