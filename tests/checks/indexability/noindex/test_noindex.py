"""Outcomes of noindex."""

from typing import Any

import pytest

from tests.checks.harness import finding, page, verdict


def meta(content: str, name: str = "robots", more: str = "") -> str:
    return page(head=f'<title>x</title><meta name="{name}" content="{content}">{more}')


def header(*lines: str) -> dict[str, Any]:
    return {"headers": [["Content-Type", "text/html"], *(["X-Robots-Tag", line] for line in lines)]}


OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("nothing", page(), {}, "passed"),
    ("allowed", meta("index, follow, max-snippet:-1"), {}, "passed"),
    ("no preview is no noindex", meta("max-image-preview:none"), {}, "passed"),
    ("no pictures is no noindex", meta("noimageindex"), {}, "passed"),
    ("expiry in a year", meta("unavailable_after: 2027-11-01T12:00:00Z"), {}, "passed"),
    ("header of a redirect", page(), {"hops": [{"url": "https://example.com/", "headers": [["X-Robots-Tag", "noindex"]]}]}, "passed"),
    ("a template", page('<template><meta name="robots" content="noindex"></template>'), {}, "passed"),
    ("a comment", page(head='<!-- <meta name="robots" content="noindex"> -->'), {}, "passed"),
    ("not meant for search", meta("noindex"), {"not_for_search": True}, "inapplicable"),
    ("noindex", meta("noindex"), {}, "failed"),
    ("upper case", meta("NOINDEX,NOFOLLOW", "ROBOTS"), {}, "failed"),
    ("none", meta("none"), {}, "failed"),
    ("for Googlebot", meta("noindex", "googlebot"), {}, "failed"),
    ("two metas, the strict one second", meta("index", "robots", '<meta name="robots" content="noindex">'), {}, "failed"),
    ("in the body", page('<p>x</p><meta name="robots" content="noindex">'), {}, "failed"),
    ("header", page(), header("noindex"), "failed"),
    ("second header", page(), header("noarchive", "googlebot: noindex"), "failed"),
    ("name in upper case", page(), header("GoogleBot: NoIndex"), "failed"),
    ("expired", meta("unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT"), {}, "failed"),
    ("expires within a month", page(), header("unavailable_after: 15 Nov 2026 15:00:00 GMT"), "warned"),
    ("for another crawler", meta("noindex", "bingbot"), {}, "warned"),
    ("header for another crawler", page(), header("otherbot: noindex, nofollow"), "warned"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("noindex", html, **given) == expected, case


def test_no_code_opens_a_page_of_administration_to_search() -> None:
    for url, is_offered in (("https://www.example.com/app/admin/events.html", False), ("https://www.example.com/widgets.html", True)):
        assert bool(finding("noindex", meta("noindex, nofollow"), url=url).fixes) is is_offered, url
