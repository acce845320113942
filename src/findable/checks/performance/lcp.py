"""The largest content is painted late.

In plain words: Visitors wait too long for the main part of the page.

Why it matters: Largest Contentful Paint is the time at which readers see the main content; it is one of the three Core Web Vitals.

How to fix: Respond quickly, avoid blocking resources, and let the browser discover the largest image early.

    <img src="hero.jpg" alt="…" width="1200" height="600" fetchpriority="high">

Sources: [Google: Core Web Vitals](https://developers.google.com/search/docs/appearance/core-web-vitals) (2025): 2.5 s; [Lighthouse: Largest
Contentful Paint](https://developer.chrome.com/docs/lighthouse/performance/lighthouse-largest-contentful-paint).

Not judged: This is a laboratory value of an emulated phone, the median of three loads; the values of visitors are field data.
"""

from findable.artifacts.browser.vitals import Vitals
from findable.checks.engine import Finding, check, failed, passed, quoted, warned
from findable.vocabulary import EVIDENCE_TEXT, Code, Effort, Importance

GOOD_MS = 2500
POOR_MS = 4000
"""Time from which LCP is poor: web.dev, "Largest Contentful Paint (LCP)" (2025)."""


class Unquotable(Code, params=(EVIDENCE_TEXT,)):
    """Placeholder evidence if there is nothing to quote."""

    NO_ELEMENT = "the browser named no element"


@check("Is the largest content painted soon (lab, phone)?", Importance.HIGH, Effort.CONTENT, costs={})
def lcp(vitals: Vitals) -> Finding:
    seen = quoted(vitals.lab_lcp_selector or Unquotable.NO_ELEMENT, "the element of the largest paint")
    judge = passed if vitals.lab_lcp_ms <= GOOD_MS else warned if vitals.lab_lcp_ms <= POOR_MS else failed
    return judge(
        "Largest contentful paint after {lab_lcp_ms} (lab); up to {good_ms} is good",
        lab_lcp_ms=vitals.lab_lcp_ms,
        good_ms=GOOD_MS,
        evidence=seen,
    )
