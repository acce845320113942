"""Outcomes of links-insecure: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import finding, page, verdict

OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("relative", page('<a href="/a">A</a>'), {}, "passed"),
    ("without a scheme", page('<a href="//www.example.com/a">A</a>'), {}, "passed"),
    ("another site over http", page('<a href="/a">A</a><a href="http://other.example/">O</a>'), {}, "passed"),
    ("an http URL in text only", page('<a href="/a">http://www.example.com/a</a>'), {}, "passed"),
    ("the page is on http", page('<a href="http://www.example.com/a">A</a>'), {"url": "http://www.example.com/"}, "inapplicable"),
    ("no links", page("<p>Text</p>"), {}, "inapplicable"),
    ("its own host over http", page('<a href="http://www.example.com/a">A</a>'), {}, "warned"),
    ("by a base address", page('<a href="a">A</a>', head='<title>T</title><base href="http://www.example.com/">'), {}, "warned"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("links-insecure", html, **given) == expected, case


@pytest.mark.parametrize(
    ("href", "proposed"),
    [
        ("http://www.example.com/a?b=1#c", "https://www.example.com/a?b=1#c"),
        ("http://example.com", "https://www.example.com/"),
        ("http://example.com:8080/a", None),
    ],
)
def test_a_link_is_moved_to_the_host_of_the_page(href: str, proposed: str | None) -> None:
    fixes = finding("links-insecure", page(f'<a href="{href}">A</a>')).fixes
    assert [fix.code for fix in fixes] == ([f'<a href="{proposed}">'] if proposed else [])
