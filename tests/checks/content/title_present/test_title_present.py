"""Outcomes of title-present: first what must not be flagged, then what must."""

import pytest

from tests.checks.harness import page, verdict

OUTCOMES = [
    ("a script writes it", page('<h1>Tea</h1><script>document.title = "Tea"</script>', head=""), "unknown"),
    ("a script that reads it", page("<h1>Tea</h1><script>if (document.title == x) y()</script>", head=""), "failed"),
    ("a plain title", page(), "passed"),
    ("entities and white space", page(head="<title>\n  Widgets &amp; more\n</title>"), "passed"),
    ("an svg title beside it", page(body="<svg><title>Logo</title></svg>"), "passed"),
    ("upper case", page(head="<TITLE>Widgets</TITLE>"), "passed"),
    ("a title in a template", page(body="<template><title>x</title></template>"), "passed"),
    ("two titles", page(head="<title>A</title><title>B</title>"), "warned"),
    ("a title that begins in the body", page(head="<div></div><title>A</title>"), "inapplicable"),
    ("none", page(head=""), "failed"),
    ("blank", page(head="<title> \n </title>"), "failed"),
    ("a blank one first", page(head="<title></title><title>A</title>"), "failed"),
    ("only an svg's", page(head="", body="<svg><title>Logo</title></svg>"), "failed"),
]


@pytest.mark.parametrize(("case", "html", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, expected: str) -> None:
    assert verdict("title-present", html) == expected, case
