"""Outcomes of image-weight: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import finding, page, verdict

A = "https://www.example.com/a.png"

OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("no pictures", page(), {}, "inapplicable"),
    ("not measured", page('<img src="/a.png">'), {"assets_left_count": 1}, "unknown"),
    (
        "size not stated",
        page('<img src="/a.png">'),
        {"assets": {A: {"picture": ["png", 9, 9], "total_bytes": None, "truncated": True}}},
        "unknown",
    ),
    ("light", page('<img src="/a.png">'), {"assets": {A: {"picture": ["png", 9, 9], "total_bytes": 200_000}}}, "passed"),
    (
        "a small moving GIF",
        page('<img src="/a.png">'),
        {"assets": {A: {"picture": ["gif-animated", 9, 9], "total_bytes": 90_000}}},
        "passed",
    ),
    ("a large still GIF", page('<img src="/a.png">'), {"assets": {A: {"picture": ["gif", 900, 900], "total_bytes": 150_000}}}, "passed"),
    ("heavy", page('<img src="/a.png">'), {"assets": {A: {"picture": ["png", 9, 9], "total_bytes": 200_001}}}, "warned"),
    ("far too heavy", page('<img src="/a.png">'), {"assets": {A: {"picture": ["png", 9, 9], "total_bytes": 1_000_001}}}, "failed"),
    (
        "a large moving GIF",
        page('<img src="/a.png">'),
        {"assets": {A: {"picture": ["gif-animated", 9, 9], "total_bytes": 150_000}}},
        "failed",
    ),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("image-weight", html, **given) == expected, case


def test_only_a_moving_picture_is_told_to_become_a_video() -> None:
    def advice(kind: str, total_bytes: int) -> str:
        given = {"assets": {A: {"picture": [kind, 9, 9], "total_bytes": total_bytes}}}
        return finding("image-weight", page('<img src="/a.png">'), **given).advice

    assert advice("jpeg", 1_000_001) == advice("png", 200_001) == "Resize to the size shown, and compress."
    assert advice("gif-animated", 150_000) == ""
