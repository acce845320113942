"""Outcomes of og-basic: first what must not be flagged, then what must."""

import pytest

from tests.checks.harness import page, verdict

OG = """<meta property="og:title" content="Blue widgets">
<meta property="og:type" content="website">
<meta property="og:image" content="https://www.example.com/a.png">
<meta property="og:url" content="https://www.example.com/shop/blue-widgets">"""

OUTCOMES = [
    ("all four", page(head=OG), "passed"),
    ("as names", page(head=OG.replace("property", "name")), "passed"),
    ("secure picture only", page(head=OG.replace("og:image", "og:image:secure_url")), "passed"),
    ("upper case", page(head=OG.replace("og:", "OG:")), "passed"),
    ("in the body", page(OG), "passed"),
    ("two names in one property", page(head=OG.replace("og:title", "og:title twitter:title")), "passed"),
    ("three", page(head=OG.replace("og:type", "og:kind")), "warned"),
    ("an empty one", page(head=OG.replace("Blue widgets", "")), "warned"),
    ("none", page(), "warned"),
    ("only X tags", page(head='<meta name="twitter:title" content="x">'), "warned"),
]


@pytest.mark.parametrize(("case", "html", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, expected: str) -> None:
    assert verdict("og-basic", html) == expected, case
