"""Outcomes of css-inline: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import finding, page, verdict

BIG = "a{color:red}" * 5000

OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("none", page(), {}, "passed"),
    ("a few", page('<p style="color:red">x</p>' * 50), {}, "passed"),
    ("written by a framework", page(head=f"<style data-emotion=css>{BIG}</style><style data-styled>{BIG}</style>"), {}, "passed"),
    ("with class names of a framework", page(head=f"<style>.css-1dv1kvn{{border:0}}{BIG}</style>"), {}, "passed"),
    ("critical", page(head=f"<style id=critical-css>{BIG}</style>"), {}, "passed"),
    ("AMP", page().replace("<html", "<html amp"), {}, "inapplicable"),
    ("formulas", page('<mjx-container><mjx-c style="top:1em"></mjx-c></mjx-container>' * 51), {}, "passed"),
    ("formulas of MediaWiki", page('<span class="mwe-math-element"><img style="width:2ex" alt="x"></span>' * 51), {}, "passed"),
    ("variables in text", page('<span class="texhtml mvar" style="font-style:italic">x</span>' * 51), {}, "passed"),
    ("KaTeX", page('<span class="katex"><b><i style="height:1em">x</i></b></span>' * 51), {}, "passed"),
    ("highlighted code", page('<pre class="shiki">' + '<span style="color:red">x</span>' * 51 + "</pre>"), {}, "passed"),
    ("drawings", page("<svg>" + '<path style="fill:none"/>' * 51 + f"<style>{BIG}</style></svg>"), {}, "passed"),
    ("code of GeSHi", page('<div class="wp_syntax"><pre>' + '<span style="color:red">x</span>' * 51 + "</pre></div>"), {}, "passed"),
    ("scripts", page('<script style="display:none"></script>' * 51), {}, "passed"),
    ("menus that scripts open", page('<ul style="display: none;"><li>x</li></ul>' * 51), {}, "passed"),
    ("code written by hand", page("<pre>" + '<span style="color:red">x</span>' * 51 + "</pre>"), {}, "warned"),
    ("many attributes", page('<p style="color:red">x</p>' * 51), {}, "warned"),
    ("a large element", page(head=f"<style>{BIG}</style>"), {}, "warned"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("css-inline", html, **given) == expected, case


def test_drawings_do_not_hide_what_stands_behind_them() -> None:
    drawing = "<svg>" + '<g style="fill:none"></g>' * 100 + "</svg>"

    found = finding("css-inline", page(drawing * 40 + '<p style="color:red">x</p>' * 60))

    assert found.params["attributes_count"] == 60
