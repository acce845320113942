"""Outcomes of other-headers: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict

OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("none", page(), {}, "info"),
    ("some", page(), {"headers": [["Content-Type", "text/html"], ["X-XSS-Protection", "1; mode=block"]]}, "info"),
    ("not a page", page(), {"status": 404}, "inapplicable"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("other-headers", html, **given) == expected, case
