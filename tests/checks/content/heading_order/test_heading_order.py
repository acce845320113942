"""Outcomes of heading-order: first what must not be flagged, then what must."""

import pytest

from tests.checks.harness import page, verdict

OUTCOMES = [
    ("nested", page("<h1>A</h1><h2>B</h2><h3>C</h3><h2>D</h2>"), "passed"),
    ("back up by two", page("<h1>A</h1><h2>B</h2><h3>C</h3><h4>D</h4><h2>E</h2>"), "passed"),
    ("begins with h2", page("<h2>A</h2><h3>B</h3>"), "passed"),
    ("a skip among hidden ones", page("<h1>A</h1><div hidden><h4>B</h4></div><h2>C</h2>"), "passed"),
    ("a picture without text is not empty", page("<h1><svg></svg></h1>"), "passed"),
    ("a component may fill it", page("<h1><x-title></x-title></h1>"), "passed"),
    ("a script may fill it", page('<h1>A</h1><h2 id="basket"></h2><h2 data-title=""></h2>'), "passed"),
    ("none", page("<p>Text</p>"), "inapplicable"),
    ("a role of another kind", page('<h1>A</h1><h4 role="presentation">B</h4>'), "passed"),
    ("a skip", page("<h1>A</h1><h3>B</h3>"), "warned"),
    ("a skip by role", page('<h1>A</h1><div role="heading" aria-level="4">B</div>'), "warned"),
    ("an empty heading", page("<h1>A</h1><h2> </h2>"), "warned"),
    ("both", page("<h1>A</h1><h2></h2><h4>B</h4>"), "warned"),
]


@pytest.mark.parametrize(("case", "html", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, expected: str) -> None:
    assert verdict("heading-order", html) == expected, case
