"""Scripts keep the page from responding.

In plain words: Visitors tap and nothing happens for a while, because programs of the page keep the phone busy.

Why it matters: While a long task runs, taps and keys wait. Total Blocking Time is the laboratory counterpart of Interaction to Next Paint,
which can only be measured with visitors.

How to fix: Ship less script, split long tasks, and load the rest later.

    <script src="comments.js" defer></script>

Sources: [Lighthouse: Total Blocking Time](https://developer.chrome.com/docs/lighthouse/performance/lighthouse-total-blocking-time);
[web.dev: Total Blocking Time (TBT)](https://web.dev/articles/tbt) (2024): 200 ms; INP ≤ 200 ms is a field value.

Not judged: Interaction itself.
"""

from findable.artifacts.browser.vitals import LabValue, Vitals
from findable.checks.engine import Finding, check, failed, passed, quoted, warned
from findable.vocabulary import Effort, Importance

GOOD_MS = 200
POOR_MS = 600
"""Time from which TBT is poor: Lighthouse 13, total-blocking-time, phone."""


@check("Is the main thread free (lab)?", Importance.MEDIUM, Effort.CONTENT, costs={})
def tbt(vitals: Vitals) -> Finding:
    judge = passed if vitals.lab_tbt_ms <= GOOD_MS else warned if vitals.lab_tbt_ms <= POOR_MS else failed
    return judge(
        "Total blocking time {lab_tbt_ms} (lab); up to {good_ms} is good",
        lab_tbt_ms=vitals.lab_tbt_ms,
        good_ms=GOOD_MS,
        evidence=quoted(LabValue.MEDIAN),
    )
