"""Outcomes of data-nosnippet: first what must not be flagged, then what must."""

import pytest

from tests.checks.harness import page, verdict

TEXT = "Our widgets are cut by hand in a small workshop near the river. " * 20

OUTCOMES = [
    ("none", page(), "inapplicable"),
    ("on a span", page(f"<p>{TEXT}<span data-nosnippet>x</span></p>"), "passed"),
    ("on a div with a value, upper case", page(f"<p>{TEXT}</p><DIV DATA-NOSNIPPET=true>x</DIV>"), "passed"),
    (
        "nested ones count once",
        page(f"<p>{TEXT}</p><div data-nosnippet>{TEXT[:500]}<span data-nosnippet>{TEXT[:200]}</span></div>"),
        "passed",
    ),
    ("on a paragraph", page(f"<p>{TEXT}</p><p data-nosnippet>x</p>"), "warned"),
    ("most of the text", page(f"<div data-nosnippet>{TEXT}</div>"), "warned"),
]


@pytest.mark.parametrize(("case", "html", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, expected: str) -> None:
    assert verdict("data-nosnippet", html) == expected, case


def test_a_consent_layer_and_hidden_parts_are_no_content() -> None:
    recipe = "<main><h1>Rye bread</h1><p>" + "Mix the flour with water and let it rest. " * 6 + "</p></main>"
    notes = "<p>We use cookies to show you the page and to measure visits of it.</p>" * 20

    assert verdict("data-nosnippet", page(f'{recipe}<div id="cookie-law-info-bar" data-nosnippet>{notes}</div>')) == "passed"
    assert verdict("data-nosnippet", page(f'{recipe}<div style="display:none" data-nosnippet>{notes}</div>')) == "passed"
    assert verdict("data-nosnippet", page(f"<div data-nosnippet>{recipe}</div>")) == "warned"
