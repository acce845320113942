"""Outcomes of failed-requests: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict

SITE = "https://www.example.com"
OWN, THEIRS = f"{SITE}/a.js", "https://cdn.other.example/b.js"
BOTH = page(f'<script src="/a.js"></script><script src="{THEIRS}"></script>')

OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("all load", BOTH, {"assets": {OWN: 200, THEIRS: 200}}, "passed"),
    ("refused by a guard", BOTH, {"assets": {OWN: 200, THEIRS: 403}}, "passed"),
    (
        "a picture is another question",
        page('<script src="/a.js"></script><img src="/b.png" alt="">'),
        {"assets": {OWN: 200, f"{SITE}/b.png": 404}},
        "passed",
    ),
    ("part was left", BOTH, {"assets": {OWN: 200}}, "passed"),
    ("loads nothing", page(), {}, "inapplicable"),
    ("data blocks", page('<script type="application/ld+json" src="/x.json"></script>'), {}, "inapplicable"),
    ("nothing was asked", BOTH, {}, "unknown"),
    ("another site's", BOTH, {"assets": {OWN: 200, THEIRS: 404}}, "warned"),
    ("its own script", BOTH, {"assets": {OWN: 404, THEIRS: 200}}, "failed"),
    ("its own style sheet", page(head='<link rel="stylesheet" href="/a.css">'), {"assets": {f"{SITE}/a.css": 500}}, "failed"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("failed-requests", html, **given) == expected, case
