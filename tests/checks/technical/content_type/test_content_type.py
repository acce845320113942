"""Outcomes of content-type: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict

SITE = "https://www.example.com"
SCRIPT = page('<script src="/a.js"></script>')
PICTURE = page('<img src="/a.png" alt="A" width="8" height="6">')


def script(media_type: str) -> dict[str, Any]:
    """A script sent as that type."""
    return {"assets": {f"{SITE}/a.js": {"body": "x", "headers": [("Content-Type", media_type)]}}}


def picture(media_type: str) -> dict[str, Any]:
    """A PNG picture sent as that type."""
    return {"assets": {f"{SITE}/a.png": {"picture": ("png", 8, 6), "headers": [("Content-Type", media_type)]}}}


OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("HTML", page(), {}, "passed"),
    ("XHTML", page(), {"headers": [("Content-Type", "Application/XHTML+XML; charset=utf-8")]}, "passed"),
    ("inline disposition", page(), {"headers": [("Content-Type", "text/html"), ("Content-Disposition", "inline")]}, "passed"),
    ("a script's several types", SCRIPT, script("application/x-javascript"), "passed"),
    ("a picture of another picture's type", PICTURE, picture("image/jpeg"), "passed"),
    ("a resource without a type", SCRIPT, {"assets": {f"{SITE}/a.js": {"body": "x"}}}, "passed"),
    ("an image without a type", PICTURE, {"assets": {f"{SITE}/a.png": {"picture": ("png", 8, 6)}}}, "warned"),
    (
        "a stylesheet without a type",
        page(head='<link rel="stylesheet" href="/a.css">'),
        {"assets": {f"{SITE}/a.css": {"body": "p{}"}}},
        "warned",
    ),
    ("plain text that is none", "Hello", {"headers": [("Content-Type", "text/plain")]}, "inapplicable"),
    ("no type", page(), {"headers": []}, "warned"),
    ("a script as text", SCRIPT, script("text/plain"), "warned"),
    ("a picture as bytes", PICTURE, picture("application/octet-stream"), "warned"),
    ("HTML as text", page(), {"headers": [("Content-Type", "text/plain")]}, "failed"),
    ("HTML as bytes", page(), {"headers": [("Content-Type", "application/octet-stream")]}, "failed"),
    ("a download", page(), {"headers": [("Content-Type", "text/html"), ("Content-Disposition", "Attachment; filename=a.html")]}, "failed"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("content-type", html, **given) == expected, case
