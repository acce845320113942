"""Outcomes of h1-multiple: first what must not be flagged, then what must."""

import pytest

from tests.checks.harness import finding, page, verdict

OUTCOMES = [
    ("one", page("<h1>Blue</h1>"), "info"),
    ("three", page("<h1>Blue</h1><h1>Red</h1><h1>Green</h1>"), "info"),
    ("none", page("<h2>Sizes</h2>"), "inapplicable"),
]


@pytest.mark.parametrize(("case", "html", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, expected: str) -> None:
    assert verdict("h1-multiple", html) == expected, case


def test_the_count_and_the_texts_are_told() -> None:
    found = finding("h1-multiple", page("<h1>Blue</h1><h1>Red</h1>"))

    assert found.params["count"] == 2
    assert found.params["texts"] == ["Blue", "Red"]
