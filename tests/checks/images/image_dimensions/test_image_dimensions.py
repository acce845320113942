"""Outcomes of image-dimensions: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import finding, page, verdict

A = "https://www.example.com/a.png"

OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("no pictures", page(), {}, "inapplicable"),
    ("attributes", page('<img src="a.png" width="8" height="6">'), {}, "passed"),
    ("an aspect ratio", page('<img src="a.png" style="aspect-ratio: 4 / 3">'), {}, "passed"),
    ("sizes on the sources", page('<picture><source srcset="b.webp" width="8" height="6"><img src="a.png"></picture>'), {}, "passed"),
    ("a ratio box", page('<div style="padding-bottom: 56.25%"><img src="a.png"></div>'), {}, "passed"),
    ("a filler before it", page('<div><div style="padding-bottom: 66.8%"></div><img src="a.png"></div>'), {}, "passed"),
    ("only drawings", page('<img src="a.svg"><img src="b.svg?v=1">'), {}, "inapplicable"),
    ("a drawing by its bytes", page('<img src="/a.png">'), {"assets": {A: {"picture": ["svg", 8, 6]}}}, "inapplicable"),
    ("embedded candidates", page('<img src="data:image/gif;base64,R0lGOD" srcset="data:image/gif;base64,R0lGOD 2x">'), {}, "inapplicable"),
    ("embedded", page('<img src="data:image/gif;base64,R0lGOD">'), {}, "inapplicable"),
    ("a counter", page('<img src="t.gif" width="1" height="1">'), {}, "inapplicable"),
    ("hidden from everybody", page('<div hidden><img src="a.png"></div>'), {}, "inapplicable"),
    ("one of ten", page('<img src="a.png" width="8" height="6">' * 9 + '<img src="b.png">'), {}, "passed"),
    (
        "a placeholder whose srcset browsers load",
        page('<img src="data:image/gif;base64,R0lGOD" srcset="a.png 320w, b.png 640w">'),
        {},
        "warned",
    ),
    ("one of two", page('<img src="a.png" width="8" height="6"><img src="b.png">'), {}, "warned"),
    ("one length as an attribute, one as style", page('<img src="a.png" width="8" style="height: 6px">'), {}, "passed"),
    ("the reverse", page('<img src="a.png" height="6" style="width:8rem">'), {}, "passed"),
    ("out of the flow", page('<img src="a.png" style="position: absolute">'), {}, "inapplicable"),
    ("a wrapper out of the flow", page('<div style="position:fixed"><img src="a.png"></div>'), {}, "inapplicable"),
    ("trailing words of a length", page('<img src="a.png" width=" 8px" height="6.5px">'), {}, "passed"),
    ("a sign is no number", page('<img src="a.png" width="+20" height="+20">'), {}, "warned"),
    ("a height of zero", page('<img src="a.png" width="570" height="0">'), {}, "warned"),
    ("in a comment widget", page('<div class="fyre-widget"><p><img src="a.png"></p></div>'), {}, "inapplicable"),
    ("auto is no ratio", page('<img src="a.png" style="aspect-ratio: auto">'), {}, "warned"),
    ("auto beside a ratio", page('<img src="a.png" style="aspect-ratio: auto 4 / 3">'), {}, "passed"),
    ("percentages", page('<img src="a.png" width="100%" height="100%">'), {}, "warned"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("image-dimensions", html, **given) == expected, case


def test_images_that_scripts_give_a_url_are_said_not_to_be_counted() -> None:
    found = finding("image-dimensions", page('<img src="a.png"><img data-source-standard="b.png"><img data-source-standard="c.png">'))

    assert found.params["count"] == 1
    assert found.params["unread_count"] == 2


def test_a_fix_keeps_the_dimension_that_the_author_wrote() -> None:
    for written, fixed in (
        ('<img src="/a.png" height="50">', '<img src="/a.png" height="50" width="75">'),
        ('<img src="/a.png" width="1920">', '<img src="/a.png" width="1920" height="1280">'),
        ('<img src="/a.png" width="30px">', '<img src="/a.png" width="30px" height="20">'),
        ('<img src="/a.png">', '<img src="/a.png" width="300" height="200">'),
    ):
        found = finding("image-dimensions", page(written), assets={A: {"picture": ["png", 300, 200]}})
        assert [fix.code for fix in found.fixes] == [fixed]


def test_no_size_is_offered_where_styles_set_one_dimension() -> None:
    for style, is_offered in (
        (".logo { height: 32px }", False),
        ("header .logo, nav a { height: 32px }", False),
        ("@media (max-width: 700px) { img { width: 100% } }", False),
        ("img { max-width: 100% }", False),
        (".logo { width: 100% } .card img { width: 40px; height: 40px }", False),
        (".card img { height: 80px; width: auto } @media print { .card img { height: 40px } }", True),
        ("img { max-width: 100% } nav img { height: 60px }", False),
        ("img { max-width: 100% } nav img { height: 60px; width: auto }", False),
        ("img { max-width: 100%; height: auto }", True),
        (".logo:hover { height: 40px } .logos, p img.other { height: 1px } .logo { line-height: 2; border-width: 1px }", True),
        (".logo { height: 32px; width: 64px }", True),
    ):
        html = page('<img class="logo" src="/a.png">', head=f"<style>{style}</style>")
        assert bool(finding("image-dimensions", html, assets={A: {"picture": ["png", 300, 200]}}).fixes) is is_offered, style


def test_no_size_is_offered_for_an_image_in_percent() -> None:
    for image in ('<img src="/a.png" width="100%">', '<img src="/a.png" style="width: 50%; margin-left: 25%">'):
        assert not finding("image-dimensions", page(image), assets={A: {"picture": ["png", 300, 200]}}).fixes, image


def test_no_size_is_offered_beside_a_stylesheet_that_was_not_loaded() -> None:
    for sheet, is_offered in (("https://cdn.example/framework.css", False), ("https://fonts.googleapis.com/css?family=A", True)):
        html = page('<img src="/a.png">', head=f'<link rel="stylesheet" href="{sheet}">')
        assert bool(finding("image-dimensions", html, assets={A: {"picture": ["png", 300, 200]}}).fixes) is is_offered, sheet
