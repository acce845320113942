"""Outcomes of content-signals: first what must not be flagged, then what must."""

import pytest

from tests.checks.harness import finding, page, verdict

OUTCOMES = [
    ("none", "User-agent: *\nDisallow:\n", "inapplicable"),
    ("signals", "User-agent: *\nContent-Signal: search=yes, ai-train=no\nAllow: /\n", "passed"),
    ("without spaces and in upper case", "User-agent: *\nCONTENT-SIGNAL: search=YES,ai-input=no\n", "passed"),
    ("usage with a path", "User-agent: *\nContent-Usage: /shop/ train-ai=n\n", "passed"),
    ("a licence", "License: https://www.example.com/license.xml\n", "passed"),
    ("an unknown signal", "User-agent: *\nContent-Signal: searching=yes\n", "warned"),
    ("an unknown answer", "User-agent: *\nContent-Signal: search=maybe\n", "warned"),
    ("nothing behind it", "User-agent: *\nContent-Signal:\n", "warned"),
    ("yes and no", "User-agent: *\nContent-Signal: search=yes, search=no\n", "warned"),
]


@pytest.mark.parametrize(("case", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, given: str, expected: str) -> None:
    assert finding("content-signals", page(), robots_txt=given).verdict == expected, case


@pytest.mark.parametrize(("value", "expected"), [("1", "passed"), ("0", "passed"), ("yes", "warned")])
def test_tdm_reservation(value: str, expected: str) -> None:
    headers = [["Content-Type", "text/html"], ["TDM-Reservation", value]]

    assert verdict("content-signals", page(), headers=headers) == expected
    assert verdict("content-signals", page(head=f'<meta name="tdm-reservation" content="{value}">')) == expected
