"""Outcomes of title-quality: first what must not be flagged, then what must."""

import pytest

from tests.checks.harness import finding, page, verdict

OTHER_TEXT = f"<main><h1>Enameled pans</h1><p>{'May cast iron pans touch metal when frying? ' * 10}</p></main>"

OUTCOMES = [
    (
        "the title of the page, also given as the name of the site",
        page(
            "<h1>Block reference</h1>",
            head='<title>Block reference | Docs</title><meta property="og:site_name" content="Block reference | Docs">',
        ),
        "passed",
    ),
    (
        "a part twice, before the name of the site",
        page(head='<title>Cubes update - Cubes update - Cubes News</title><meta property="og:site_name" content="Cubes News">'),
        "warned",
    ),
    (
        "a word that the name of the site has too",
        page(head='<title>Best mats and yoga mats - Gorilla Mats</title><meta property="og:site_name" content="Gorilla Mats">'),
        "passed",
    ),
    ("a plain title", page(), "passed"),
    ("undefined as a topic", page(head="<title>Understanding undefined in JavaScript</title>"), "passed"),
    ("a page about templates", page("<pre>{{ name }}</pre>", head="<title>How {{ name }} works in Vue</title>"), "passed"),
    ("a word twice", page(head="<title>Blue widgets and red widgets</title>"), "passed"),
    ("a stop word thrice", page(head="<title>The cat, the dog and the mouse</title>"), "passed"),
    ("a documentation title", page(head="<title>Document your code – a guide</title>"), "passed"),
    ("a colon at the end of a word", page(head="<title>Widgets: blue | Example</title>"), "passed"),
    ("home with a site name", page(head="<title>Home – Example Widgets</title>"), "passed"),
    ("no title: the fault of title-present", page(head=""), "inapplicable"),
    ("two words on an inner page", page(head="<title>Blue widgets</title>"), "passed"),
    ("a closing guillemet", page(head="<title>8. Le menu « Couleurs »</title>", lang="fr"), "passed"),
    ("a year", page(head="<title>1984</title>"), "passed"),
    ("a letter as a name", page(head="<title>| a | b</title>".replace("| a", "a")), "passed"),
    ("a variable that AngularJS fills", page(head='<title ng-bind="t">{{ t }}</title>'), "unknown"),
    ("a variable in a page of AngularJS", page(head="<title>{{ t }}</title>").replace("<html", "<html ng-app"), "unknown"),
    ("brand and topic", page(OTHER_TEXT, head="<title>Example – So finden Sie uns</title>"), "passed"),
    ("brand and words of the text", page(OTHER_TEXT, head="<title>Example – Frying without burning</title>"), "passed"),
    ("slogan on a page of few words", page("<h1>Pans</h1>", head="<title>Example – The heart of the internet</title>"), "passed"),
    ("a title without brand", page(OTHER_TEXT, head="<title>Old pans – The heart of kitchens</title>"), "passed"),
    ("a title between two signs", page(head="<title>- BOOK☆WALKER -</title>"), "passed"),
    ("an arrow at the end", page(head="<title>Blue widgets »</title>"), "warned"),
    ("an empty part in the middle", page(head="<title>Maine Coon | | Example</title>"), "warned"),
    ("a number", page(head="<title>934106870834454529</title>"), "warned"),
    ("generic", page(head="<title>Home</title>"), "warned"),
    ("generic in German", page(head="<title>Startseite</title>", lang="de"), "warned"),
    ("host name", page(head="<title>www.example.com</title>"), "warned"),
    ("site name on an inner page", page(head='<title>Example</title><meta property="og:site_name" content="Example">'), "warned"),
    ("brand and slogan", page(OTHER_TEXT, head="<title>Example – The heart of the internet</title>"), "warned"),
    ("slogan and brand", page(OTHER_TEXT, head="<title>The heart of the internet | Example</title>"), "warned"),
    ("half-empty", page(head="<title> | Example Widgets</title>"), "warned"),
    ("half-empty behind", page(head="<title>Blue widgets - </title>"), "warned"),
    ("a word thrice", page(head="<title>Widgets, blue widgets, cheap widgets</title>"), "warned"),
    ("template default", page(head="<title>Vite + React</title>"), "failed"),
    ("untitled", page(head="<title>Untitled Document</title>"), "failed"),
    ("undefined alone", page(head="<title>undefined</title>"), "failed"),
    ("undefined in front", page(head="<title>undefined | Example Widgets</title>"), "failed"),
    ("unrendered variable", page(head="<title>{{ page.title }} – Example</title>"), "failed"),
    ("unrendered tag", page(head="<title><%= title %></title>"), "failed"),
]


@pytest.mark.parametrize(("case", "html", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, expected: str) -> None:
    assert verdict("title-quality", html) == expected, case


def test_the_title_of_a_home_page_says_more_than_its_name() -> None:
    titles = ("Example Widgets Bedford", "Example — Widgets", "example.com")
    found = [finding("title-quality", page(head=f"<title>{title}</title>"), url="https://www.example.com/") for title in titles]

    assert [one.fault for one in found] == ["", "brief_title", "brief_title"]
