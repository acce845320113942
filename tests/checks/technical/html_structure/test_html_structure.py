"""Outcomes of html-structure: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict

OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("sound", page(), {}, "info"),
    ("faults that do no harm", page("<p><div>x</p></b>"), {}, "info"),
    (
        "a body in a script, a comment and a template",
        page("<script>'<body>'</script><!-- <body> --><template><body></template>"),
        {},
        "info",
    ),
    ("one base", page(head='<base href="/shop/">'), {}, "info"),
    ("a base without an address", page(head='<base target="_top"><base href="/">'), {}, "info"),
    ("a second root without attributes", page("<html>x<body>"), {}, "info"),
    ("a second body with the same attributes", "<!doctype html><title>T</title><body class=a>x<body class=a>y", {}, "info"),
    ("a second root in another language", "<!doctype html><html lang=en-US><title>T</title><p>x<html lang=en>y", {}, "info"),
    ("cut off", "<!doctype html><title>T</title><script>var a = 1", {"truncated": True}, "unknown"),
    ("a second body", page("<body class=x>"), {}, "warned"),
    ("an open comment", page("x<!-- y"), {}, "warned"),
    ("an open title", "<!doctype html><title>T<p>Text", {}, "warned"),
    ("an open script", "<!doctype html><title>T</title><script>var a = 1; </body>", {}, "warned"),
    ("two bases", page(head='<base href="/a"><base href="/b">'), {}, "warned"),
    ("a base elsewhere", page(head='<base href="https://other.example/">'), {}, "warned"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("html-structure", html, **given) == expected, case
