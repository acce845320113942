"""Outcomes of redirect-chain."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict

PAGE = "https://www.example.com/shop/blue-widgets"


def hops(*urls: str) -> dict[str, Any]:
    targets = [*urls[1:], PAGE]
    return {"hops": [{"url": url, "location": target} for url, target in zip(urls, targets, strict=True)]}


OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("no redirect", page(), {}, "passed"),
    ("to https", page(), hops("http://www.example.com/a"), "passed"),
    ("two", page(), hops("http://example.com/a", "https://example.com/a"), "warned"),
    ("four", page(), hops("https://a.example/1", "https://a.example/2", "https://a.example/3", "https://a.example/4"), "warned"),
    (
        "five",
        page(),
        hops("https://a.example/1", "https://a.example/2", "https://a.example/3", "https://a.example/4", "https://a.example/5"),
        "failed",
    ),
    ("leaves https on the way", page(), hops("https://a.example/1", "http://a.example/1"), "failed"),
    (
        "leaves https at the end",
        page(),
        {"url": "http://www.example.com/", "hops": [{"url": "https://www.example.com/", "location": "http://www.example.com/"}]},
        "failed",
    ),
    ("a loop that a cookie ends", page(), hops(PAGE), "failed"),
    (
        "a chain to an error page is judged all the same",
        page(),
        {**hops("http://example.com/a", "https://example.com/a"), "status": 404},
        "warned",
    ),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("redirect-chain", html, **given) == expected, case
