"""Outcomes of raw-vs-rendered."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict

OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("text", page(), {}, "passed"),
    ("scripts beside text", page("<h1>Widgets</h1><div id=root><p>Text.</p></div><script src=/a.js></script>"), {}, "passed"),
    ("shell", page("<div id=root></div>", "<script src=/a.js></script>"), {}, "warned"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("raw-vs-rendered", html, **given) == expected, case
