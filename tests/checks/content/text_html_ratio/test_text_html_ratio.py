"""Outcomes of text-html-ratio: first what must not be flagged, then what must."""

import pytest

from tests.checks.harness import page, verdict

OUTCOMES = [
    ("a page", page(), "info"),
    ("an empty body", page(""), "info"),
    ("a script shell", '<!doctype html><title>x</title><div id="root"></div><script src="/a.js"></script>', "unknown"),
]


@pytest.mark.parametrize(("case", "html", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, expected: str) -> None:
    assert verdict("text-html-ratio", html) == expected, case
