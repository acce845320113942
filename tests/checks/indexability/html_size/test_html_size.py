"""Outcomes of html-size."""

from typing import Any

import pytest

from findable.checks.indexability.html_size import DATA_URLS_ADVICE, DRAWINGS_ADVICE, MARKUP_ADVICE, SCRIPTS_ADVICE, STYLES_ADVICE
from tests.checks.harness import finding, page, verdict

OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("small", page(), {}, "passed"),
    ("a megabyte", page(), {"padding_bytes": 1_100_000}, "warned"),
    ("two megabytes", page(), {"padding_bytes": 2_000_000}, "failed"),
    ("more than is read for other questions", page(), {"padding_bytes": 6_000_000}, "failed"),
    ("more than is kept", page(), {"decoded_bytes": 6_000_000}, "failed"),
    ("more elements than are walked", page("<br>" * 60_000), {}, "passed"),
    ("more than was received", page(), {"padding_bytes": 6_000_000, "truncated": True}, "failed"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("html-size", html, **given) == expected, case


ADVICE = [
    ("drawings", "<svg><path d='M0 0'/><desc>" + "x" * 60_000 + "</desc></svg>", DRAWINGS_ADVICE),
    ("data URLs", "<img src='data:image/png;base64," + "A" * 60_000 + "'>", DATA_URLS_ADVICE),
    ("scripts", "<script>" + "a();" * 15_000 + "</script>", SCRIPTS_ADVICE),
    ("styles", "<style>" + "a{} " * 15_000 + "</style>", STYLES_ADVICE),
    ("markup", "<p>Widgets</p>" * 5_000, MARKUP_ADVICE),
]


@pytest.mark.parametrize(("case", "part", "advice"), ADVICE, ids=[case for case, *_ in ADVICE])
def test_advice_is_about_what_takes_the_size(case: str, part: str, advice: str) -> None:
    assert finding("html-size", page(part * 20)).advice == advice, case
