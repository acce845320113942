"""An automatic accessibility test finds serious faults.

In plain words: Visitors who cannot see well, or use no mouse, cannot use parts of this page.

Why it matters: What keeps people with disabilities out also keeps out programs that read and act on pages.

How to fix: Each rule of axe-core has a page that says how; begin with the critical ones.

    <img src="widget.jpg" alt="A blue widget">

Sources: [WCAG 2.2](https://www.w3.org/TR/WCAG22/); [Deque: axe-core rules](https://dequeuniversity.com/rules/axe/).

Not judged: What only a person can judge, such as whether a text makes sense; minor and moderate findings.
"""

from typing import Any

from findable.artifacts.browser.accessibility import Accessibility
from findable.checks.engine import Finding, check, failed, passed, quoted, warned
from findable.checks.evidence import SELECTOR
from findable.vocabulary import Code, Effort, Importance


class Impact(Code, params=("impact",)):
    """Impact of a violation, as rated by axe-core."""

    CRITICAL = "critical"
    SERIOUS = "serious"


@check("Is the page free of serious accessibility faults?", Importance.LOW, Effort.CONTENT, failed=10, warned=8)
def axe_violations(accessibility: Accessibility) -> Finding:
    """Checks critical and serious findings of axe-core."""
    critical = [item for item in accessibility.violations if item.impact == Impact.CRITICAL]
    serious = [item for item in accessibility.violations if item.impact == Impact.SERIOUS]
    shown = [
        quoted(item.selector, "{rule} ({impact})", kind=SELECTOR, rule=item.rule, impact=item.impact) for item in (*critical, *serious)
    ]
    values: dict[str, Any] = {"critical_count": len(critical), "serious_count": len(serious)}
    if critical:
        message = "{critical_count|critical accessibility fault|critical accessibility faults}"
        if serious:
            message = "{critical_count} critical and {serious_count|serious accessibility fault|serious accessibility faults}"
        return failed(message, evidence=shown, **values)
    if serious:
        return warned("{serious_count|serious accessibility fault|serious accessibility faults}", evidence=shown, **values)
    return passed("No serious accessibility fault")
