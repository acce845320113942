"""Outcomes of jsonld-valid: first what must not be flagged, then what must."""

import pytest

from tests.checks.harness import finding, page, verdict

ARTICLE = '{"@context": "https://schema.org", "@type": "Article", "headline": "Blue widget"}'


def ld(*blocks: str, body: str = "<h1>Blue widget</h1><p>Blue widget, 12.90 €, rated 4.6.</p>") -> str:
    return page(
        body, head="<title>Blue widget</title>" + "".join(f'<script type="application/ld+json">{block}</script>' for block in blocks)
    )


OUTCOMES = [
    ("a block", ld(ARTICLE), "passed"),
    ("a list", ld(f"[{ARTICLE}, {ARTICLE}]"), "passed"),
    (
        "a graph with ids",
        ld(
            '{"@context": "https://schema.org", "@graph": [{"@type": "WebPage", "@id": "#a"}, {"@type": "Article", "mainEntityOfPage": {"@id": "#a"}}]}'
        ),
        "passed",
    ),
    (
        "a context in a list and an object",
        ld('{"@context": ["https://schema.org", {"x": "https://example.com/x"}], "@type": ["Article", "NewsArticle"]}'),
        "passed",
    ),
    ("comment marks and a BOM around it", ld("\ufeff<!--\n" + ARTICLE + "\n-->"), "passed"),
    ("CDATA of XHTML", ld("<![CDATA[" + ARTICLE + "]]>"), "passed"),
    ("an empty list", ld("[]", ARTICLE), "passed"),
    ("another vocabulary", ld('{"@context": "https://gs1.org/voc/", "@type": "gs1:product"}'), "passed"),
    (
        "expanded, which needs no context",
        ld('[{"@type": ["https://schema.org/Article"], "https://schema.org/name": [{"@value": "A"}]}]'),
        "passed",
    ),
    ("a whole type, a short name", ld('{"@type": "https://schema.org/Article", "name": "A"}'), "warned"),
    ("a name that is not known", ld('{"@context": "https://schema.org", "@type": "BrandNewType", "someNewThing": "x"}'), "passed"),
    (
        "1e400 and a long number",
        ld('{"@context": "https://schema.org", "@type": "Article", "wordCount": 1e400, "position": ' + "9" * 5000 + "}"),
        "passed",
    ),
    (
        "xPath as Google writes it for speakable",
        ld(
            '{"@context": "https://schema.org", "@type": "WebPage", "speakable": {"@type": "SpeakableSpecification", "xPath": ["/html/head/title"]}}'
        ),
        "passed",
    ),
    ("entities inside", ld('{"@context": "https://schema.org", "@type": "Article", "name": "A &amp; B"}'), "passed"),
    ("none", page(), "inapplicable"),
    ("only an empty list", ld("[]"), "inapplicable"),
    ("only an empty object", ld("{}"), "inapplicable"),
    ("CDATA marks", ld("//<![CDATA[\n" + ARTICLE + "\n//]]>"), "warned"),
    ("CDATA marks in a comment", ld("/*<![CDATA[*/" + ARTICLE + "/*]]>*/"), "warned"),
    ("a trailing comma", ld('{"@context": "https://schema.org", "@type": "Article",}'), "warned"),
    ("a comment inside", ld('{"@context": "https://schema.org", /* our article */ "@type": "Article"}'), "warned"),
    ("a raw newline in a text", ld('{"@context": "https://schema.org", "@type": "Article", "name": "A\nB"}'), "warned"),
    ("no context", ld('{"@type": "Article"}'), "warned"),
    ("no type", ld('{"@context": "https://schema.org", "name": "A"}'), "warned"),
    ("an empty block", ld(" "), "warned"),
    ("a type in a wrong case", ld('{"@context": "https://schema.org", "@type": "newsarticle"}'), "warned"),
    ("a property in a wrong case", ld('{"@context": "https://schema.org", "@type": "Article", "Headline": "x"}'), "warned"),
    ("duplicate keys", ld('{"@context": "https://schema.org", "@type": "Article", "name": "a", "name": "b"}'), "warned"),
    ("not JSON", ld("{'@type': 'Article'}"), "failed"),
    ("cut off", ld('{"@context": "https://schema.org", "@type": "Article"'), "failed"),
    ("two objects", ld(ARTICLE + ARTICLE), "failed"),
    ("NaN", ld('{"@context": "https://schema.org", "@type": "Article", "price": NaN}'), "failed"),
    ("one of two", ld(ARTICLE, "{oops}"), "failed"),
]


@pytest.mark.parametrize(("case", "html", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, expected: str) -> None:
    assert verdict("jsonld-valid", html) == expected, case


def test_the_fault_comes_with_line_and_column() -> None:
    found = finding("jsonld-valid", ld('\n{\n  "@type": "Article"\n  "name": "x"\n}'))
    start = page().splitlines().index("<title>Blue widgets – Example</title>") + 1

    assert found.evidence[0].params == {"reason": "comma", "line_number": start + 3, "column_number": 3}


def test_s28_deep_nesting_is_not_parsed() -> None:
    assert verdict("jsonld-valid", ld("[" * 10_000 + "]" * 10_000)) == "failed"


def test_a_huge_block_is_not_judged() -> None:
    assert verdict("jsonld-valid", ld('{"a": "' + "x" * 1_000_001 + '"}')) == "unknown"
