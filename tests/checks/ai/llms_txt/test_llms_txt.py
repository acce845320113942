"""Outcomes of llms-txt: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import finding, page

OUTCOMES = [
    ("not asked", None, "unknown"),
    ("none", 404, "info"),
    ("one", {"body": "# Example\n\n- [Prices](https://www.example.com/prices.md)\n\nBlue widgets, made to measure, since 1998.\n"}, "info"),
    ("not known", {"failure": "timeout"}, "unknown"),
]


@pytest.mark.parametrize(("case", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, given: Any, expected: str) -> None:
    assert finding("llms-txt", page(), llms_txt=given).verdict == expected, case


def test_what_it_says_is_shown() -> None:
    body = "# Example\n\n- [Prices](https://www.example.com/prices.md)\n\nBlue widgets, made to measure, since 1998.\n"
    found = finding("llms-txt", page(), llms_txt={"body": body})

    assert found.message.startswith("llms.txt with heading and links")
    assert found.evidence[0].text == "# Example"


def test_an_html_page_is_no_llms_txt() -> None:
    found = finding("llms-txt", page(), llms_txt={"body": "<!doctype html><title># Not found</title>"})

    assert found.message.startswith("No llms.txt")
