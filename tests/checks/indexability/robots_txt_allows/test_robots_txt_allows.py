"""Outcomes of robots-txt-allows."""

from typing import Any

import pytest

from tests.checks.harness import finding, page, verdict

OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("all", page(), {}, "passed"),
    ("none", page(), {"robots_status": 404}, "passed"),
    (
        "others are blocked, Googlebot may",
        page(),
        {"robots_txt": "User-agent: *\nDisallow: /\nUser-agent: Googlebot\nUser-agent: Bingbot\nDisallow:\n"},
        "warned",
    ),
    ("another folder", page(), {"robots_txt": "User-agent: *\nDisallow: /private/\n"}, "passed"),
    ("longer allow", page(), {"robots_txt": "User-agent: *\nDisallow: /\nAllow: /shop/\n"}, "passed"),
    ("all blocked", page(), {"robots_txt": "User-agent: *\nDisallow: /\n"}, "failed"),
    ("Googlebot blocked", page(), {"robots_txt": "User-agent: Googlebot\nDisallow: /shop/\n"}, "failed"),
    ("Bingbot blocked", page(), {"robots_txt": "User-agent: bingbot\nDisallow: /\n"}, "warned"),
    ("byte order mark", page(), {"robots_txt": "\ufeffUser-agent: *\nDisallow: /\n"}, "failed"),
    ("an AI crawler blocked", page(), {"robots_txt": "User-agent: GPTBot\nDisallow: /\n"}, "passed"),
    ("unreachable is the fault of another check", page(), {"robots_status": 503}, "inapplicable"),
    ("not known", page(), {"robots_txt": {"failure": "budget"}}, "unknown"),
    ("not meant for search", page(), {"robots_txt": "User-agent: *\nDisallow: /\n", "not_for_search": True}, "inapplicable"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("robots-txt-allows", html, **given) == expected, case


def test_the_deciding_line_is_shown() -> None:
    found = finding("robots-txt-allows", page(), robots_txt="User-agent: *\n\nDisallow: /shop # closed\n")

    assert [(item.kind, item.line, item.text) for item in found.evidence] == [("robots_txt", 3, "Disallow: /shop")] * 3
