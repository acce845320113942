"""The first content is painted late.

In plain words: Visitors look at an empty screen for too long before anything appears.

Why it matters: Until the first text or image appears, readers see a blank page and leave.

How to fix: Respond fast, and keep scripts and stylesheets from blocking the first paint.

    <script src="app.js" defer></script>

Sources: [Lighthouse: First Contentful Paint](https://developer.chrome.com/docs/lighthouse/performance/first-contentful-paint);
[web.dev: First Contentful Paint (FCP)](https://web.dev/articles/fcp) (2024): 1.8 s.

Not judged: This is a laboratory value of an emulated phone, the median of three loads.
"""

from findable.artifacts.browser.vitals import LabValue, Vitals
from findable.checks.engine import Finding, check, failed, passed, quoted, warned
from findable.vocabulary import Effort, Importance

GOOD_MS = 1800
POOR_MS = 3000
"""Time from which FCP is poor: web.dev, "First Contentful Paint (FCP)" (2024)."""


@check("Is the first content painted soon (lab)?", Importance.LOW, Effort.CONTENT, costs={})
def fcp(vitals: Vitals) -> Finding:
    judge = passed if vitals.lab_fcp_ms <= GOOD_MS else warned if vitals.lab_fcp_ms <= POOR_MS else failed
    return judge(
        "First contentful paint after {lab_fcp_ms} (lab); up to {good_ms} is good",
        lab_fcp_ms=vitals.lab_fcp_ms,
        good_ms=GOOD_MS,
        evidence=quoted(LabValue.MEDIAN),
    )
