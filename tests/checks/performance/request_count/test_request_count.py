"""Outcomes of request-count: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict

OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("none", page(), {}, "passed"),
    ("the same one often", page("<img src=/a.png>" * 200), {}, "passed"),
    ("many lazy ones", page("".join(f"<img loading=lazy src=/{n}.png>" for n in range(200))), {}, "passed"),
    ("many", page("".join(f"<img src=/{n}.png>" for n in range(100))), {}, "warned"),
    (
        "built by script",
        page('<div id="root"></div><script src="/app.js"></script>'),
        {"assets": {"https://www.example.com/app.js": {}}},
        "unknown",
    ),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("request-count", html, **given) == expected, case
