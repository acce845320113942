"""Typed URLs: typing errors are asked back, lists are split."""

import pytest

from findable.fetch.egress_guard import AllowedTarget, Guard
from findable.service.sites.url_input import SEVERAL, PageTarget, read_url
from findable.urls import split_urls

GUARD = Guard()


@pytest.mark.parametrize(
    "typed",
    [
        "example.com",
        "http://shop/",
        "https://shop",
        "localhost:8000/x",
        "shop:8080",
        "https://example.com/a,b",
        "example.com/a,b.html",
        "https://example.com/?u=1,https://b.example/",
        "https://example.com/a b",
        "bücher.example",
        "https://example.com/a;b=1",
    ],
)
def test_a_single_url_stays_whole(typed: str) -> None:
    assert split_urls(typed) == [typed]


@pytest.mark.parametrize(
    ("typed", "urls"),
    [
        ("a.example, b.example", ["a.example", "b.example"]),
        ("a.example,b.example", ["a.example", "b.example"]),
        ("https://a.example/x https://b.example/y", ["https://a.example/x", "https://b.example/y"]),
        ("https://a.example/x,https://b.example/y", ["https://a.example/x", "https://b.example/y"]),
        ("a.example; b.example/path", ["a.example", "b.example/path"]),
    ],
)
def test_several_urls_in_a_line_are_split(typed: str, urls: list[str]) -> None:
    assert split_urls(typed) == urls
    assert read_url(typed, GUARD) == SEVERAL


def test_one_word_is_asked_back_unless_typed_with_scheme_or_allowed() -> None:
    assert "shop.example" in str(read_url("shop", GUARD))
    assert isinstance(read_url("http://shop/", GUARD), PageTarget)
    assert isinstance(read_url("shop", Guard(allow_targets=[AllowedTarget.parse("shop")])), PageTarget)
