"""Outcomes of dom-size: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict

OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("small", page(), {}, "passed"),
    ("just so", page("<br>" * 1490), {}, "passed"),
    ("in a template", page("<template>" + "<br>" * 9000 + "</template>"), {}, "passed"),
    ("large", page("<br>" * 1600), {}, "warned"),
    ("very large", page("<br>" * 5100), {}, "failed"),
    (
        "built by script",
        page('<div id="root"></div><script src="/app.js"></script>'),
        {"assets": {"https://www.example.com/app.js": {}}},
        "unknown",
    ),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("dom-size", html, **given) == expected, case
