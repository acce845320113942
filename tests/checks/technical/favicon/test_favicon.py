"""Outcomes of favicon: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import finding, page, verdict

SITE = "https://www.example.com"
URL = f"{SITE}/icon.png"
ICON = page(head='<link rel="icon" href="/icon.png">')
EMBEDDED = page(head='<link rel="icon" href="data:image/png;base64,AA">')
TWO = page(head='<link rel="ICON" href="/icon.png"><link rel="apple-touch-icon" href="/b.png">')


def icon(**what: Any) -> dict[str, Any]:
    """What the named icon answers."""
    return {"assets": {URL: what}}


OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("large and square", ICON, icon(picture=("png", 192, 192)), "passed"),
    ("a drawing", ICON, icon(body='<svg xmlns="http://www.w3.org/2000/svg"></svg>', headers=[("Content-Type", "image/svg+xml")]), "passed"),
    (
        "a small one beside a large one",
        TWO,
        {"assets": {URL: {"picture": ("png", 16, 16)}, f"{SITE}/b.png": {"picture": ("png", 180, 180)}}},
        "passed",
    ),
    (
        "a large one beside one in the page itself",
        EMBEDDED.replace("</head>", '<link rel="icon" href="/icon.png"></head>'),
        icon(picture=("png", 96, 96)),
        "passed",
    ),
    ("not asked", ICON, {}, "unknown"),
    ("no response in time", ICON, icon(failure="timeout"), "unknown"),
    ("none named, nothing asked", page(), {}, "unknown"),
    ("none named, and the usual place did not answer", page(), {"favicon": {"failure": "timeout"}}, "unknown"),
    ("small", ICON, icon(picture=("png", 32, 32)), "warned"),
    ("only the usual place", page(), {"favicon": {"picture": ("png", 48, 48)}}, "warned"),
    ("in the page itself", EMBEDDED, {}, "warned"),
    ("gone", ICON, icon(status=404), "failed"),
    ("not square", ICON, icon(picture=("png", 96, 48)), "failed"),
    ("none anywhere", page(), {"favicon": 404}, "failed"),
    ("a page in the usual place", page(), {"favicon": {"body": "<!doctype html><p>Not found"}}, "failed"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("favicon", html, **given) == expected, case


def test_the_home_pages_icon_counts_where_the_page_names_none() -> None:
    home = {"body": ICON, "headers": [("Content-Type", "text/html")]}

    assert verdict("favicon", page(), home=home, **icon(picture=("png", 96, 96))) == "passed"


def test_the_largest_of_small_icons_is_named() -> None:
    assets = {URL: {"picture": ("png", 16, 16)}, f"{SITE}/b.png": {"picture": ("png", 32, 32)}}

    assert finding("favicon", TWO, assets=assets).params["size"] == "32 × 32 px"
