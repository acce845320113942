"""The page is wider than a phone's screen.

In plain words: Visitors on phones have to push the page sideways to read every line.

Why it matters: Readers must scroll sideways for every line.

How to fix: Give images, tables and code a maximum width, and let grids wrap.

    img, video { max-width: 100%; height: auto }
    pre, table { overflow-x: auto; display: block }

Sources: [Google: Mobile-first indexing best
practices](https://developers.google.com/search/docs/crawling-indexing/mobile/mobile-sites-mobile-first-indexing) (2025); [WCAG 2.2,
1.4.10 Reflow](https://www.w3.org/TR/WCAG22/#reflow).

Not judged: what scrolls within its own box.
"""

from typing import Any

from findable.artifacts.browser.layout import Layout
from findable.artifacts.page.head import Head
from findable.checks.engine import Finding, check, element, failed, passed, warned
from findable.vocabulary import Effort, Importance

TOLERANCE_PX = 2
"""Tolerance in pixels for rounding in subpixel layouts."""
FAIL_SHARE = 0.10


@check("Does the page fit a phone's screen?", Importance.MEDIUM, Effort.CONTENT, failed=60, warned=30)
def content_width(layout: Layout, head: Head) -> Finding:
    """Compares the scroll width with the width of the viewport."""
    over_px = layout.page_width_px - layout.viewport_width_px
    values: dict[str, Any] = {"scroll_width_px": layout.page_width_px, "viewport_width_px": layout.viewport_width_px}
    if over_px <= TOLERANCE_PX:
        return passed("The page is {scroll_width_px} wide on a screen of {viewport_width_px}", **values)
    shown = element(head.element, "the page, laid out for a phone")
    verdict = failed if over_px > FAIL_SHARE * layout.viewport_width_px else warned
    return verdict("The page is {scroll_width_px} wide on a screen of {viewport_width_px}", evidence=shown, **values)
