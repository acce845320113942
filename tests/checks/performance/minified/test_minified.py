"""Outcomes of minified: first what must not be flagged, then what must."""

from typing import Any

import pytest

from findable.checks.performance.minified import removable_share
from tests.checks.harness import page, verdict

CSS = "https://www.example.com/a.css"
JS = "https://www.example.com/a.js"
SHEET = '<link rel="stylesheet" href="/a.css">'
WORDY = ".widget {\n        color: red;\n        margin: 0;\n}\n\n" * 400

OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("none", page(), {}, "inapplicable"),
    (
        "of another site",
        page(head=SHEET.replace("/a", "https://cdn.example.net/a")),
        {"assets": {"https://cdn.example.net/a.css": {"body": WORDY}}},
        "inapplicable",
    ),
    ("not fetched", page(head=SHEET), {"assets_left_count": 1}, "unknown"),
    ("minified", page(head=SHEET), {"assets": {CSS: {"body": ".a{color:red}" * 3000}}}, "passed"),
    (
        "minified, with a licence",
        page(head=SHEET),
        {"assets": {CSS: {"body": "/*!\n * Licence\n */\n" + ".a{color:red}" * 3000}}},
        "passed",
    ),
    ("one rule a line", page(head=SHEET), {"assets": {CSS: {"body": ".a{color:red}\n" * 3000}}}, "passed"),
    ("short", page(head=SHEET), {"assets": {CSS: {"body": WORDY[:1500]}}}, "passed"),
    ("sent compressed, little to save", page(head=SHEET), {"assets": {CSS: {"body": WORDY, "total_bytes": 3000}}}, "passed"),
    ("indented", page(head=SHEET), {"assets": {CSS: {"body": WORDY}}}, "warned"),
    ("commented", page(head=SHEET), {"assets": {CSS: {"body": "/* what it is\n * for */\n.a{color:red}\n" * 900}}}, "warned"),
]


def test_a_comment_is_not_closed_by_the_star_that_opens_it() -> None:
    commented = b"/*/ what it is\n" + b"more words about it\n" * 20 + b"*/\n"

    assert removable_share(commented + b".a{color:red}") == (len(commented) - 1) / (len(commented) + len(b".a{color:red}"))
    assert removable_share(b"/**/\n/* a */\n") == 11 / 13


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("minified", html, **given) == expected, case
