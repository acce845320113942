"""Outcomes of page-weight: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict

CSS = "https://www.example.com/a.css"
JS = "https://www.example.com/a.js"
SHEET = '<link rel="stylesheet" href="/a.css">'

OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("light", page(head=SHEET), {"assets": {CSS: {"total_bytes": 90_000}}}, "passed"),
    ("nothing else", page(), {}, "passed"),
    ("a lazy picture", page('<img src="/b.png" loading="lazy">'), {}, "passed"),
    ("a frame", page('<iframe src="https://maps.example.net/"></iframe>'), {}, "passed"),
    ("a style sheet that is gone", page(head=SHEET), {"assets": {CSS: 404}}, "passed"),
    ("not measured", page(head=SHEET), {"assets_left_count": 1}, "unknown"),
    ("heavy", page(head=SHEET), {"assets": {CSS: {"total_bytes": 2667 * 1024}}}, "warned"),
    ("heavy, whatever is not measured", page("<img src=/b.png>", SHEET), {"assets": {CSS: {"total_bytes": 2667 * 1024}}}, "warned"),
    ("very heavy", page(head=SHEET), {"assets": {CSS: {"total_bytes": 4000 * 1024}}}, "failed"),
    (
        "built by script",
        page('<div id="root"></div><script src="/app.js"></script>'),
        {"assets": {"https://www.example.com/app.js": {}}},
        "unknown",
    ),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("page-weight", html, **given) == expected, case
