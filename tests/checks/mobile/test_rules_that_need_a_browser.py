"""The rules of checks that read a rendering, over made-up renderings."""

from typing import Any

import pytest
from msgspec.structs import replace

from findable.artifacts.browser.rendered_page import Rendered
from findable.artifacts.page.head import Head
from findable.checks.accessibility.axe_violations import axe_violations
from findable.checks.engine import Finding
from findable.checks.mobile.content_width import content_width
from findable.checks.mobile.font_size import font_size
from findable.checks.mobile.interstitial import interstitial
from findable.checks.mobile.tap_targets import tap_targets
from findable.checks.technical.console_errors import console_errors
from tests.checks.harness import gathered, page

SOUND = Rendered(
    html="",
    lab_lcp_ms=0,
    lab_lcp_selector="",
    lab_cls=0,
    lab_tbt_ms=0,
    lab_fcp_ms=0,
    scroll_width_px=360,
    viewport_width_px=360,
    overlay_share=0.0,
    small_targets=(),
    targets_count=100,
    small_text_share=0.0,
    console_errors=(),
    axe_violations=(),
    oversized_images=(),
)
RULES = {
    "content-width": content_width,
    "font-size": font_size,
    "interstitial": interstitial,
    "tap-targets": tap_targets,
    "console-errors": console_errors,
    "axe-violations": axe_violations,
}
WITH_HEAD = ("content-width", "font-size", "interstitial")
OUTCOMES: list[tuple[str, dict[str, Any], str]] = [
    ("content-width", {}, "passed"),
    ("content-width", {"scroll_width_px": 362}, "passed"),
    ("content-width", {"scroll_width_px": 396}, "warned"),
    ("content-width", {"scroll_width_px": 400}, "failed"),
    ("font-size", {"small_text_share": 0.4}, "passed"),
    ("font-size", {"small_text_share": 0.41}, "warned"),
    ("interstitial", {"overlay_share": 0.29}, "passed"),
    ("interstitial", {"overlay_share": 0.9}, "warned"),
    ("tap-targets", {"small_targets": ("a",) * 5}, "passed"),
    ("tap-targets", {"small_targets": ("a",) * 6}, "warned"),
    ("tap-targets", {"targets_count": 0}, "inapplicable"),
    ("console-errors", {}, "passed"),
    ("console-errors", {"console_errors": ("x is not defined, app.js:1",)}, "warned"),
    ("axe-violations", {"axe_violations": (("region", "moderate", "div"),)}, "passed"),
    ("axe-violations", {"axe_violations": (("link-name", "serious", "a"),)}, "warned"),
    ("axe-violations", {"axe_violations": (("image-alt", "critical", "img"),)}, "failed"),
]


def judge(rule: str, rendered: Rendered) -> Finding:
    """The rule's finding on that rendering."""
    if rule not in WITH_HEAD:
        return RULES[rule](rendered)
    head = gathered(page()).present(Head)
    return RULES[rule](rendered, head)


@pytest.mark.parametrize(("rule", "seen", "expected"), OUTCOMES)
def test_outcome(rule: str, seen: dict[str, Any], expected: str) -> None:
    assert judge(rule, replace(SOUND, **seen)).verdict.value == expected
