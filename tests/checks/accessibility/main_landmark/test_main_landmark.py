"""Outcomes of main-landmark: first what must not be flagged, then what must."""

import pytest

from tests.checks.harness import finding, page, verdict

OUTCOMES = [
    ("one", page("<main>x</main>"), "passed"),
    ("a role", page('<div role="main">x</div>'), "passed"),
    ("a role on the element", page('<main role="main">x</main>'), "passed"),
    ("a hidden one beside it", page("<main>x</main><main hidden>y</main><div style='display:none'><main>z</main></div>"), "passed"),
    ("a set of frames", "<!doctype html><html><frameset><frame src=a></frameset></html>", "inapplicable"),
    ("a page that scripts build", page('<div id="root"></div><script src="/app.js"></script>'), "unknown"),
    ("none", page("<div>x</div>"), "warned"),
    ("only in a template", page("<template><main>x</main></template>"), "warned"),
    ("two", page("<main>x</main><main>y</main>"), "warned"),
    ("one that gave up its role", page('<main role="presentation">x</main>'), "warned"),
]


@pytest.mark.parametrize(("case", "html", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, expected: str) -> None:
    assert verdict("main-landmark", html) == expected, case


def test_a_second_region_becomes_a_plain_element() -> None:
    body = '<main>x</main><main class="a">y</main><div role="main">z</div>'

    assert [fix.code for fix in finding("main-landmark", page(body)).fixes] == ['<div class="a">y</div>', "<div>"]
