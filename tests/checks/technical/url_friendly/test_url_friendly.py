"""Outcomes of url-friendly: first what must not be flagged, then what must."""

import pytest

from tests.checks.harness import finding, page, verdict

OUTCOMES = [
    ("words and hyphens", "/shop/blue-widgets", "passed"),
    ("home", "/", "passed"),
    ("words in another script", "/%E3%83%96%E3%83%AB%E3%83%BC/caf%C3%A9", "passed"),
    ("a region", "/en-US/shop", "passed"),
    ("numbers behind an underscore", "/blue-widgets_4627068", "passed"),
    ("tracking does not count", "/shop?a=1&utm_source=x&utm_medium=y&gclid=z", "passed"),
    ("underscores", "/blue_widgets", "info"),
    ("capitals", "/Shop", "info"),
    ("a double slash", "/shop//blue", "warned"),
    ("a space", "/blue%20widgets", "warned"),
    ("a session", "/shop;jsessionid=AB12", "warned"),
    ("a session in the query", "/shop?PHPSESSID=ab12", "warned"),
    ("four parameters", "/shop?a=1&b=2&c=3&d=4", "warned"),
    ("bytes of an old encoding", "/caf%E9", "warned"),
    ("long", "/" + "widgets-" * 20, "info"),
    ("capitals and a session", "/Shop;jsessionid=AB12", "warned"),
]


IDENTIFIERS = [
    ("in the title", page(head="<title>The function db_name</title>"), "passed"),
    ("in the text", page("<p>Call sqlite3_db_name first.</p>"), "passed"),
    ("as words", page("<p>The db name</p>"), "info"),
]


@pytest.mark.parametrize(("case", "html", "expected"), IDENTIFIERS, ids=[case for case, *_ in IDENTIFIERS])
def test_an_identifier_keeps_its_underscore(case: str, html: str, expected: str) -> None:
    assert verdict("url-friendly", html, url="https://www.example.com/c3ref/db_name.html") == expected, case


@pytest.mark.parametrize(("case", "path", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, path: str, expected: str) -> None:
    assert verdict("url-friendly", page(), url=f"https://www.example.com{path}") == expected, case


def test_a_number_above_its_limit_is_shown_with_the_url() -> None:
    found = finding("url-friendly", page(), url="https://www.example.com/shop?a=1&b=2&c=3&d=4").evidence
    assert [(item.note, dict(item.params)) for item in found] == [
        ("{count} parameters, more than {limit_count}", {"count": 4, "limit_count": 3})
    ]
