"""Outcomes of nofollow-page."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict


def meta(content: str, name: str = "robots", more: str = "") -> str:
    return page(head=f'<title>x</title><meta name="{name}" content="{content}">{more}')


def header(*lines: str) -> dict[str, Any]:
    return {"headers": [["Content-Type", "text/html"], *(["X-Robots-Tag", line] for line in lines)]}


OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("nothing", page(), {}, "passed"),
    ("for another crawler", meta("nofollow", "otherbot"), {}, "passed"),
    ("nofollow", meta("index, nofollow"), {}, "warned"),
    ("none", meta("none"), {}, "warned"),
    ("header", page(), header("nofollow"), "warned"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("nofollow-page", html, **given) == expected, case
