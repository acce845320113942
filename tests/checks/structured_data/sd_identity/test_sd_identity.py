"""Outcomes of sd-identity: first what must not be flagged, then what must."""

import pytest

from tests.checks.harness import page, verdict

SITE = (
    '{"@context": "https://schema.org", "@graph": [{"@type": "WebSite", "name": "Example", "url": "https://www.example.com/"}, '
    '{"@type": "Organization", "name": "Example Ltd", "logo": "https://www.example.com/logo.png"}]}'
)


def ld(*blocks: str, body: str = "<h1>Blue widget</h1><p>Blue widget, 12.90 €, rated 4.6.</p>") -> str:
    return page(
        body, head="<title>Blue widget</title>" + "".join(f'<script type="application/ld+json">{block}</script>' for block in blocks)
    )


OUTCOMES = [
    ("both", ld(SITE), "passed"),
    (
        "a publisher inside",
        ld(
            '{"@context": "https://schema.org", "@type": "WebSite", "name": "A", "url": "/", "publisher": {"@type": "Organization", "logo": "/l.png"}}'
        ),
        "passed",
    ),
    ("a restaurant", ld(SITE.replace('"Organization"', '"Restaurant"')), "passed"),
    (
        "a person",
        ld(
            '{"@context": "https://schema.org", "@graph": [{"@type": "WebSite", "name": "A", "url": "/"}, {"@type": "Person", "name": "Ann"}]}'
        ),
        "passed",
    ),
    ("a block that cannot be read", ld("{"), "inapplicable"),
    ("a script shell", page('<div id="root"></div><script src="/app.js"></script>'), "unknown"),
    ("none", page(), "warned"),
    ("no site", ld('{"@context": "https://schema.org", "@type": "Organization", "logo": "/l.png"}'), "warned"),
    ("no logo", ld(SITE.replace('"logo"', '"image"')), "warned"),
]


@pytest.mark.parametrize(("case", "html", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, expected: str) -> None:
    assert verdict("sd-identity", html, url="https://www.example.com/") == expected, case


def test_other_pages_are_not_asked() -> None:
    assert verdict("sd-identity", page()) == "inapplicable"
