"""Outcomes of noindex-effective."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict


def meta(content: str, name: str = "robots", more: str = "") -> str:
    return page(head=f'<title>x</title><meta name="{name}" content="{content}">{more}')


def header(*lines: str) -> dict[str, Any]:
    return {"headers": [["Content-Type", "text/html"], *(["X-Robots-Tag", line] for line in lines)]}


OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("no noindex", page(), {}, "inapplicable"),
    ("seen", meta("noindex"), {}, "passed"),
    ("header is seen", page(), header("noindex"), "passed"),
    ("another path is blocked", meta("noindex"), {"robots_txt": "User-agent: *\nDisallow: /cart/\n"}, "passed"),
    ("blocked", meta("noindex"), {"robots_txt": "User-agent: *\nDisallow: /\n"}, "failed"),
    ("only in robots.txt", page(), {"robots_txt": "User-agent: *\nNoindex: /shop/\n"}, "failed"),
    ("in robots.txt for another path", page(), {"robots_txt": "User-agent: *\nNoindex: /cart/\n"}, "inapplicable"),
    ("robots.txt not known", meta("noindex"), {"robots_txt": {"failure": "budget"}}, "unknown"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("noindex-effective", html, **given) == expected, case
