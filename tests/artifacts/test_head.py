"""Titles, metas and links of a page."""

from findable.artifacts.page.head import Head
from tests.checks.harness import artifacts

HTML = """<!doctype html><html lang="de-AT"><head>
<title> A
 title </title>
<meta NAME="Description" content="  One   sentence. "><meta property="OG:Title" content="T"><meta name="twitter:card" content="summary">
<meta http-equiv="Content-Language" content="de"><meta name="empty">
<link rel="Alternate StyleSheet" href=" a.css " media=PRINT><link rel="icon"><link rel="preload" as="Font" href="//cdn.example.net/f.woff2">
</head><body><meta name="robots" content="noindex"><link rel="stylesheet" href="b.css"><svg><title>Drawing</title></svg></body></html>"""


def head(html: str = HTML) -> Head:
    made = artifacts(html, url="https://www.example.com/x/").get(Head)
    assert isinstance(made, Head)
    return made


def test_title_description_and_language() -> None:
    made = head()

    assert (made.title, made.description, made.lang) == ("A title", "One sentence.", "de-AT")
    assert len(made.titles) == 1


def test_metas_are_found_by_any_case_and_either_attribute() -> None:
    made = head()

    assert [meta.content for meta in made.properties("og:title")] == ["T"]
    assert [meta.content for meta in made.properties("twitter:card")] == ["summary"]
    assert [meta.content for meta in made.http_equiv("content-language")] == ["de"]
    assert made.metas_named("empty")[0].content is None


def test_links_are_resolved_and_their_tokens_lower_case() -> None:
    style, icon, preload, late = head().links

    assert (style.rel, style.url, style.media) == (frozenset({"alternate", "stylesheet"}), "https://www.example.com/x/a.css", "print")
    assert (icon.href, icon.url) == (None, None)
    assert (preload.as_, preload.url) == ("font", "https://cdn.example.net/f.woff2")
    assert (style.in_head, late.in_head) == (True, False)


def test_what_stands_in_the_body_is_marked() -> None:
    assert [(meta.name, meta.in_head) for meta in head().metas if meta.name == "robots"] == [("robots", False)]


def test_an_empty_page_has_an_empty_head() -> None:
    made = head("")

    assert (made.title, made.description, made.lang, made.metas, made.links) == ("", "", None, (), ())


def test_the_first_title_with_text_counts() -> None:
    assert head("<title> </title><title>B</title>").title == "B"
