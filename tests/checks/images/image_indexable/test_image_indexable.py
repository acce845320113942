"""Outcomes of image-indexable: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict

OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("no pictures", page(), {}, "inapplicable"),
    ("a real one", page('<img src="a.png" alt="A">'), {}, "passed"),
    ("a picture with img", page('<picture><source srcset="a.webp"><img src="a.png"></picture>'), {}, "passed"),
    ("lazy by attribute", page('<img src="a.png" loading="lazy">'), {}, "passed"),
    (
        "a script's with noscript",
        page('<img data-src="a.png" src="data:image/gif;base64,R0"><noscript><img src="a.png"></noscript>'),
        {},
        "passed",
    ),
    ("a script's with a small src", page('<img data-src="a.png" src="tiny.png">'), {}, "passed"),
    ("a small embedded one", page('<img src="data:image/gif;base64,R0lGOD">'), {}, "passed"),
    ("a decorative background", page('<div style="background-image:url(a.png)">x</div><img src="b.png">'), {}, "passed"),
    ("other robots rules", page('<img src="a.png">', '<meta name="robots" content="max-image-preview:none">'), {}, "passed"),
    ("a portrait that a script puts in", page('<span class="user-avatar"><img data-src="a.png"></span><img src="b.png">'), {}, "passed"),
    ("in a card that opens", page('<div id="x-hovercard"><p><img data-src="a.png"></p></div><img src="b.png">'), {}, "passed"),
    ("only a script's", page('<img data-src="a.png">'), {}, "warned"),
    ("a large embedded one", page(f'<img src="data:image/png;base64,{"A" * 14_000}">'), {}, "warned"),
    ("a picture with img in noscript", page('<img src="b.png"><picture><noscript><img src="a.png"></noscript></picture>'), {}, "passed"),
    ("a picture without img", page('<picture><source srcset="a.webp"></picture>'), {}, "warned"),
    ("a background as a picture", page('<div role="img" aria-label="A" style="background: url(a.png)"></div>'), {}, "warned"),
    ("noimageindex in a meta", page('<img src="a.png">', '<meta name="robots" content="NoImageIndex">'), {}, "warned"),
    (
        "noimageindex in a header",
        page('<img src="a.png">'),
        {"headers": [["Content-Type", "text/html"], ["X-Robots-Tag", "noimageindex"]]},
        "warned",
    ),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("image-indexable", html, **given) == expected, case
