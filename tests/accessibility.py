"""axe-core over a page in Chromium: what it finds serious or critical. Where the script comes from: vendor/axe-core/README.md."""

import gzip
from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

AXE = Path(__file__).parent / "vendor" / "axe-core" / "axe.min.js.gz"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
WORST = {"serious", "critical"}


@cache
def _script() -> str:
    return gzip.decompress(AXE.read_bytes()).decode()


def faults(page: Page) -> list[str]:
    """One line for every element that breaks a rule badly; empty for a sound page."""
    page.evaluate(_script())
    found: Any = page.evaluate("rules => axe.run(document, {runOnly: rules, resultTypes: ['violations']})", RULES)
    ids: list[str] = page.evaluate("[...document.querySelectorAll('[id]')].map(element => element.id)")
    return [f"two elements have the id {one}" for one in sorted({one for one in ids if ids.count(one) > 1})] + [
        f"{violation['id']} ({violation['impact']}): {node['html'][:160]} – {' '.join(node['failureSummary'].split())[:300]}"
        for violation in found["violations"]
        if violation["impact"] in WORST
        for node in violation["nodes"][:3]
    ]
