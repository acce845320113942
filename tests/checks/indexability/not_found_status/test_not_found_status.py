"""Outcomes of not-found-status."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict


def made_up(status: int, **answer: Any) -> dict[str, Any]:
    body = page("<h1>Nothing here</h1><p>" + "This page is missing. " * 30 + "</p><a href='/'>Home</a>")
    return {"made_up": {"status": status, "body": body, "headers": [["Content-Type", "text/html"]], **answer}}


OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("not asked", page(), {}, "unknown"),
    ("refused", page(), made_up(403), "unknown"),
    ("throttled", page(), made_up(429), "unknown"),
    ("no answer", page(), {"made_up": {"failure": "timeout"}}, "unknown"),
    ("server error says nothing", page(), made_up(500), "unknown"),
    ("missing, with a way home", page(), made_up(404), "passed"),
    ("gone", page(), made_up(410), "passed"),
    ("home page of a language", page(), made_up(404, body=page("<p>" + "Nothing here. " * 50 + "</p><a href='/de/'>Start</a>")), "passed"),
    ("bare", page(), made_up(404, body="Not found"), "passed"),
    ("no way home", page(), made_up(404, body=page("<p>" + "Nothing here. " * 50 + "</p>")), "passed"),
    ("leads home", page(), made_up(200, final_url="https://www.example.com/"), "warned"),
    ("bad request", page(), made_up(400), "warned"),
    ("found", page(), made_up(200), "failed"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("not-found-status", html, **given) == expected, case
