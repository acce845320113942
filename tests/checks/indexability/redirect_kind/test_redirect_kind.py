"""Outcomes of redirect-kind."""

from typing import Any

import pytest

from findable.checks.engine import page_checks
from findable.reports.analysis import analyse
from findable.vocabulary import Fault, Rating
from tests.checks.harness import capture, finding, page, verdict


def hop(status: int, vary: str = "") -> dict[str, Any]:
    return {"hops": [{"url": "https://www.example.com/old", "status": status, "headers": [["Vary", vary]] if vary else []}]}


def refresh(content: str) -> str:
    return page(head=f'<title>x</title><meta http-equiv="refresh" content="{content}">')


OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("nothing", page(), {}, "passed"),
    ("permanent", page(), hop(301), "passed"),
    ("permanent, method kept", page(), hop(308), "passed"),
    ("once a day", refresh("86400"), {}, "passed"),
    ("in a noscript", page(head='<noscript><meta http-equiv="refresh" content="5"></noscript>'), {}, "passed"),
    (
        "a second one, which browsers ignore",
        page(head='<meta http-equiv="refresh" content="86400"><meta http-equiv="refresh" content="5; url=/a">'),
        {},
        "passed",
    ),
    ("unreadable", refresh("soon"), {}, "passed"),
    ("empty", refresh(""), {}, "passed"),
    ("by the reader's language", page(), hop(302, "Accept-Encoding, Accept-Language"), "passed"),
    ("temporary", page(), hop(302), "warned"),
    ("temporary, compressed or not", page(), hop(302, "Accept-Encoding"), "warned"),
    ("see other", page(), hop(303), "warned"),
    ("temporary, method kept", page(), hop(307), "warned"),
    ("instant", refresh("0; url=/a"), {}, "warned"),
    ("instant, quoted", refresh("0;url='/a'"), {}, "warned"),
    ("delayed", refresh("5; url=/a"), {}, "failed"),
    ("after exactly 20 hours", refresh("72000; url=/a"), {}, "failed"),
    ("comma", refresh("5, URL = /a"), {}, "failed"),
    ("only white space", refresh(" 5 /a"), {}, "failed"),
    ("reload", refresh("30"), {}, "warned"),
    ("reload by URL", refresh("30; url=/shop/blue-widgets"), {}, "warned"),
    ("reload by absolute URL", refresh("30; url=https://www.example.com/shop/blue-widgets#top"), {}, "warned"),
    ("another page, without a blank", refresh("5;url=/x"), {}, "failed"),
    ("part of a second", refresh("1.5;url=/a"), {}, "failed"),
    ("in the body", page('<meta http-equiv="REFRESH" content="5;url=/a">'), {}, "failed"),
    ("header", page(), {"headers": [["Content-Type", "text/html"], ["Refresh", "5; url=/a"]]}, "failed"),
    ("temporary redirect to an error page", page(), {**hop(302), "status": 404}, "warned"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("redirect-kind", html, **given) == expected, case


def test_a_refresh_to_another_page_is_not_called_a_reload() -> None:
    found = finding("redirect-kind", refresh("5;url=/x"))

    assert found.message == "A refresh leads to another page after {wait_s}"
    assert found.evidence[0].params == {"target": "https://www.example.com/x"}


def test_only_an_instant_refresh_to_another_page_takes_the_page_out_of_the_index() -> None:
    limit = page_checks()["redirect-kind"].limits[Fault.REFRESH]

    for html in (page(), refresh("0"), refresh("0; url=/shop/blue-widgets#top"), refresh("5; url=/a"), refresh("86400; url=/a")):
        assert finding("redirect-kind", html).fault != Fault.REFRESH, html
    for target in ("/a", "https://other.example/a"):
        report = analyse(capture(refresh(f"0; url={target}")))
        assert (report.score or 0) <= limit, target
        assert report.result == Rating.BAD
