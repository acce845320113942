"""Outcomes of dom-size: first what must not be flagged, then what must."""

from typing import Any

import pytest

from findable.checks.performance.dom_size import CODE_ADVICE, DRAWING_ADVICE, LIST_ADVICE, OTHER_ADVICE
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
    html = page(
        f"<ul id=list>{'<li>x</li>' * 100}</ul><pre>{'<span>x</span>' * 1600}</pre>", head="<title>T</title>" + "<meta name=a>" * 90
    )

    assert [item.text for item in finding("dom-size", html).evidence] == [f"<ul id=list>{'x ' * 50}…</ul>"]


def test_without_a_long_list_the_part_with_most_elements_is_shown() -> None:
    part = "<section><p>" + "<b>x</b>" * 20 + "</p></section>"
    found = finding("dom-size", page(f"<ul>{'<li>x</li>' * 60}</ul><div id=all>{part * 100}</div>"))

    assert [item.text.partition(">")[0] for item in found.evidence] == ["<div id=all"]
    assert found.evidence[0].params == {"inside_count": 2200}
    assert found.advice == OTHER_ADVICE


ADVICE = [
    ("code", f"<pre>{'<i>x</i>' * 800}</pre>" + "<br>" * 800, CODE_ADVICE),
    ("drawings", f"<svg>{'<path/>' * 800}</svg>" + "<br>" * 800, DRAWING_ADVICE),
    ("a list", "<ul>" + "<li>x</li>" * 1600 + "</ul>", LIST_ADVICE),
    ("names one after the other", "<p>" + '<a href="/a">x</a> ' * 1600 + "</p>", LIST_ADVICE),
    ("an article", "<p><b>x</b></p>" * 60 + f"<div>{'<p><b>x</b></p>' * 70}</div>" * 12, OTHER_ADVICE),
]


@pytest.mark.parametrize(("case", "body", "advice"), ADVICE, ids=[case for case, *_ in ADVICE])
def test_the_advice_is_about_what_is_large(case: str, body: str, advice: str) -> None:
    assert finding("dom-size", page(body)).advice == advice, case
