"""Outcomes of viewport: first what must not be flagged, then what must."""

import pytest

from tests.checks.harness import finding, page, verdict

OUTCOMES = [
    ("usual", page(head='<meta name="viewport" content="width=device-width, initial-scale=1">'), "passed"),
    ("letter case, semicolons, spaces", page(head='<META NAME="Viewport" CONTENT="WIDTH = Device-Width; Initial-Scale=1.0">'), "passed"),
    ("scale alone", page(head='<meta name="viewport" content="initial-scale=1.0">'), "passed"),
    (
        "the last one counts",
        page(head='<meta name="viewport" content="width=1024"><meta name="viewport" content="width=device-width">'),
        "passed",
    ),
    ("an empty one behind it", page(head='<meta name="viewport" content="width=device-width"><meta name="viewport" content="">'), "passed"),
    ("in the body", page(body='<meta name="viewport" content="width=device-width">'), "passed"),
    ("fixed", page(head='<meta name="viewport" content="width=980">'), "warned"),
    ("no width", page(head='<meta name="viewport" content="user-scalable=yes">'), "warned"),
    ("half size", page(head='<meta name="viewport" content="initial-scale=0.5">'), "warned"),
    ("none", page(), "failed"),
    (
        "created by a script",
        page(head="<script>var m=document.createElement('meta');m.name='viewport';document.head.appendChild(m)</script>"),
        "unknown",
    ),
    ("written by a script", page(head="<script>document.write('<meta name=viewport content=width=device-width>')</script>"), "unknown"),
    ("a script that writes something else", page(head="<script>document.createElement('meta').name = 'theme-color'</script>"), "failed"),
    ("an external script", page(head='<script src="/a.js"></script>'), "failed"),
    (
        "a separate page for phones",
        page(head='<link rel="alternate" media="only screen and (max-width: 640px)" href="https://m.example.com/shop/blue-widgets">'),
        "info",
    ),
    (
        "a separate page for phones beside a fixed width",
        page(
            head='<meta name="viewport" content="width=1175"><link rel="alternate" media="only screen and (max-width: 640px)" href="https://m.example.com/">'
        ),
        "info",
    ),
    ("lost behind an early end of the head", page(head='<div></div><meta name="viewport" content="width=device-width">'), "inapplicable"),
    ("no content", page(head='<meta name="viewport">'), "failed"),
    ("in a comment", page(head='<!-- <meta name="viewport" content="width=device-width"> -->'), "failed"),
]


@pytest.mark.parametrize(("case", "html", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, expected: str) -> None:
    assert verdict("viewport", html) == expected, case


def test_values_that_stand_as_attributes_are_removed() -> None:
    (fix,) = finding("viewport", page(head='<meta name="viewport" content="width=660px" initial-scale="1.0">')).fixes
    assert fix.code == '<meta name="viewport" content="width=device-width, initial-scale=1">'
