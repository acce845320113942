"""Outcomes of dom-size: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import finding, page, verdict

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


def test_the_widest_element_is_neither_the_head_nor_code() -> None:
    html = page(f"<ul id=list>{'<li>x</li>' * 50}</ul><pre>{'<span>x</span>' * 1600}</pre>", head="<title>T</title>" + "<meta name=a>" * 90)

    assert [item.text for item in finding("dom-size", html).evidence] == [f"<ul id=list>{' '.join(['x'] * 49)} x</ul>"]
