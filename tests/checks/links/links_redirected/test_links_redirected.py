"""Outcomes of links-redirected: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict

SITE = "https://www.example.com"
TWO = page('<a href="/a">A</a><a href="/b">B</a>')
MANY = page("".join(f'<a href="/p{n}">P {n}</a>' for n in range(20)))

OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("both answer", TWO, {"links": {f"{SITE}/a": 200, f"{SITE}/b": 200}}, "passed"),
    ("for now only", TWO, {"links": {f"{SITE}/a": {"final_url": f"{SITE}/c", "redirect_status": 302}, f"{SITE}/b": 200}}, "passed"),
    ("to another host", TWO, {"links": {f"{SITE}/a": {"final_url": "https://other.example/"}, f"{SITE}/b": 200}}, "passed"),
    ("one of twenty", MANY, {"links": {f"{SITE}/p0": {"final_url": f"{SITE}/c"}, **{f"{SITE}/p{n}": 200 for n in range(1, 20)}}}, "passed"),
    ("to a page that is gone", TWO, {"links": {f"{SITE}/a": {"final_url": f"{SITE}/c", "status": 404}, f"{SITE}/b": 200}}, "passed"),
    (
        "to https only: the question of links-insecure",
        page('<a href="http://www.example.com/a">A</a>'),
        {"links": {"http://www.example.com/a": {"final_url": f"{SITE}/a"}}},
        "passed",
    ),
    ("no links", page("<p>Text</p>"), {}, "inapplicable"),
    ("nothing was asked", TWO, {}, "unknown"),
    ("for good", TWO, {"links": {f"{SITE}/a": {"final_url": f"{SITE}/c", "redirect_status": 308}, f"{SITE}/b": 200}}, "warned"),
    (
        "in a loop without a cookie",
        TWO,
        {"links": {f"{SITE}/a": {"final_url": f"{SITE}/a", "redirect_status": 302}, f"{SITE}/b": 200}},
        "warned",
    ),
    ("without end", TWO, {"links": {f"{SITE}/a": {"failure": "too_many_redirects"}, f"{SITE}/b": 200}}, "failed"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("links-redirected", html, **given) == expected, case
