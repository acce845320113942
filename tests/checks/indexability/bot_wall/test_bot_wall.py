"""Outcomes of bot-wall."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict

OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("page", page(), {}, "passed"),
    (
        "a captcha in a form",
        page("<form><script src='https://challenges.cloudflare.com/turnstile/v0/api.js'></script></form>"),
        {},
        "passed",
    ),
    ("an article about walls", page(head="<title>Why it says Just a moment... and what to do</title>"), {}, "passed"),
    ("header", page(), {"headers": [["Content-Type", "text/html"], ["CF-Mitigated", "challenge"]]}, "failed"),
    ("title", page(head="<title>Just a moment...</title>"), {}, "failed"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("bot-wall", html, **given) == expected, case
