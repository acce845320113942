"""Outcomes of links-external-broken: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict

A, B = "https://a.example/", "https://b.example/x"
TWO = page(f'<a href="{A}">A</a><a href="{B}">B</a>')

OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("both work", TWO, {"links": {A: 200, B: 200}}, "passed"),
    ("LinkedIn's 999 and its kin", TWO, {"links": {A: 200, B: 999}}, "passed"),
    ("a server error, even twice", TWO, {"links": {A: 200, B: {"status": 502, "tries": ("GET 502",)}}}, "passed"),
    ("a redirect without end", TWO, {"links": {A: 200, B: {"failure": "too_many_redirects"}}}, "passed"),
    ("the certificate is bad", TWO, {"links": {A: 200, B: {"failure": "tls"}}}, "passed"),
    ("none leads out", page('<a href="/a">A</a>'), {}, "inapplicable"),
    ("nothing was asked", TWO, {}, "unknown"),
    ("no route", TWO, {"links": {A: {"failure": "no_route"}, B: {"failure": "no_route"}}}, "unknown"),
    ("no name resolves at all", TWO, {"links": {A: {"failure": "dns"}, B: {"failure": "dns"}}}, "unknown"),
    ("not found", TWO, {"links": {A: 404, B: 200}}, "warned"),
    ("gone", TWO, {"links": {A: 410, B: 410}}, "warned"),
    ("a name that does not exist", TWO, {"links": {A: {"failure": "dns"}, B: 200}}, "warned"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("links-external-broken", html, **given) == expected, case
