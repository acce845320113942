"""Outcomes of sd-deprecated: first what must not be flagged, then what must."""

import pytest

from tests.checks.harness import finding, page, verdict


def ld(*blocks: str, body: str = "<h1>Blue widget</h1><p>Blue widget, 12.90 €, rated 4.6.</p>") -> str:
    return page(
        body, head="<title>Blue widget</title>" + "".join(f'<script type="application/ld+json">{block}</script>' for block in blocks)
    )


OUTCOMES = [
    ("an article", ld('{"@context": "https://schema.org", "@type": "Article"}'), "info"),
    ("questions and answers", ld('{"@context": "https://schema.org", "@type": "FAQPage", "mainEntity": []}'), "info"),
    ("a search box", ld('{"@context": "https://schema.org", "@type": "WebSite", "potentialAction": {"@type": "SearchAction"}}'), "info"),
    ("none", page(), "inapplicable"),
]


@pytest.mark.parametrize(("case", "html", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, expected: str) -> None:
    assert verdict("sd-deprecated", html) == expected, case


@pytest.mark.parametrize(
    ("html", "names"),
    [
        (ld('{"@context": "https://schema.org", "@type": "FAQPage"}'), ["FAQ"]),
        (
            ld('{"@context": "https://schema.org", "@type": "WebSite", "potentialAction": {"@type": "SearchAction"}}'),
            ["sitelinks search box"],
        ),
        (page('<div itemscope itemtype="http://data-vocabulary.org/Breadcrumb"><b itemprop="title">x</b></div>'), ["data-vocabulary.org"]),
    ],
)
def test_what_ended_is_named(html: str, names: list[str]) -> None:
    assert finding("sd-deprecated", html).params["names"] == names
