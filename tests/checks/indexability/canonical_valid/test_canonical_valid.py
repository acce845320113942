"""Outcomes of canonical-valid."""

from typing import Any

import pytest

from findable.vocabulary import Verdict
from tests.checks.harness import finding, page, verdict

PAGE = "https://www.example.com/shop/blue-widgets"


def canonical(href: str = PAGE, more: str = "") -> str:
    return page(head=f'<title>x</title><link rel="canonical" href="{href}">{more}')


OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("one", canonical(), {}, "passed"),
    (
        "header",
        page(),
        {"headers": [["Content-Type", "text/html"], ["Link", "<https://www.example.com/shop/blue-widgets>; rel=canonical"]]},
        "passed",
    ),
    ("upper case", page(head='<LINK REL="Canonical" HREF="https://www.example.com/a">'), {}, "passed"),
    (
        "behind a noscript with a picture",
        page(head='<noscript><img src="x.gif"></noscript><link rel="canonical" href="https://www.example.com/a">'),
        {},
        "passed",
    ),
    (
        "in a template",
        page('<template><link rel="canonical" href="/b"></template>', '<link rel="canonical" href="https://www.example.com/a">'),
        {},
        "passed",
    ),
    ("none on a page that is noindex", page(head='<meta name="robots" content="noindex">'), {}, "inapplicable"),
    ("none", page(), {}, "warned"),
    ("relative", canonical("/shop/blue-widgets"), {}, "warned"),
    ("no scheme", canonical("//www.example.com/a"), {}, "warned"),
    ("http on https", canonical("http://www.example.com/shop/blue-widgets"), {}, "warned"),
    ("fragment", canonical(PAGE + "#top"), {}, "warned"),
    ("the same twice", canonical(PAGE, f'<link rel="canonical" href="{PAGE}">'), {}, "warned"),
    (
        "the same in a header",
        canonical(),
        {"headers": [["Content-Type", "text/html"], ["Link", "<https://www.example.com/shop/blue-widgets>; rel=canonical"]]},
        "warned",
    ),
    ("with hreflang", page(head='<link rel="canonical" hreflang="en" href="https://www.example.com/a">'), {}, "warned"),
    ("two different", canonical(PAGE, '<link rel="canonical" href="https://www.example.com/b">'), {}, "failed"),
    ("tag and header differ", canonical(), {"headers": [["Content-Type", "text/html"], ["Link", "</b>; rel=canonical"]]}, "failed"),
    ("empty", canonical(""), {}, "failed"),
    ("unreadable", canonical("https://[::1"), {}, "failed"),
    ("script", canonical("javascript:void(0)"), {}, "failed"),
    ("in the body", page('<link rel="canonical" href="https://www.example.com/a">'), {}, "failed"),
    (
        "lost behind a stray element is the fault of another check",
        page(head='<div></div><link rel="canonical" href="https://www.example.com/a">'),
        {},
        "inapplicable",
    ),
    ("error page", canonical(), {"status": 404}, "inapplicable"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("canonical-valid", html, **given) == expected, case


@pytest.mark.parametrize(
    ("href", "message", "note"),
    [
        ("", "The canonical URL is empty", "its URL is empty"),
        ("https://[::1", "The canonical URL is invalid", "its URL cannot be read"),
        (
            "file:///usr/share/doc/index.html",
            "The canonical URL begins with {scheme}:, but search engines read only http and https",
            "its URL begins with {scheme}:, not with http: or https:",
        ),
    ],
)
def test_an_unusable_url_is_called_what_it_is(href: str, message: str, note: str) -> None:
    found = finding("canonical-valid", canonical(href))

    assert found.message == message
    assert [item.note for item in found.evidence] == [note]
    assert found.params == ({"scheme": "file"} if href.startswith("file") else {})
    assert "attribute" not in found.evidence[0].params


def test_no_code_is_for_a_head_that_an_element_has_ended() -> None:
    lost = '<!doctype html><html lang="en"><head><title>Case</title><header></header></head><p>Text</p></html>'

    assert finding("canonical-valid", lost.replace("<header></header>", "")).fixes
    found = finding("canonical-valid", lost)
    assert (found.verdict, found.fixes) == (Verdict.WARNED, ())


def test_https_is_proposed_for_an_http_page_if_the_host_has_it() -> None:
    answers = {"http://www.example.com/": {"status": 200}, "https://www.example.com/": {"status": 200}}
    for variants, scheme in ((answers, "https"), ({}, "http")):
        found = finding("canonical-valid", page(head="<title>x</title>"), url="http://www.example.com/a", variants=variants)
        assert [fix.code for fix in found.fixes] == [f'<link rel="canonical" href="{scheme}://www.example.com/a">'], scheme
