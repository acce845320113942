"""Outcomes of dates-consistent: first what must not be flagged, then what must."""

import pytest

from tests.checks.harness import finding, page, verdict


def article(published: str, body: str, modified: str = "") -> str:
    """An article with its heading in front of the body."""
    return page(
        "<h1>Blue widgets</h1>" + body,
        head='<script type="application/ld+json">{"@context": "https://schema.org", "@type": "Article", "headline": "Blue widgets", "datePublished": "DATE"MODIFIED}</script>'.replace(
            "DATE", published
        ).replace("MODIFIED", f', "dateModified": "{modified}"' if modified else ""),
    )


OUTCOMES = [
    (
        "only the date of the last change",
        page("<h1>A</h1>", head='<meta property="og:type" content="article"><meta property="article:modified_time" content="2019-02-07">'),
        "inapplicable",
    ),
    (
        "published before the last change, which alone is marked up",
        page(
            '<h1>A</h1><time datetime="2026-08-12">12 August</time>',
            head='<meta property="og:type" content="article"><meta property="article:modified_time" content="2026-08-25">',
        ),
        "inapplicable",
    ),
    ("the same day", article("2026-10-01", '<time datetime="2026-10-01">1 October</time>'), "passed"),
    ("midnight and time zones", article("2026-10-01T23:30:00-05:00", '<time datetime="2026-10-02">2 October</time>'), "passed"),
    (
        "a claim review of an article",
        page(
            '<h1>A</h1><time datetime="2026-10-01">x</time>',
            head='<meta property="og:type" content="article"><script type="application/ld+json">{"@context": "https://schema.org", '
            '"@type": "ClaimReview", "datePublished": "2026-10-01", "itemReviewed": {"@type": "Claim", "datePublished": "2026-09-01"}}'
            "</script>",
        ),
        "passed",
    ),
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
    ("no date in the markup", article("", "<p>x</p>"), "inapplicable"),
    (
        "Microdata with the date in an attribute",
        page(
            '<article itemscope itemtype="https://schema.org/Article"><h1>A</h1><time itemprop="datePublished" content="2026-10-01">'
            "1 October 2026</time></article>"
        ),
        "passed",
    ),
    (
        "a date that agrees, far from the heading",
        article("2026-10-01", '<h2>A</h2><ul><li><h3>B</h3><time datetime="2026-10-01">x</time></ul>'),
        "passed",
    ),
    ("a year", article("2026", "<p>2026</p>"), "inapplicable"),
    ("a month", article("2026-10", "<p>2026</p>"), "inapplicable"),
    (
        "a date without a time, and a time in a far zone",
        article("2026-10-01T23:30:00-08:00", '<time datetime="2026-10-01">x</time>'),
        "passed",
    ),
    (
        "a card of another article",
        article("2026-10-01", '<p>October 2026</p><div><h3>Red widgets</h3><time datetime="2026-08-15">15 August</time></div>'),
        "inapplicable",
    ),
    (
        "another article",
        article("2026-10-01", '<p>2026</p><article><time datetime="2026-08-15">15 August</time></article>'),
        "inapplicable",
    ),
    ("a comment", article("2026-10-01", '<p>2026</p><ul class="comments"><li><time datetime="2026-10-15">x</time></ul>'), "inapplicable"),
    (
        "a date in the running text",
        article("2026-10-01", "<p>In 2026 " + "widgets were blue " * 10 + '<time datetime="2020-08-15">15 August 2020</time></p>'),
        "inapplicable",
    ),
    (
        "a date nearer to the heading than another",
        page(
            '<main><header><h1>Blue widgets</h1><time datetime="2026-10-01">x</time></header><p><time datetime="2026-08-01">y</time></p></main>',
            head='<meta property="og:type" content="article"><meta property="article:published_time" content="2026-10-01T10:00:00Z">',
        ),
        "passed",
    ),
    ("changed on the day of publication", article("2026-10-01T10:00:00Z", "<p>2026</p>", modified="2026-10-01"), "passed"),
    ("changed before it was published", article("2026-10-01", "<p>2026</p>", modified="2026-08-01"), "warned"),
    ("a date in words", article("last week", "<p>x</p>"), "warned"),
    ("an American date", article("November 19, 2019", "<p>2019</p>"), "warned"),
    ("a date of e-mail", article("Tue, 19 Nov 2019 10:00:00 GMT", "<p>2019</p>"), "warned"),
    ("a day that no month has", article("2024-02-30", "<p>2024</p>"), "warned"),
    ("the year 1", article("0001-01-01T00:00:00", "<p>1</p>"), "warned"),
    ("other things' dates", article("2020-10-01", '<p>1 October 2020</p><time datetime="2026-12-24">the event</time>'), "inapplicable"),
    ("different days", article("2026-10-01", '<time datetime="2026-08-15">15 August</time>'), "warned"),
    (
        "only visible",
        page('<h1>Blue widgets</h1><time datetime="2026-10-01">x</time>', head='<meta property="og:type" content="article">'),
        "warned",
    ),
    ("only marked up", article("2020-10-01", "<p>Text</p>"), "warned"),
    ("a time in the footer does not count", article("2020-10-01", '<footer><time datetime="2020-10-01">x</time></footer>'), "warned"),
    ("in the future", article("2027-10-01", '<time datetime="2027-10-01">x</time>'), "failed"),
]


@pytest.mark.parametrize(("case", "html", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, expected: str) -> None:
    assert verdict("dates-consistent", html) == expected, case


def test_the_evidence_is_the_element_with_the_date() -> None:
    date = '<abbr itemprop="datePublished" title="2016-12-06T12:06:00-08:00">12:06 PM</abbr>'
    found = finding(
        "dates-consistent", page(f'<div itemscope itemtype="https://schema.org/BlogPosting"><h1>Widgets</h1><p>{date}</p></div>')
    )

    assert found.verdict.value == "warned"
    assert [(item.text, item.params["date"]) for item in found.evidence] == [(date, "12:06 PM")]
