"""Outcomes of link-text: first what must not be flagged, then what must."""

import pytest

from tests.checks.harness import page, verdict

OUTCOMES = [
    (
        "a word that is the name of the page",
        page('<a href="/d/go.html">Go</a><a href="/more/">More</a><a href="/learn-more?a">Learn more</a>'),
        "passed",
    ),
    ("telling texts", page('<a href="/a">Prices of blue widgets</a>'), "passed"),
    ("two are allowed", page('<a href="/a">here</a><a href="/b">read more</a><a href="/c">Prices</a>'), "passed"),
    ("page numbers", page("".join(f'<a href="/p{n}">{n}</a>' for n in range(1, 9))), "passed"),
    ("a label says more", page('<a href="/a" aria-label="More on widgets">more</a>' * 4), "passed"),
    ("a picture says more", page('<a href="/a"><img alt="Blue widgets" src="a.png"> read more</a>' * 4), "passed"),
    ("links within the page", page('<a href="#a">more</a>' * 4 + '<a href="/b">Prices</a>'), "passed"),
    ("another language around", page('<p lang="pl">' + '<a href="/a">more</a>' * 4 + "</p>" + '<a href="/b">Prices</a>'), "passed"),
    ("a generic word in a longer text", page('<a href="/a">Click here for prices of widgets</a>' * 4), "passed"),
    ("no links", page("<p>Text</p>"), "inapplicable"),
    ("a language without a list", page('<a href="/a">więcej</a>' * 4, lang="pl"), "inapplicable"),
    ("three generic ones", page('<a href="/a">Read more</a><a href="/b">HERE</a><a href="/c">click here »</a>'), "warned"),
    ("German", page('<a href="/a">mehr</a><a href="/b">hier</a><a href="/c">Weiterlesen …</a>', lang="de"), "warned"),
    (
        "a German part of an English page",
        page('<div lang="de"><a href="/a">mehr</a><a href="/b">hier</a><a href="/c">weiterlesen</a></div>'),
        "warned",
    ),
]


@pytest.mark.parametrize(("case", "html", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, expected: str) -> None:
    assert verdict("link-text", html) == expected, case
