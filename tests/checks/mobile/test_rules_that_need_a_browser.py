"""The rules of checks that read a rendering, over made-up renderings."""

from typing import Any

import pytest
from msgspec.structs import replace

from findable.artifacts.browser.accessibility import Accessibility
from findable.artifacts.browser.console import Console
from findable.artifacts.browser.layout import LEGIBLE_PX, Layout
from findable.artifacts.page.head import Head
from findable.capture.rendering import AxeNode
from findable.checks.accessibility.axe_violations import axe_violations
from findable.checks.engine import Finding
from findable.checks.mobile.content_width import content_width
from findable.checks.mobile.font_size import font_size
from findable.checks.mobile.interstitial import interstitial
from findable.checks.mobile.tap_targets import tap_targets
from findable.checks.technical.console_errors import console_errors
from tests.checks.harness import artifacts, page

SOUND = Layout(page_width_px=360, viewport_width_px=360, overlay_share=0.0, small_targets=(), targets_count=100, small_text_share=0.0)
RULES = {
    "content-width": content_width,
    "font-size": font_size,
    "interstitial": interstitial,
    "tap-targets": tap_targets,
}
WITH_HEAD = ("content-width", "font-size", "interstitial")
OUTCOMES: list[tuple[str, dict[str, Any], str]] = [
    ("content-width", {}, "passed"),
    ("content-width", {"page_width_px": 362}, "passed"),
    ("content-width", {"page_width_px": 396}, "warned"),
    ("content-width", {"page_width_px": 400}, "failed"),
    ("font-size", {"small_text_share": 0.4}, "passed"),
    ("font-size", {"small_text_share": 0.41}, "warned"),
    ("interstitial", {"overlay_share": 0.29}, "passed"),
    ("interstitial", {"overlay_share": 0.9}, "warned"),
    ("tap-targets", {"small_targets": ("a",) * 5}, "passed"),
    ("tap-targets", {"small_targets": ("a",) * 6}, "warned"),
    ("tap-targets", {"targets_count": 0}, "inapplicable"),
]


def judge(rule: str, layout: Layout) -> Finding:
    """The rule's finding on that layout."""
    if rule not in WITH_HEAD:
        return RULES[rule](layout)
    head = artifacts(page()).get_or_none(Head)
    return RULES[rule](layout, head)


@pytest.mark.parametrize(("rule", "seen", "expected"), OUTCOMES)
def test_outcome(rule: str, seen: dict[str, Any], expected: str) -> None:
    assert judge(rule, replace(SOUND, **seen)).verdict.value == expected


@pytest.mark.parametrize("share", [0.3, 0.6])
def test_finding_about_small_text_states_the_font_size(share: float) -> None:
    assert judge("font-size", replace(SOUND, small_text_share=share)).params["least_px"] == LEGIBLE_PX


@pytest.mark.parametrize(("errors", "expected"), [((), "passed"), (("x is not defined, app.js:1",), "warned")])
def test_uncaught_errors_warn(errors: tuple[str, ...], expected: str) -> None:
    assert console_errors(Console(errors)).verdict.value == expected


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        (AxeNode("region", "moderate", "div"), "passed"),
        (AxeNode("link-name", "serious", "a"), "warned"),
        (AxeNode("image-alt", "critical", "img"), "failed"),
    ],
)
def test_axe_nodes_are_judged_by_their_impact(node: AxeNode, expected: str) -> None:
    assert axe_violations(Accessibility((node,))).verdict.value == expected
