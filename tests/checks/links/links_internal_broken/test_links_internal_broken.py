"""Outcomes of links-internal-broken: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import finding, page, verdict

SITE = "https://www.example.com"
TWO = page('<a href="/a">A</a><a href="/b#x">B</a><a href="https://other.example/">O</a>')

OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("both work", TWO, {"links": {f"{SITE}/a": 200, f"{SITE}/b": 200}}, "passed"),
    ("both redirect", TWO, {"links": {f"{SITE}/a": {"final_url": f"{SITE}/c"}, f"{SITE}/b": 200}}, "passed"),
    ("refused, throttled or odd", TWO, {"links": {f"{SITE}/a": 999, f"{SITE}/b": 200}}, "passed"),
    ("a server error once", TWO, {"links": {f"{SITE}/a": 500, f"{SITE}/b": 200}}, "passed"),
    ("found missing by HEAD only", TWO, {"links": {f"{SITE}/a": {"status": 404, "method": "HEAD"}, f"{SITE}/b": 200}}, "passed"),
    ("a timeout", TWO, {"links": {f"{SITE}/a": {"failure": "timeout"}, f"{SITE}/b": 200}}, "passed"),
    ("the other site's link is broken", TWO, {"links": {f"{SITE}/a": 200, f"{SITE}/b": 200, "https://other.example/": 404}}, "passed"),
    ("part was left by the budget", TWO, {"links": {f"{SITE}/a": 200, f"{SITE}/b": {"failure": "budget"}}}, "passed"),
    ("no links to this site", page('<a href="#a">A</a><a href="https://other.example/">O</a>'), {}, "inapplicable"),
    ("nothing was asked", TWO, {}, "unknown"),
    ("robots.txt", TWO, {"links": {f"{SITE}/a": {"failure": "robots_txt"}, f"{SITE}/b": {"failure": "robots_txt"}}}, "unknown"),
    ("a pause", TWO, {"links": {f"{SITE}/a": {"failure": "paused"}, f"{SITE}/b": {"failure": "paused"}}}, "unknown"),
    ("no route", TWO, {"links": {f"{SITE}/a": {"failure": "no_route"}, f"{SITE}/b": {"failure": "no_route"}}}, "unknown"),
    ("all refused", TWO, {"links": {f"{SITE}/a": 403, f"{SITE}/b": 429}}, "unknown"),
    ("one is gone", TWO, {"links": {f"{SITE}/a": 404, f"{SITE}/b": 200}}, "warned"),
    ("one link, and it is gone", page('<a href="/a">A</a>'), {"links": {f"{SITE}/a": 410}}, "warned"),
    ("two are gone", TWO, {"links": {f"{SITE}/a": 404, f"{SITE}/b": 410}}, "failed"),
    ("a server error twice", TWO, {"links": {f"{SITE}/a": {"status": 500, "tries": ("GET 500",)}, f"{SITE}/b": 404}}, "failed"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("links-internal-broken", html, **given) == expected, case


def test_evidence_shows_address_status_text_and_line() -> None:
    found = finding("links-internal-broken", page('<p>x</p>\n<a href="/a">The old page</a>'), links={f"{SITE}/a": 404})

    (shown,) = found.evidence
    assert (shown.url, shown.status, shown.line) == (f"{SITE}/a", 404, 9)
    assert "The old page" in shown.text
    assert shown.selector


def test_message_names_what_was_left() -> None:
    found = finding("links-internal-broken", TWO, links={f"{SITE}/a": 200})

    assert found.params["left_count"] == 1
    assert "{left_count}" in found.message


def test_a_pause_is_named_as_the_cause() -> None:
    paused = {"links": {f"{SITE}/a": {"failure": "paused"}, f"{SITE}/b": {"failure": "paused"}}}
    assert "requested a pause" in finding("links-internal-broken", TWO, **paused).message
