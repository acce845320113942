"""Outcomes of image-keywords: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import finding, page, verdict


def test_notes_say_what_is_worth_a_look() -> None:
    names = '<img src="IMG_1234.jpg" alt="Widget"><img src="a.jpg" alt="widget.jpg"><img src="widget-2.jpg" alt="W">'
    long = f'<img src="b.jpg" alt="{"very long " * 20}">'
    same = '<img src="c.jpg" alt="Widgets">' * 5

    notes = [item.note for item in finding("image-keywords", page(names + long + same)).evidence]

    assert notes == [
        "the file name describes nothing",
        "the text is a file name",
        "the text is longer than most screen readers read without a pause",
        *["many images have the same text"] * 5,
    ]


OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("no pictures", page(), {}, "inapplicable"),
    ("one picture", page('<img src="blue-widget.jpg" alt="Blue widget">'), {}, "info"),
    ("a camera's name", page('<img src="IMG_1234.jpg" alt="x.jpg">'), {}, "info"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("image-keywords", html, **given) == expected, case
