"""Outcomes of max-image-preview: first what must not be flagged, then what must."""

import pytest

from tests.checks.harness import page, verdict

ARTICLE = '<meta property="og:type" content="article">'
CARD = (
    '<article itemscope itemtype="http://schema.org/Article"><a itemprop="url" href="/2025/a"><span itemprop="name">A</span></a></article>'
)

OUTCOMES = [
    ("no article", page(), "inapplicable"),
    ("an AMP article", page(head=ARTICLE).replace("<html ", "<html amp "), "inapplicable"),
    ("noindex", page(head=ARTICLE + '<meta name="robots" content="noindex">'), "inapplicable"),
    (
        "a list of articles that a template calls an article",
        page(head=ARTICLE + '<script type="application/ld+json">{"@context": "https://schema.org", "@type": "CollectionPage"}</script>'),
        "inapplicable",
    ),
    ("an archive with the card of one article", page(CARD), "inapplicable"),
    ("the article itself in the body", page(CARD.replace("/2025/a", "/shop/blue-widgets")), "warned"),
    ("large", page(head=ARTICLE + '<meta name="robots" content="max-image-preview:large">'), "passed"),
    ("upper case and spaces", page(head=ARTICLE + '<meta name="ROBOTS" content="follow, Max-Image-Preview: LARGE">'), "passed"),
    ("nothing said", page(head=ARTICLE), "warned"),
    ("standard", page(head=ARTICLE + '<meta name="robots" content="max-image-preview:standard">'), "warned"),
    (
        "the strictest holds",
        page(
            head=ARTICLE + '<meta name="robots" content="max-image-preview:large"><meta name="googlebot" content="max-image-preview:none">'
        ),
        "warned",
    ),
]


@pytest.mark.parametrize(("case", "html", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, expected: str) -> None:
    assert verdict("max-image-preview", html) == expected, case
