"""Outcomes of canonical-self."""

from typing import Any

import pytest

from findable.checks.engine import covered_by
from findable.vocabulary import Verdict
from tests.checks.harness import findings, page, verdict

PAGE = "https://www.example.com/shop/blue-widgets"


def canonical(href: str = PAGE, more: str = "") -> str:
    return page(head=f'<title>x</title><link rel="canonical" href="{href}">{more}')


OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("none", page(head='<link rel="icon" href="/i.png">'), {}, "inapplicable"),
    ("itself", canonical(), {}, "passed"),
    ("itself, with tracking", canonical(), {"url": "https://www.example.com/shop/blue-widgets?utm_source=mail&gclid=1"}, "passed"),
    ("host in upper case", canonical("https://WWW.Example.com/shop/blue-widgets"), {}, "passed"),
    ("escapes in lower case", canonical("https://www.example.com/%c3%a9"), {"url": "https://www.example.com/%C3%A9"}, "passed"),
    ("IDN", canonical("https://bücher.example/"), {"url": "https://xn--bcher-kva.example/"}, "passed"),
    ("AMP", page(head='<link rel="canonical" href="https://www.example.com/a">').replace("<html", "<html amp"), {}, "inapplicable"),
    ("not meant for search", canonical("https://www.example.com/"), {"not_for_search": True}, "inapplicable"),
    ("a copy on this machine", canonical(), {"url": "http://127.0.0.1:8201/shop/blue-widgets"}, "inapplicable"),
    ("a copy on a private host", canonical(), {"url": "http://site.localhost/shop/blue-widgets"}, "inapplicable"),
    ("another port of this machine", canonical("http://127.0.0.1:1/"), {"url": "http://127.0.0.1:8201/"}, "warned"),
    ("slash", canonical(PAGE + "/"), {}, "warned"),
    ("index file", canonical("https://www.example.com/"), {"url": "https://www.example.com/index.html"}, "warned"),
    ("http on https: canonical-valid reports it", canonical("http://www.example.com/shop/blue-widgets"), {}, "inapplicable"),
    ("https on http", canonical(), {"url": "http://www.example.com/shop/blue-widgets"}, "warned"),
    ("http on https, and a slash", canonical("http://www.example.com/shop/blue-widgets/"), {}, "warned"),
    ("www", canonical("https://example.com/shop/blue-widgets"), {}, "warned"),
    ("query", canonical(), {"url": "https://www.example.com/shop/blue-widgets?page=2"}, "warned"),
    ("phone host", canonical(), {"url": "https://m.example.com/shop/blue-widgets"}, "warned"),
    ("another page", canonical("https://www.example.com/shop/red-widgets"), {}, "failed"),
    ("home page", canonical("https://www.example.com/"), {}, "failed"),
    ("another host, which may be meant", canonical("https://staging.example.com/shop/blue-widgets"), {}, "warned"),
    ("the first page of a list", canonical(), {"url": "https://www.example.com/shop/blue-widgets/page/3/"}, "warned"),
    ("two that differ are the fault of another check", canonical(PAGE, '<link rel="canonical" href="/b">'), {}, "inapplicable"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("canonical-self", html, **given) == expected, case


def test_one_cause_is_reported_once_and_named() -> None:
    found = findings(canonical("http://www.example.com/shop/blue-widgets"))

    assert found["canonical-valid"].verdict is Verdict.WARNED
    assert found["canonical-self"] == covered_by("canonical-valid")
