"""Outcomes of cache-lifetime: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict

CSS = "https://www.example.com/a.css"
JS = "https://www.example.com/a.js"
SHEET = '<link rel="stylesheet" href="/a.css">'


def cached(value: str) -> dict[str, Any]:
    return {"assets": {CSS: {"headers": [["Cache-Control", value]]}}}


OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("none", page(), {}, "inapplicable"),
    ("not fetched", page(head=SHEET), {"assets_left_count": 1}, "unknown"),
    ("on this machine", page(head=SHEET), {"url": "http://localhost/", "assets": {"http://localhost/a.css": {}}}, "inapplicable"),
    ("a year", page(head=SHEET), cached("public, max-age=31536000, immutable"), "passed"),
    ("thirty days", page(head=SHEET), cached('MAX-AGE="2592000"'), "passed"),
    (
        "by Expires",
        page(head=SHEET),
        {"assets": {CSS: {"headers": [["Date", "Sun, 01 Nov 2026 12:00:00 GMT"], ["Expires", "Mon, 01 Nov 2027 12:00:00 GMT"]]}}},
        "passed",
    ),
    (
        "of another site",
        page(head=SHEET.replace("/a", "https://cdn.example.net/a")),
        {"assets": {"https://cdn.example.net/a.css": {}}},
        "inapplicable",
    ),
    ("a day", page(head=SHEET), cached("max-age=86400"), "warned"),
    (
        "no-cache with a validator",
        page(head=SHEET),
        {"assets": {CSS: {"headers": [["Cache-Control", "no-cache"], ["ETag", '"x"']]}}},
        "warned",
    ),
    ("only a validator", page(head=SHEET), {"assets": {CSS: {"headers": [["ETag", '"x"']]}}}, "warned"),
    ("no-store on a plain name", page(head=SHEET), cached("no-store"), "warned"),
    ("nothing", page(head=SHEET), {"assets": {CSS: {}}}, "failed"),
    (
        "no-store on a versioned name",
        page(head=SHEET.replace("a.css", "a.3f9a1c2d.css")),
        {"assets": {"https://www.example.com/a.3f9a1c2d.css": {"headers": [["Cache-Control", "no-store"]]}}},
        "failed",
    ),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("cache-lifetime", html, **given) == expected, case
