"""Outcomes of h1-present: first what must not be flagged, then what must."""

import pytest

from tests.checks.harness import finding, page, verdict

OUTCOMES = [
    ("one", page("<h1>Blue widgets</h1>"), "passed"),
    ("an empty one first", page("<h1></h1><h1>Blue widgets</h1>"), "passed"),
    ("a logo with alternative text", page('<h1><img src="/l.png" alt="Example"></h1>'), "passed"),
    ("a role", page('<div role="heading" aria-level="1">Blue widgets</div>'), "passed"),
    ("a label", page('<h1 aria-label="Blue widgets"></h1>'), "passed"),
    ("for screen readers only", page('<h1 class="sr-only">Blue widgets</h1>'), "passed"),
    ("upper case and nested", page("<H1><span><b>Blue</b></span></H1>"), "passed"),
    ("below 400 divs", page("<div>" * 400 + "<h1>Deep</h1>"), "passed"),
    ("deeper than the parser keeps", page("<div>" * 3000 + "<h1>Deep</h1>"), "unknown"),
    ("a script shell", '<!doctype html><title>x</title><div id="root"></div><script src="/a.js"></script>', "unknown"),
    ("a hidden one before a visible one", page("<h1 hidden>Menu</h1><h1>Blue widgets</h1>"), "passed"),
    ("hidden", page("<h1 hidden>Blue widgets</h1><p>Text</p>"), "warned"),
    ("in a hidden part", page('<div style="display:none"><h1>Blue widgets</h1></div><h2>Sizes</h2>'), "warned"),
    ("only in a textarea", page("<textarea><h1>x</h1></textarea><h2>Sizes</h2>"), "warned"),
    ("only in a template", page("<template><h1>x</h1></template><h2>Sizes</h2>"), "warned"),
    ("others only", page("<h2>Sizes</h2>"), "warned"),
    ("empty", page("<h1> </h1><p>Text</p>"), "warned"),
    ("none in a short text", page("<p>Text</p>"), "warned"),
    ("none in a long text", page(f"<p>{'Many words. ' * 100}</p>"), "failed"),
]


@pytest.mark.parametrize(("case", "html", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, expected: str) -> None:
    assert verdict("h1-present", html) == expected, case


def _fixes(body: str, title: str) -> list[str]:
    return [fix.code for fix in finding("h1-present", page(body, head=f"<title>{title}</title>")).fixes]


def test_only_the_heading_of_the_content_that_says_the_title_is_raised() -> None:
    assert _fixes("<h2>Highlights</h2><main><h2>Bread of the market</h2></main>", "Bread of the market") == ["<h1>Bread of the market</h1>"]
    assert _fixes("<h2>Highlights</h2><p>Text</p>", "Bread of the market") == []
    assert _fixes("<nav><h2>Bread of the market</h2></nav>", "Bread of the market") == []
    assert _fixes('<div class="share-drawer"><h2>Bread of the market</h2></div>', "Bread of the market") == []
    assert _fixes("<h2>Bread of the market</h2><h3>Rolls</h3>", "Bread of the market") == []
