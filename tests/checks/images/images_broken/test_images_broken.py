"""Outcomes of images-broken: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict

A = "https://www.example.com/a.png"

OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("no pictures", page(), {}, "inapplicable"),
    ("it loads", page('<img src="/a.png">'), {"assets": {A: {"picture": ["png", 9, 9]}}}, "passed"),
    ("embedded", page('<img src="data:image/gif;base64,R0lGOD">'), {}, "inapplicable"),
    (
        "bytes outweigh the declared type",
        page('<img src="/a.png">'),
        {"assets": {A: {"picture": ["png", 9, 9], "headers": [["Content-Type", "text/html"]]}}},
        "passed",
    ),
    ("an empty counter", page('<img src="/a.png">'), {"assets": {A: {"status": 204}}}, "passed"),
    ("the budget ended", page('<img src="/a.png">'), {"assets_left_count": 1}, "unknown"),
    ("robots.txt", page('<img src="/a.png">'), {"assets": {A: {"failure": "robots_txt"}}}, "unknown"),
    ("no route", page('<img src="/a.png">'), {"assets": {A: {"failure": "no_route"}}}, "unknown"),
    ("refused", page('<img src="/a.png">'), {"assets": {A: 403}}, "unknown"),
    ("throttled", page('<img src="/a.png">'), {"assets": {A: 429}}, "unknown"),
    ("no answer", page('<img src="/a.png">'), {"assets": {A: {"failure": "timeout"}}}, "unknown"),
    ("no connection", page('<img src="/a.png">'), {"assets": {A: {"failure": "connect"}}}, "unknown"),
    (
        "one of two could not be verified",
        page('<img src="/a.png"><img src="/b.png">'),
        {"assets": {A: {"failure": "connect"}, A.replace("a.png", "b.png"): {"picture": ["png", 9, 9]}}},
        "passed",
    ),
    ("a counter that is gone", page('<img src="/a.png" width="1" height="1" alt="">'), {"assets": {A: 404}}, "inapplicable"),
    ("gone", page('<img src="/a.png">'), {"assets": {A: 410}}, "failed"),
    ("server error", page('<img src="/a.png">'), {"assets": {A: 500}}, "failed"),
    ("a page in its place", page('<img src="/a.png">'), {"assets": {A: {"body": "<!doctype html><p>Not found"}}}, "failed"),
    (
        "the candidate of a picture",
        page('<picture><source srcset="/a.png 800w"><img src="/b.png"></picture>'),
        {"assets": {A: 404}},
        "failed",
    ),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("images-broken", html, **given) == expected, case
