"""Outcomes of raw-vs-rendered without a browser: nothing is known. Others: test_rendered_rules."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict

OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("text", page(), {}, "unknown"),
    ("scripts beside text", page("<h1>Widgets</h1><div id=root><p>Text.</p></div><script src=/a.js></script>"), {}, "unknown"),
    ("shell", page("<div id=root></div>", "<script src=/a.js></script>"), {}, "unknown"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("raw-vs-rendered", html, **given) == expected, case
