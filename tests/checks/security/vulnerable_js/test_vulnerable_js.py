"""Outcomes of vulnerable-js: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import finding, page, verdict

OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("no scripts", page(), {}, "inapplicable"),
    ("unknown", page(head='<script src="/app.js"></script>'), {}, "passed"),
    ("current", page(head='<script src="https://cdn.example.net/npm/jquery@3.7.1/dist/jquery.min.js"></script>'), {}, "passed"),
    (
        "a banner outweighs the address",
        page(head='<script src="/jquery-1.0.0.js"></script>'),
        {"assets": {"https://www.example.com/jquery-1.0.0.js": {"body": "/*! jQuery v3.7.1 */"}}},
        "passed",
    ),
    ("a query is no version", page(head='<script src="/jquery.min.js?ver=1.0"></script>'), {}, "passed"),
    ("medium", page(head='<script src="/jquery-3.4.1.min.js"></script>'), {}, "warned"),
    ("high", page(head='<script src="/moment-2.24.0.min.js"></script>'), {}, "failed"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("vulnerable-js", html, **given) == expected, case


def test_the_fix_is_of_the_library_found() -> None:
    def advised(src: str) -> tuple[str, object, object]:
        found = finding("vulnerable-js", page(head=f'<script src="{src}"></script>'))
        return found.advice, found.params["updates"], found.params["ended"]

    old_jquery = advised("/jquery-1.12.4.min.js")
    assert old_jquery == ("Update to these versions or later: {updates}.", ["jQuery 3.5.0 (+ jQuery Migrate)"], [])
    assert advised("/jquery-3.4.1.min.js")[1] == ["jQuery 3.5.0"]
    ended = advised("/angular-1.6.6.min.js")
    assert ended == ("No version fixes the holes of {ended}: move to another library.", [], ["AngularJS"])
