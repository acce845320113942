"""Outcomes of twitter-card: first what must not be flagged, then what must."""

import pytest

from tests.checks.harness import finding, page, verdict

OG = """<meta property="og:title" content="Blue widgets">
<meta property="og:type" content="website">
<meta property="og:image" content="https://www.example.com/a.png">
<meta property="og:url" content="https://www.example.com/shop/blue-widgets">"""

OUTCOMES = [
    ("a card", page(head='<meta name="twitter:card" content="summary">'), "passed"),
    ("as a property", page(head='<meta property="twitter:card" content="summary">'), "passed"),
    ("Open Graph stands in", page(head=OG), "passed"),
    ("incomplete Open Graph", page(head='<meta property="og:title" content="x">'), "inapplicable"),
    ("none: og-basic reports it", page(), "inapplicable"),
    ("empty: og-basic reports it", page(head='<meta name="twitter:card" content="">'), "inapplicable"),
    ("another case", page(head='<meta name="twitter:card" content="Summary">'), "passed"),
    ("a type that does not exist", page(head='<meta name="twitter:card" content="gallery">'), "warned"),
]


@pytest.mark.parametrize(("case", "html", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, expected: str) -> None:
    assert verdict("twitter-card", html) == expected, case


@pytest.mark.parametrize(
    ("card", "current"), [("photo", "summary_large_image"), ("gallery", "summary_large_image"), ("product", "summary")]
)
def test_former_cards_are_replaced_by_what_x_shows_for_them(card: str, current: str) -> None:
    (fix,) = finding("twitter-card", page(head=f'<meta name="twitter:card" content="{card}">')).fixes
    assert f'content="{current}"' in str(fix)
