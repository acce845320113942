"""Outcomes of image-format: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict

A = "https://www.example.com/a.png"
J = "https://www.example.com/a.jpg"

OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("no pictures", page(), {}, "inapplicable"),
    ("not measured", page('<img src="/a.png">'), {}, "unknown"),
    ("a modern one", page('<img src="/a.png">'), {"assets": {A: {"picture": ["webp", 800, 600], "total_bytes": 500_000}}}, "passed"),
    ("avif", page('<img src="/a.png">'), {"assets": {A: {"picture": ["avif", 800, 600], "total_bytes": 500_000}}}, "passed"),
    ("a drawing", page('<img src="/a.png">'), {"assets": {A: {"picture": ["svg", 8, 6], "total_bytes": 90_000}}}, "passed"),
    ("a small saving", page('<img src="/a.png">'), {"assets": {A: {"picture": ["jpeg", 300, 200], "total_bytes": 20_000}}}, "passed"),
    (
        "no dimensions, no estimate",
        page('<img src="/a.png">'),
        {"assets": {A: {"body": b"\xff\xd8\xff\xe0", "total_bytes": 90_000}}},
        "passed",
    ),
    (
        "declared JPEG, really WebP",
        page('<img src="/a.jpg">'),
        {"assets": {J: {"picture": ["webp", 800, 600], "headers": [["Content-Type", "image/jpeg"]], "total_bytes": 900_000}}},
        "passed",
    ),
    ("a heavy JPEG", page('<img src="/a.jpg">'), {"assets": {J: {"picture": ["jpeg", 800, 600], "total_bytes": 120_000}}}, "warned"),
    ("TIFF", page('<img src="/a.jpg">'), {"assets": {J: {"body": b"II*\x00", "total_bytes": 100}}}, "failed"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("image-format", html, **given) == expected, case
