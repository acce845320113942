"""Buttons and links are too small or too close to be hit with a finger.

In plain words: Visitors on phones hit the wrong button or link, because they are small or close together.

Why it matters: Readers hit the wrong one. A target needs 24 by 24 pixels, or that much space around it.

How to fix: Add padding to tap targets.

    nav a { display: inline-block; padding: 12px }

Sources: [WCAG 2.2, 2.5.8 Target Size](https://www.w3.org/TR/WCAG22/#target-size-minimum) (Minimum).

Not judged: links within a line of text, which the rule exempts.
"""

from typing import Any

from findable.artifacts.browser.layout import TARGET_PX, Layout
from findable.checks.engine import Finding, check, inapplicable, passed, quoted, warned
from findable.vocabulary import Effort, Importance

PASS_SHARE = 0.95


@check("Can links and buttons be hit with a finger?", Importance.LOW, Effort.CONTENT, failed=20, warned=15)
def tap_targets(layout: Layout) -> Finding:
    """Checks the share of targets with enough size or spacing."""
    if not layout.targets_count:
        return inapplicable("The page has nothing to tap")
    small_count = len(layout.small_targets)
    values: dict[str, Any] = {"small_count": small_count, "targets_count": layout.targets_count}
    shown = [quoted(selector, "under {least_px} and not spaced", least_px=TARGET_PX) for selector in layout.small_targets]
    if small_count > (1 - PASS_SHARE) * layout.targets_count:
        return warned(
            "{small_count} of {targets_count|target|targets} too small, more than {limit_percent}",
            limit_percent=round(100 * (1 - PASS_SHARE)),
            evidence=shown,
            **values,
        )
    return passed("{small_count} of {targets_count|target|targets} too small", evidence=shown, **values)
