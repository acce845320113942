"""The page jumps while it loads.

In plain words: Visitors press the wrong thing or lose their line, because the page jumps while it loads.

Why it matters: Cumulative Layout Shift measures how much visible content moves by itself; readers lose their line and press the wrong
button. It is one of the three Core Web Vitals.

How to fix: Reserve the space of images, frames and advertisements, and insert nothing above visible content.

    <img src="widget.jpg" alt="Blue widget" width="800" height="600">

Sources: [Google: Core Web Vitals](https://developers.google.com/search/docs/appearance/core-web-vitals) (2025): 0.1; [web.dev: Cumulative
Layout Shift (CLS)](https://web.dev/articles/cls) (2025).

Not judged: Shifts after the load, while readers scroll, are only known from field data.
"""

from findable.artifacts.browser.vitals import LabValue, Vitals
from findable.checks.engine import Finding, attribute_mark, check, failed, passed, quoted, warned
from findable.vocabulary import Effort, Importance

GOOD = 0.1
POOR = 0.25
"""Shift from which CLS is poor: web.dev, "Cumulative Layout Shift (CLS)" (2025)."""


@check("Is the layout stable while loading (lab)?", Importance.MEDIUM, Effort.CONTENT, costs={}, mark=attribute_mark("src"))
def cls(vitals: Vitals) -> Finding:
    judge = passed if vitals.lab_cls <= GOOD else warned if vitals.lab_cls <= POOR else failed
    return judge(
        "Cumulative layout shift {lab_cls} (lab); up to {good} is good", lab_cls=vitals.lab_cls, good=GOOD, evidence=quoted(LabValue.MEDIAN)
    )
