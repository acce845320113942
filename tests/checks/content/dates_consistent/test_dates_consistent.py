"""Outcomes of dates-consistent: first what must not be flagged, then what must."""

import pytest

from tests.checks.harness import page, verdict


def article(published: str, body: str) -> str:
    return page(
        body,
        head='<script type="application/ld+json">{"@context": "https://schema.org", "@type": "Article", "headline": "Blue widgets", "datePublished": "DATE"}</script>'.replace(
            "DATE", published
        ),
    )


OUTCOMES = [
    ("the same day", article("2026-10-01", '<time datetime="2026-10-01">1 October</time>'), "passed"),
    ("midnight and time zones", article("2026-10-01T23:30:00-05:00", '<time datetime="2026-10-02">2 October</time>'), "passed"),
    (
        "one of several visible ones",
        article("2026-10-01", '<time datetime="2026-09-01">x</time><time datetime="2026-10-01">y</time>'),
        "passed",
    ),
    ("the text names the year", article("2020-10-01", "<p>1 October 2020</p>"), "passed"),
    ("fresh, the text may say how long ago", article("2026-10-31", "<p>yesterday</p>"), "passed"),
    ("today in another time zone", article("2026-11-02T01:00:00+14:00", '<time datetime="2026-11-01">x</time>'), "passed"),
    ("no article", page('<time datetime="2026-10-01">x</time>'), "inapplicable"),
    ("no date anywhere", page(head='<meta property="og:type" content="article">'), "inapplicable"),
    ("dates that cannot be read", article("last week", "<p>x</p>"), "inapplicable"),
    ("other things' dates", article("2020-10-01", '<p>1 October 2020</p><time datetime="2026-12-24">the event</time>'), "inapplicable"),
    ("different days", article("2026-10-01", '<time datetime="2026-08-15">15 August</time>'), "warned"),
    ("only visible", page('<time datetime="2026-10-01">x</time>', head='<meta property="og:type" content="article">'), "warned"),
    ("only marked up", article("2020-10-01", "<p>Text</p>"), "warned"),
    ("a time in the footer does not count", article("2020-10-01", '<footer><time datetime="2020-10-01">x</time></footer>'), "warned"),
    ("in the future", article("2027-10-01", '<time datetime="2027-10-01">x</time>'), "failed"),
]


@pytest.mark.parametrize(("case", "html", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, expected: str) -> None:
    assert verdict("dates-consistent", html) == expected, case
