"""Most of the text is smaller than 12 pixels on a phone.

In plain words: Visitors on phones have to enlarge the page to read its small text.

Why it matters: Readers must enlarge the page to read it.

How to fix: Start from the reader's default size.

    body { font-size: 1rem; line-height: 1.5 }

Sources: Lighthouse's former audit "font-size" (60 % of the text at 12 px or more).

Not judged: single small lines, such as legal notes.
"""

from findable.artifacts.browser.layout import LEGIBLE_PX, Layout
from findable.artifacts.page.head import Head
from findable.checks.engine import Finding, check, element, passed, warned
from findable.vocabulary import Effort, Importance

MAX_SMALL_SHARE = 0.40
"""Share of small text above which the check fails; Lighthouse required 60 % legible text."""


@check("Is the text large enough to read?", Importance.LOW, Effort.CONTENT, failed=20, warned=15)
def font_size(layout: Layout, head: Head) -> Finding:
    """Checks the share of text under LEGIBLE_PX."""
    percent = round(layout.small_text_share * 100)
    if layout.small_text_share > MAX_SMALL_SHARE:
        return warned(
            "{small_percent} of the text is under {least_px}, more than {limit_percent}",
            small_percent=percent,
            least_px=LEGIBLE_PX,
            limit_percent=round(100 * MAX_SMALL_SHARE),
            evidence=element(head.element, "the page's text on a phone"),
        )
    return passed("{small_percent} of the text is under {least_px}", small_percent=percent, least_px=LEGIBLE_PX)
