"""Outcomes of content-length: first what must not be flagged, then what must."""

import pytest

from findable.vocabulary import Fault
from tests.checks.harness import finding, page, verdict

TEXT = "Our widgets are cut by hand in a small workshop near the river. " * 16
SHORT = TEXT[: len(TEXT) // 2]

LISTING = '<script type="application/ld+json">{"@context": "https://schema.org", "@type": "CollectionPage", "name": "Tents"}</script>'
CARDS = "<li><a href=/a><img src=/a.jpg alt=A>Ridge Tent</a> $ 9" * 8
COLLECTION = f"{LISTING}<main><h1>Tents</h1><ul>{CARDS}</ul></main>"
LINKS = "<li><a href=/a>Ridge Tent</a>" * 9

OUTCOMES = [
    ("a text", page(f"<main><p>{TEXT}</p></main>"), "passed"),
    ("Japanese", page(f"<main><p>{'青いウィジェットを手作業で作っています。' * 40}</p></main>", lang="ja"), "passed"),
    ("a language without counts", page("<p>" + "Vi säljer blå cyklar i Stockholm. " * 20 + "</p>", lang="sv"), "inapplicable"),
    ("a frameset", "<!doctype html><title>x</title><frameset><frame src=/a></frameset>", "inapplicable"),
    ("a script shell", '<!doctype html><title>x</title><div id="root"></div><script src="/a.js"></script>', "unknown"),
    ("the first products of a collection", page(COLLECTION), "passed"),
    ("the short names of a few links", page(f"<main><h1>Tents</h1><ul>{LINKS}</ul></main>", LISTING), "warned"),
    ("a short product", page(f"<main><p>{SHORT}</p></main>", head='<meta property="og:type" content="product">'), "passed"),
    ("a short text beside a player", page(f"<main><p>{SHORT}</p><video src=/a.mp4></video></main>"), "passed"),
    ("a short text above teasers", page(f"<main><p>{SHORT}</p></main>{'<div><a href=/a>A text to read</a></div>' * 120}"), "passed"),
    ("a short text", page(f"<main><p>{SHORT}</p></main>"), "warned"),
    ("a short text beside much navigation", page(f"<nav>{'<a href=/a>A text</a>' * 300}</nav><main><p>{SHORT}</p></main>"), "warned"),
    ("few words", page("<main><p>Coming soon: widgets cut by hand in a small workshop near the river.</p></main>"), "warned"),
    ("few words beside much navigation", page("<nav>" + "Home About " * 50 + "</nav><main><p>Coming soon.</p></main>"), "warned"),
    (
        "a diagram",
        page("<h1>Syntax</h1><p>one two three four five six seven eight nine ten</p><svg>" + "<text>expr</text>" * 5 + "</svg>"),
        "inapplicable",
    ),
    ("styles and scripts are no words", page(f"<style>{TEXT}</style><script>{TEXT}</script><p>Soon.</p>"), "failed"),
    ("none", page("<img src=/a.png alt=''>"), "failed"),
    ("none but in a noscript", page(f"<noscript>{TEXT}</noscript>"), "failed"),
]


@pytest.mark.parametrize(("case", "html", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, expected: str) -> None:
    assert verdict("content-length", html) == expected, case


ALMOST_NOTHING = [
    ("one word", "<p>Hello</p>", True),
    ("nine words", "<p>one two three four five six seven eight nine</p>", True),
    ("two images", "<img src=/a.jpg alt=a><img src=/b.jpg alt=b><p>Widgets</p>", True),
    ("a button", "<p>Widgets</p><form><input type=hidden name=a><input type=submit></form>", True),
    ("ten words, those of links included", "<nav>" + "<a href=/a>Home</a> " * 9 + "</nav><p>Hello</p>", False),
    ("three images", "".join(f"<img src=/{name}.jpg alt={name}>" for name in "abc"), False),
    ("cards with backgrounds", "".join(f"<a href=/{n} style='background:url(/{n}.jpg)'>{n}</a>" for n in "abc"), False),
    ("a video", "<video src=/film.mp4></video>", False),
    ("a form", "<form><input type=search name=q></form>", False),
]


@pytest.mark.parametrize(("case", "body", "is_almost_nothing"), ALMOST_NOTHING, ids=[case for case, *_ in ALMOST_NOTHING])
def test_almost_no_content_is_the_reason_where_nothing_else_shows(case: str, body: str, is_almost_nothing: bool) -> None:
    found = finding("content-length", page(body))

    assert (found.fault == Fault.ALMOST_NO_CONTENT) == is_almost_nothing, case


def test_labels_of_drawings_are_no_main_text() -> None:
    body = "<h1>Syntax of a window</h1><p>It is shown in a drawing that has labels</p><svg><text>one two three</text></svg>"
    found = finding("content-length", page(body))

    assert found.params["count"] == 13
    assert "main text" not in found.message


def test_a_text_of_few_words_costs_more_than_a_short_one() -> None:
    shares = [finding("content-length", page(f"<main><p>{'word ' * count}</p></main>")).share_percent for count in (80, 150)]

    assert shares == [100, 60]
