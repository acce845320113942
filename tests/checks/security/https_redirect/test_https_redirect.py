"""Outcomes of https-redirect: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict

HTTP = "http://www.example.com/"
HTTPS = "https://www.example.com/"

OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("301", page(), {"http_variant": {HTTP: {"final_url": HTTPS}}}, "passed"),
    ("308", page(), {"http_variant": {HTTP: {"final_url": HTTPS, "redirect_status": 308}}}, "passed"),
    ("a redirect that was not followed", page(), {"http_variant": {HTTP: {"status": 301, "location": HTTPS}}}, "passed"),
    ("Nothing responds on http", page(), {"http_variant": {HTTP: {"failure": "connect"}}}, "passed"),
    ("asked for over http", page(), {"url": HTTPS, "hops": [{"url": HTTP, "status": 301}]}, "passed"),
    ("the page is on http", page(), {"url": HTTP}, "inapplicable"),
    ("this machine", page(), {"url": "http://localhost/"}, "inapplicable"),
    ("not asked for", page(), {}, "unknown"),
    ("no response in time", page(), {"http_variant": {HTTP: {"failure": "timeout"}}}, "unknown"),
    ("robots.txt", page(), {"http_variant": {HTTP: {"failure": "robots_txt"}}}, "unknown"),
    ("a pause", page(), {"http_variant": {HTTP: {"failure": "paused"}}}, "unknown"),
    ("302", page(), {"http_variant": {HTTP: {"final_url": HTTPS, "redirect_status": 302}}}, "warned"),
    (
        "by the page",
        page(),
        {"http_variant": {HTTP: {"body": '<meta http-equiv="refresh" content="0;url=https://www.example.com/">'}}},
        "warned",
    ),
    ("by a script", page(), {"http_variant": {HTTP: {"body": "<script>location.href='https://www.example.com/'</script>"}}}, "warned"),
    ("refused on http", page(), {"http_variant": {HTTP: 403}}, "warned"),
    ("the same page on http", page(), {"http_variant": {HTTP: 200}}, "failed"),
    (
        "the way leaves https",
        page(),
        {"url": HTTPS, "hops": [{"url": "https://example.com/", "location": HTTP}, {"url": HTTP, "location": HTTPS}]},
        "failed",
    ),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("https-redirect", html, **given) == expected, case
