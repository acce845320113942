"""Outcomes of meta-keywords: first what must not be flagged, then what must."""

import pytest

from tests.checks.harness import finding, page, verdict

OUTCOMES = [
    ("none", page(), "info"),
    ("some", page(head='<meta name="keywords" content="blue, widgets">'), "info"),
    ("blank", page(head='<meta name="keywords" content="">'), "info"),
]


@pytest.mark.parametrize(("case", "html", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, expected: str) -> None:
    assert verdict("meta-keywords", html) == expected, case


def test_entries_are_counted() -> None:
    assert finding("meta-keywords", page(head='<meta name="keywords" content="blue, widgets,">')).params["count"] == 2
