"""Outcomes of https: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict

OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("https", page(), {}, "passed"),
    ("https, not found", page(), {"status": 404}, "passed"),
    ("this machine", page(), {"url": "http://localhost:8000/"}, "inapplicable"),
    ("this machine by number", page(), {"url": "http://127.0.0.1/"}, "inapplicable"),
    ("a stand-in", page(), {"url": "http://preview.test/", "judged_as": "https://www.example.com"}, "inapplicable"),
    ("http", page(), {"url": "http://www.example.com/"}, "failed"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("https", html, **given) == expected, case
