"""Outcomes of snippet-eligible: first what must not be flagged, then what must."""

import pytest

from tests.checks.harness import page, verdict

OUTCOMES = [
    ("nothing said", page(), "passed"),
    ("no limit", page(head='<meta name="robots" content="max-snippet:-1">'), "passed"),
    ("a wide limit", page(head='<meta name="robots" content="max-snippet: 200">'), "passed"),
    ("a limit that is no number", page(head='<meta name="robots" content="max-snippet:many">'), "passed"),
    ("for another crawler", page(head='<meta name="bingbot" content="nosnippet">'), "passed"),
    ("noindex is the cause", page(head='<meta name="robots" content="noindex, nosnippet">'), "inapplicable"),
    ("a narrow limit", page(head='<meta name="robots" content="max-snippet:50">'), "warned"),
    ("nosnippet", page(head='<meta name="robots" content="index, NoSnippet">'), "failed"),
    ("none at all", page(head='<meta name="googlebot" content="max-snippet:0">'), "failed"),
    ("in the body", page('<meta name="robots" content="nosnippet">'), "failed"),
]


@pytest.mark.parametrize(("case", "html", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, expected: str) -> None:
    assert verdict("snippet-eligible", html) == expected, case


def test_the_header_counts() -> None:
    headers = [["Content-Type", "text/html"], ["X-Robots-Tag", "googlebot: nosnippet"]]

    assert verdict("snippet-eligible", page(), headers=headers) == "failed"
