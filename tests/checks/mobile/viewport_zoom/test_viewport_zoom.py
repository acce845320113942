"""Outcomes of viewport-zoom: first what must not be flagged, then what must."""

import pytest

from tests.checks.harness import finding, page, verdict


def viewport(content: str) -> str:
    """A page with that viewport."""
    return page(head=f'<meta name="viewport" content="{content}">')


OUTCOMES = [
    ("no limit", viewport("width=device-width"), "passed"),
    ("five times", viewport("width=device-width, maximum-scale=5"), "passed"),
    ("yes in words and numbers", viewport("width=device-width, user-scalable=yes"), "passed"),
    ("one", viewport("width=device-width, user-scalable=1"), "passed"),
    ("without values, and a negative scale", viewport("width=device-width, user-scalable, maximum-scale=-1"), "passed"),
    ("the size of the device", viewport("width=device-width, maximum-scale=device-width, user-scalable=device-height"), "passed"),
    ("no viewport", page(), "inapplicable"),
    ("no", viewport("width=device-width, user-scalable=NO"), "warned"),
    ("nought", viewport("width=device-width, user-scalable=0"), "warned"),
    ("a word that is no scale", viewport("width=device-width, maximum-scale=auto"), "warned"),
    ("yes as a scale", viewport("width=device-width, maximum-scale=yes"), "warned"),
    ("a word that is no answer", viewport("width=device-width, user-scalable=invalid"), "warned"),
    ("twice", viewport("width=device-width;maximum-scale=2.0"), "warned"),
]


@pytest.mark.parametrize(("case", "html", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, expected: str) -> None:
    assert verdict("viewport-zoom", html) == expected, case


def test_a_fix_drops_what_stands_as_attributes() -> None:
    meta = '<meta name="viewport" content="width=device-width, user-scalable=no" user-scalable="no">'
    fixes = finding("viewport-zoom", page("", head=meta)).fixes
    assert [fix.code for fix in fixes] == ['<meta name="viewport" content="width=device-width">']
