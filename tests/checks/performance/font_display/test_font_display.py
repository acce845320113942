"""Outcomes of font-display: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict

CSS = "https://www.example.com/a.css"
JS = "https://www.example.com/a.js"
SHEET = '<link rel="stylesheet" href="/a.css">'

OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("no fonts", page(), {}, "passed"),
    ("swap", page(head="<style>@font-face{font-family:A;src:url(a.woff2);font-display:swap}</style>"), {}, "passed"),
    ("installed fonts only", page(head="<style>@font-face{font-family:A;src:local(A)}</style>"), {}, "passed"),
    ("icons", page(head="<style>@font-face{font-family:'Font Awesome 6';src:url(a.woff2);font-display:block}</style>"), {}, "passed"),
    ("icons by the address", page(head="<style>@font-face{font-family:uh;src:url(/uh-icons/1/uh.woff)}</style>"), {}, "passed"),
    ("formulas", page(head="<style>@font-face{font-family:MJXTEX-B;src:url(TeX-Bold.woff)}</style>"), {}, "passed"),
    ("embedded", page(head="<style>@font-face{font-family:A;src:url(data:font/woff2;base64,AA)}</style>"), {}, "passed"),
    ("not used", page(head="<style>@font-face{font-family:Acta;src:url(a.woff2)}b{font-family:Actaeon}</style>"), {}, "passed"),
    (
        "used by a sheet that is not known",
        page(head="<style>@font-face{font-family:Acta;src:url(a.woff2)}</style>" + SHEET),
        {"assets_left_count": 1},
        "unknown",
    ),
    (
        "said in the address",
        page(head='<link rel=stylesheet href="https://fonts.googleapis.com/css2?family=A&amp;display=swap">'),
        {},
        "passed",
    ),
    ("a style sheet that is gone", page(head=SHEET), {"assets": {CSS: 404}}, "passed"),
    ("a style sheet not fetched", page(head=SHEET), {"assets_left_count": 1}, "unknown"),
    (
        "in a fetched style sheet",
        page(head=SHEET),
        {"assets": {CSS: {"body": "@font-face{font-family:A;src:url(a.woff2)}b{font:1em/1.2 'A', serif}"}}},
        "warned",
    ),
    ("block", page(head="<style>@font-face{font-family:A;src:url(a.woff2);font-display:block}:root{--body:A}</style>"), {}, "warned"),
    (
        "used by an attribute",
        page("<p style='font-family:A'>x</p>", head="<style>@font-face{font-family:A;src:url(a.woff2)}</style>"),
        {},
        "warned",
    ),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("font-display", html, **given) == expected, case
