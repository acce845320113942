"""Outcomes of script-defer: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict

OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("no scripts", page(), {}, "inapplicable"),
    ("inline only", page("<script>let x</script><p>Text</p>"), {}, "inapplicable"),
    ("deferred", page(head="<script src=a.js defer></script>"), {}, "passed"),
    ("a module", page(head="<script src=a.js type=module></script>"), {}, "passed"),
    ("at the end", page("<main><p>Text</p></main><script src=a.js></script><noscript>x</noscript>"), {}, "passed"),
    ("before a pixel", page("<main><p>Text</p></main><script src=a.js></script><img src=p.gif>"), {}, "passed"),
    ("in the head", page(head="<script src=a.js></script>"), {}, "warned"),
    ("in the middle", page("<p>Text</p><script src=a.js></script><main><p>Text</p><p>More</p></main>"), {}, "warned"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("script-defer", html, **given) == expected, case
