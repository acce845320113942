"""Outcomes of locale-redirect."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict


def answer(lang: str = "en") -> dict[str, Any]:
    return {"body": page(lang=lang), "headers": [["Content-Type", "text/html"]]}


def asked(**answers: dict[str, Any]) -> dict[str, Any]:
    return {"languages": answers}


OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("not asked", page(), {}, "unknown"),
    ("one answer", page(), asked(none=answer()), "unknown"),
    ("the same", page(), asked(none=answer(), en=answer(), de=answer()), "passed"),
    ("one refused", page(), asked(none=answer(), en=answer(), de={"status": 403}), "passed"),
    ("other language", page(), asked(none=answer(), de=answer("de")), "warned"),
    ("redirect", page(), asked(none=answer(), de={**answer("de"), "final_url": "https://www.example.com/de/"}), "warned"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("locale-redirect", html, **given) == expected, case
