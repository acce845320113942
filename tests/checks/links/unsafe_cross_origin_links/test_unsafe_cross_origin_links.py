"""Outcomes of unsafe-cross-origin-links: first what must not be flagged, then what must."""

import pytest

from tests.checks.harness import page, verdict

OUTCOMES = [
    ("implied noopener", page('<a href="https://a.example/" target="_blank">A</a>'), "passed"),
    ("said noopener", page('<a href="https://a.example/" target="_blank" rel="noopener">A</a>'), "passed"),
    ("in the same tab", page('<a href="https://a.example/" rel="opener">A</a>'), "passed"),
    (
        "a script that keeps it back",
        page("""<a href="https://a.example/" onclick="window.open(this.href, '', 'noopener')">A</a>"""),
        "passed",
    ),
    ("to the own site", page('<a href="/a" target="_blank" rel="opener">A</a>'), "inapplicable"),
    ("rel=opener", page('<a href="https://a.example/" target="_blank" rel="nofollow OPENER">A</a>'), "warned"),
    (
        "window.open",
        page(
            '<a href="https://a.example/" onclick="window . open(this.href)">A</a><a href="https://a.example/" onclick="window.open (this.href)">A</a>'
        ),
        "warned",
    ),
]


@pytest.mark.parametrize(("case", "html", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, expected: str) -> None:
    assert verdict("unsafe-cross-origin-links", html) == expected, case
