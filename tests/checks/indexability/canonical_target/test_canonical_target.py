"""Outcomes of canonical-target."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict

PAGE = "https://www.example.com/shop/blue-widgets"


def canonical(href: str = PAGE, more: str = "") -> str:
    return page(head=f'<title>x</title><link rel="canonical" href="{href}">{more}')


OTHER = "https://www.example.com/shop/widgets"


def target(**answer: Any) -> dict[str, Any]:
    return {"canonical": {OTHER: {"body": page(), "headers": [["Content-Type", "text/html"]], **answer}}}


HTTP = PAGE.replace("https:", "http:")


def leading_back(url: str = HTTP, **answer: Any) -> dict[str, Any]:
    return {"canonical": {url: {"body": page(), "headers": [["Content-Type", "text/html"]], "final_url": PAGE, **answer}}}


OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("itself", canonical(), {}, "inapplicable"),
    ("http, which leads back here: the question of canonical-self", canonical(HTTP), leading_back(), "inapplicable"),
    (
        "a slash, which leads back here to a page that is noindex",
        canonical(PAGE + "/", '<meta name="robots" content="noindex">'),
        leading_back(PAGE + "/", body=page(head='<meta name="robots" content="noindex">')),
        "inapplicable",
    ),
    ("sound", canonical(OTHER), target(), "passed"),
    ("names itself", canonical(OTHER), target(body=canonical(OTHER)), "passed"),
    ("not asked", canonical(OTHER), {}, "unknown"),
    ("no answer", canonical(OTHER), {"canonical": {OTHER: {"failure": "timeout"}}}, "unknown"),
    ("refused", canonical(OTHER), {"canonical": {OTHER: 403}}, "unknown"),
    ("redirects", canonical(OTHER), target(final_url="https://www.example.com/new"), "warned"),
    ("missing", canonical(OTHER), {"canonical": {OTHER: 404}}, "failed"),
    ("noindex", canonical(OTHER), target(body=page(head='<meta name="robots" content="noindex">')), "failed"),
    ("noindex header", canonical(OTHER), target(headers=[["Content-Type", "text/html"], ["X-Robots-Tag", "noindex"]]), "failed"),
    ("points on", canonical(OTHER), target(body=canonical("https://www.example.com/third")), "failed"),
    ("blocked", canonical(OTHER), {**target(), "robots_txt": "User-agent: *\nDisallow: /shop/widgets\n"}, "failed"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("canonical-target", html, **given) == expected, case
