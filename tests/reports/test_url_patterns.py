"""Patterns of addresses: a star is any run of characters, all else is itself."""

import fnmatch
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from findable.reports.url_patterns import MAX_PATTERN_CHARS, any_matches, matches, problem_of


@pytest.mark.parametrize(
    ("pattern", "url"),
    [
        ("*", "https://example.com/"),
        ("/thanks", "https://example.com/thanks"),
        ("/thanks", "https://example.com/thanks?order=7"),
        ("/shop?color=*", "https://example.com/shop?color=red&size=4"),
        ("/a*z", "https://example.com/az"),
        ("/a*b*c", "https://example.com/a-b-b-c"),
        ("https://example.com/*/print", "https://example.com/a/b/print"),
        ("*.example.com/*", "https://www.example.com/x"),
        ("*?page=*", "https://example.com/list?page=2"),
        ("/über*", "https://example.com/%C3%BCber-uns"),
        ("/a[1]", "https://example.com/a[1]"),
        ("https://example.com/", "https://example.com/"),
    ],
)
def test_it_covers(pattern: str, url: str) -> None:
    assert matches(pattern, url)
    assert any_matches(["/other", pattern], url)


@pytest.mark.parametrize(
    ("pattern", "url"),
    [
        ("/thanks", "https://example.com/thanks/"),
        ("/thanks", "https://example.com/de/thanks"),
        ("/Thanks", "https://example.com/thanks"),
        ("/a?c", "https://example.com/abc"),
        ("/[ab]", "https://example.com/a"),
        ("/a.c", "https://example.com/abc"),
        ("/aba*aba", "https://example.com/aba"),
        ("https://example.com", "https://example.com/"),
        ("http://example.com/*", "https://example.com/"),
        ("/a*b*c", "https://example.com/a-c-b"),
    ],
)
def test_it_does_not_cover(pattern: str, url: str) -> None:
    assert not matches(pattern, url)
    assert not any_matches([], url)


@given(st.text("ab*", max_size=8), st.text("ab", max_size=8))
def test_it_means_what_the_shell_means(rest: str, text: str) -> None:
    pattern, url = f"https://{rest}", f"https://{text}"

    assert matches(pattern, url) == bool(re.fullmatch(fnmatch.translate(pattern), url))


def test_many_stars_take_no_time() -> None:
    began = time.process_time()

    assert not matches("/" + "a*" * 99 + "b", "https://example.com/" + "a" * 2000)
    assert time.process_time() - began < 2


@pytest.mark.parametrize(
    ("pattern", "complaint"),
    [("thanks", "begins with"), ("", "begins with"), ("/" + "x" * MAX_PATTERN_CHARS, "longer than"), ("/a\nb", "control")],
)
def test_what_is_no_pattern_is_named(pattern: str, complaint: str) -> None:
    assert complaint in str(problem_of(pattern))


@pytest.mark.parametrize(
    "pattern", ["/", "*", "/shop?color=*", "https://example.com/*", "http://example.com/", "/" + "x" * (MAX_PATTERN_CHARS - 1)]
)
def test_what_is_a_pattern_is_taken(pattern: str) -> None:
    assert problem_of(pattern) is None
