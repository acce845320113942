"""Outcomes of image-loading: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import finding, page, verdict

TEXT = "Plenty of words. " * 60
LAZY = '<img src="a.jpg" loading="lazy" width="800" height="600">'
EAGER = '<img src="a.jpg" width="800" height="600">'

OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("a lazy banner first", page('<img src="b.jpg" loading="lazy" width="720" height="120">'), {}, "passed"),
    (
        "images that an attribute names too",
        page("".join(f'<img src="/{n % 15}.jpg" data-asset="/{n % 15}.jpg" width="800" height="600">' for n in range(30))),
        {},
        "warned",
    ),
    ("a lazy drawing of unknown size", page('<img src="back.svg" alt="Back" loading="lazy">'), {}, "passed"),
    ("the mark of a page that is loading", page('<img class="spinner-grow" src="m.png" alt="" loading="lazy">'), {}, "passed"),
    ("a lazy one after many icons", page('<img src="i.png" width="32" height="32">' * 8 + LAZY), {}, "passed"),
    ("far below, but with priority", page(EAGER * 15 + '<img src="h.jpg" width="800" height="600" fetchpriority="high">'), {}, "passed"),
    ("a lazy icon of known width", page('<img src="i.png" loading="lazy" width="32">'), {}, "passed"),
    ("a lazy logo first", page('<img src="logo.svg" alt="Example" loading="lazy">'), {}, "passed"),
    (
        "placeholders that a script replaces",
        page("".join(f'<img src="empty.gif" data-retina-src="/{n}.jpg" width="800" height="600">' for n in range(30))),
        {},
        "passed",
    ),
    ("no pictures", page(), {}, "inapplicable"),
    (
        "eager first",
        page('<img src="a.jpg" width="800" height="600"><img src="b.jpg" loading="lazy" width="800" height="600">'),
        {},
        "passed",
    ),
    ("lazy after much text", page(f"<p>{TEXT}</p>" + LAZY), {}, "passed"),
    ("lazy in the middle of a long item", page(f"<ul><li>{TEXT}<br>{LAZY}</li></ul>"), {}, "passed"),
    ("a lazy icon first", page('<img src="i.png" loading="lazy" width="32" height="32"><p>Text</p>'), {}, "passed"),
    ("a lazy one in the menu", page(f"<nav>{LAZY}</nav><img src='h.jpg' width=800 height=600>"), {}, "passed"),
    ("a lazy hidden one", page(f"<div hidden>{LAZY}</div>"), {}, "passed"),
    ("many lazy ones below", page(EAGER * 3 + f"<p>{TEXT}</p>" + LAZY * 30), {}, "passed"),
    ("many icons", page('<img src="i.png" width="32" height="32">' * 30), {}, "passed"),
    ("many of unknown size", page('<img src="x.png">' * 30), {}, "passed"),
    ("many eager ones in a menu", page("<nav>" + EAGER * 30 + "</nav>"), {}, "passed"),
    ("a carousel", page("<h1>Widgets</h1><ul id=mini-carousel>" + f"<li>{EAGER}</li>" * 30 + "</ul>"), {}, "passed"),
    ("a page whose body has the class of a carousel", page("<body class=has-slider>" + EAGER * 20), {}, "warned"),
    ("the hero is lazy", page("<h1>Widgets</h1>" + LAZY), {}, "warned"),
    ("a lazy hero in a short paragraph", page(f"<h1>Widgets</h1><p>Blue ones. {LAZY}</p>"), {}, "warned"),
    ("the hero is LAZY", page('<img src="a.jpg" loading="LAZY" width="800" height="600">'), {}, "warned"),
    ("many eager ones far below", page(EAGER * 20), {}, "warned"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("image-loading", html, **given) == expected, case


def test_a_guess_gives_no_image_priority() -> None:
    found = finding("image-loading", page("<h1>Widgets</h1>" + LAZY))

    assert [fix.code for fix in found.fixes] == ['<img src="a.jpg" width="800" height="600">']
