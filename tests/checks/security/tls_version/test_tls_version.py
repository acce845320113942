"""Outcomes of tls-version: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict

OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("both modern ones", page(), {"tls_versions": {"TLSv1.3": True, "TLSv1.2": True, "TLSv1.1": False, "TLSv1": False}}, "passed"),
    ("1.3 alone", page(), {"tls_versions": {"TLSv1.3": True, "TLSv1.2": False}}, "passed"),
    ("not tried", page(), {}, "unknown"),
    ("none agreed on", page(), {"tls_versions": {"TLSv1.3": False}, "tls": {"version": ""}}, "unknown"),
    ("on http", page(), {"url": "http://www.example.com/"}, "inapplicable"),
    ("1.2 alone", page(), {"tls_versions": {"TLSv1.3": False, "TLSv1.2": True}, "tls": {"version": "TLSv1.2"}}, "warned"),
    ("1.1 accepted", page(), {"tls_versions": {"TLSv1.3": True, "TLSv1.1": True}}, "failed"),
    ("1.0 accepted", page(), {"tls_versions": {"TLSv1.2": True, "TLSv1": True}}, "failed"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("tls-version", html, **given) == expected, case
