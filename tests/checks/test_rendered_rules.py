"""Rules of indexing that also read the page after its scripts ran."""

from typing import Any

import pytest

from findable.checks.engine import runnable_checks
from findable.checks.runner import run
from tests.checks.harness import artifacts, page, rendering

PAGE = "https://www.example.com/shop/blue-widgets"
LONG = " ".join(f"Sentence {number} tells what widget{number} is made of." for number in range(20))
LINKS = "".join(f"<a href=/{number}>{number}</a> " for number in range(5))
MIXED = " ".join(f"word{number}" for number in range(100))


def canonical(url: str) -> str:
    return f'<title>x</title><link rel="canonical" href="{url}">'


CASES = [
    ("raw-vs-rendered", page(LONG), page(LONG), "passed"),
    ("raw-vs-rendered", page("<div id=root></div>"), page("<div id=root>x</div>"), "inapplicable"),
    ("raw-vs-rendered", page(MIXED[:450]), page(MIXED), "warned"),
    ("raw-vs-rendered", page("<div id=root></div>"), page(LONG), "failed"),
    ("raw-vs-rendered", page(LONG, "<title>a</title>"), page(LONG, "<title>b</title>"), "warned"),
    ("raw-vs-rendered", page(LONG), page(LONG, '<title>Blue widgets – Example</title><meta name="robots" content="noindex">'), "failed"),
    ("raw-vs-rendered", page(LONG, canonical(PAGE)), page(LONG, canonical("https://www.example.com/")), "failed"),
    ("raw-vs-rendered", page(LONG), page(LONG + LINKS), "warned"),
    ("raw-vs-rendered", page(LONG + LINKS), page(LONG + LINKS), "passed"),
    ("canonical-consistency", page(head=canonical(PAGE)), page(head=canonical("https://www.example.com/")), "failed"),
    ("canonical-consistency", page(head=canonical(PAGE)), page(head=canonical(PAGE)), "inapplicable"),
    ("noindex-effective", page(head='<meta name="robots" content="noindex">'), page(), "failed"),
    (
        "noindex-effective",
        page(head='<meta name="robots" content="noindex">'),
        page(head='<meta name="robots" content="noindex">'),
        "passed",
    ),
]


@pytest.mark.parametrize(("check_id", "raw", "after", "expected"), CASES)
def test_rule(check_id: str, raw: str, after: str, expected: str) -> None:
    made = artifacts(raw, rendering=rendering(after))

    assert {result.check.id: result.finding.verdict.value for result in run(made, runnable_checks(made.sources))}[check_id] == expected


DESKTOP = page(LONG, "<title>For desktops</title>")
FOR_PHONES = page(MIXED, "<title>For phones</title>")
VARIES = {"headers": (("Content-Type", "text/html"), ("Vary", "Accept-Encoding, User-Agent"))}
AS_PHONE = {"phone": {PAGE: {"body": FOR_PHONES, "headers": [("Content-Type", "text/html")]}}}


@pytest.mark.parametrize(
    ("given", "after", "expected"),
    [
        (AS_PHONE, FOR_PHONES, "passed"),
        (AS_PHONE | VARIES, FOR_PHONES, "passed"),
        (AS_PHONE | VARIES, page(LONG, "<title>For phones</title>"), "failed"),
        ({"phone": {PAGE: {"status": 403, "body": "", "headers": []}}}, FOR_PHONES, "failed"),
        (VARIES, FOR_PHONES, "unknown"),
        (VARIES, DESKTOP, "passed"),
        ({}, FOR_PHONES, "failed"),
    ],
)
def test_a_page_in_the_browser_is_compared_with_what_phones_get(given: dict[str, Any], after: str, expected: str) -> None:
    made = artifacts(DESKTOP, rendering=rendering(after), **given)
    found = {result.check.id: result.finding for result in run(made, runnable_checks(made.sources))}["raw-vs-rendered"]
    assert found.verdict.value == expected, found
