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
    ("AMP", page(head='<link rel="canonical" href="https://www.example.com/a">').replace("<html", "<html amp"), {}, "info"),
    ("not meant for search", canonical("https://www.example.com/"), {"not_for_search": True}, "inapplicable"),
    ("a copy on this machine", canonical(), {"url": "http://127.0.0.1:8201/shop/blue-widgets"}, "inapplicable"),
    ("a copy on a private host", canonical(), {"url": "http://site.localhost/shop/blue-widgets"}, "inapplicable"),
    ("another port of this machine", canonical("http://127.0.0.1:1/"), {"url": "http://127.0.0.1:8201/"}, "warned"),
    ("slash", canonical(PAGE + "/"), {}, "info"),
    ("index file on the page", canonical("https://www.example.com/"), {"url": "https://www.example.com/index.html"}, "passed"),
    ("session id in the page's path", canonical(), {"url": f"{PAGE};jsessionid=FD52A3B1"}, "passed"),
    ("session id in the page's query", canonical(), {"url": f"{PAGE}?PHPSESSID=abc"}, "passed"),
    ("a parameter with the name of a session id and the value of a page", canonical(), {"url": f"{PAGE}?sid=5"}, "info"),
    ("session id in the canonical URL", canonical(f"{PAGE};jsessionid=FD52A3B1"), {}, "warned"),
    ("index file in the canonical URL", canonical("https://www.example.com/index.html"), {"url": "https://www.example.com/"}, "warned"),
    ("http on https: canonical-valid reports it", canonical("http://www.example.com/shop/blue-widgets"), {}, "inapplicable"),
    ("https on http", canonical(), {"url": "http://www.example.com/shop/blue-widgets"}, "passed"),
    ("http on https, and a slash", canonical("http://www.example.com/shop/blue-widgets/"), {}, "inapplicable"),
    ("www", canonical("https://example.com/shop/blue-widgets"), {}, "info"),
    ("query", canonical(), {"url": "https://www.example.com/shop/blue-widgets?color=red"}, "info"),
    ("query in the canonical URL", canonical(f"{PAGE}?color=red"), {}, "warned"),
    ("phone host", canonical(), {"url": "https://m.example.com/shop/blue-widgets"}, "info"),
    (
        "the latest version of a manual",
        canonical("https://www.example.com/6.0/forms/"),
        {"url": "https://www.example.com/5.1/forms/"},
        "warned",
    ),
    ("the main edition", canonical("https://www.example.com/uk/technology"), {"url": "https://www.example.com/technology"}, "warned"),
    (
        "the same page in another language",
        canonical("https://www.example.com/de/widgets"),
        {"url": "https://www.example.com/en/widgets"},
        "failed",
    ),
    (
        "the new URL of a product",
        canonical("https://www.example.com/product/blue-widget-13-touchscreen/JJ2"),
        {"url": "https://www.example.com/site/blue-widget-13-touchscreen/658.p"},
        "warned",
    ),
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


def test_a_canonical_link_is_proposed_without_session_id_index_file_and_tracking() -> None:
    for url in (f"{PAGE}/index.html", f"{PAGE}/;jsessionid=FD52A3B1", f"{PAGE}/?utm_source=mail", f"{PAGE}/?PHPSESSID=1"):
        found = findings(page(head="<title>x</title>"), url=url)["canonical-valid"]
        assert [fix.code for fix in found.fixes] == [f'<link rel="canonical" href="{PAGE}/">'], url


def test_the_form_that_og_url_declares_is_proposed() -> None:
    head = '<title>x</title><meta property="og:url" content="http://example.com/shop/blue-widgets/">'
    found = findings(page(head=head))["canonical-valid"]

    assert [fix.code for fix in found.fixes] == ['<link rel="canonical" href="https://example.com/shop/blue-widgets/">']


def test_the_fix_of_a_worse_form_is_the_better_one() -> None:
    found = findings(canonical(f"{PAGE};jsessionid=FD52A3B1"))["canonical-self"]

    assert [fix.code for fix in found.fixes] == [f'<link rel="canonical" href="{PAGE}">']


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        ("https://www.example.com/shop/red", Verdict.INFO),
        ("https://www.example.com/", Verdict.FAILED),
        ("https://staging.example.com/shop", Verdict.WARNED),
    ],
)
def test_a_copy_of_the_declared_page_gets_no_code(declared: str, expected: Verdict) -> None:
    text = " ".join(f"word{number}" for number in range(60))
    html = page(f"<main><h1>Blue widgets</h1><p>{text}</p></main>", head=f'<title>x</title><link rel="canonical" href="{declared}">')
    copy = {"body": html, "headers": [["Content-Type", "text/html; charset=utf-8"]]}
    found = findings(html, canonical={declared: copy})["canonical-self"]

    assert found.verdict is expected
    assert found.fixes == ()


def test_a_page_that_og_url_declares_too_or_only_over_https_gets_no_code() -> None:
    other = "https://www.example.com/shop/red"
    assert findings(canonical(other))["canonical-self"].fixes
    assert findings(canonical(other, f'<meta property="og:url" content="{other}">'))["canonical-self"].fixes == ()
    assert findings(canonical(other), url="http://www.example.com/shop/blue-widgets")["canonical-self"].fixes == ()


def test_no_code_is_offered_against_the_declared_version_of_a_page() -> None:
    found = findings(canonical("https://www.example.com/6.0/forms/"), url="https://www.example.com/5.1/forms/")["canonical-self"]

    assert not found.fixes
