"""Outcomes of text-compression: first what must not be flagged, then what must."""

from typing import Any

import pytest

from findable.checks.performance.text_compression import APACHE_ADVICE, NGINX_ADVICE, OTHER_ADVICE
from tests.checks.harness import finding, page, verdict

CSS = "https://www.example.com/a.css"
JS = "https://www.example.com/a.js"
SHEET = '<link rel="stylesheet" href="/a.css">'
LONG = page("<p>Blue widgets</p>" * 400)

OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("brotli", LONG, {"content_encoding": "br"}, "passed"),
    ("zstd", LONG, {"content_encoding": "zstd"}, "passed"),
    ("a dictionary", LONG, {"content_encoding": "dcb"}, "passed"),
    ("in upper case", LONG, {"content_encoding": "GZIP"}, "passed"),
    ("too short to gain", page(), {"content_encoding": ""}, "passed"),
    ("not HTML", "{}", {"content_encoding": "", "headers": [["Content-Type", "application/json"]]}, "inapplicable"),
    ("on this machine", LONG, {"content_encoding": "", "url": "http://localhost/"}, "inapplicable"),
    ("a compressed file", page(head=SHEET), {"assets": {CSS: {"body": "a{color:red}" * 900, "content_encoding": "br"}}}, "passed"),
    (
        "a file of another site",
        page(head=SHEET.replace("/a", "https://cdn.example.net/a")),
        {"assets": {"https://cdn.example.net/a.css": {"body": "a{color:red}" * 900}}},
        "passed",
    ),
    ("a file not fetched", page(head=SHEET), {"assets_left_count": 1}, "passed"),
    ("a plain file", page(head=SHEET), {"assets": {CSS: {"body": "a{color:red}" * 900}}}, "warned"),
    ("plain HTML", LONG, {"content_encoding": ""}, "failed"),
    ("identity", LONG, {"content_encoding": "identity"}, "failed"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("text-compression", html, **given) == expected, case


def test_the_advice_is_for_the_server_that_answered() -> None:
    def advice(server: str) -> str:
        headers = [["Content-Type", "text/html"], *([["Server", server]] if server else [])]
        return finding("text-compression", page("<p>x</p>" * 2000), content_encoding="", headers=headers).advice

    assert advice("nginx/1.26") == NGINX_ADVICE
    assert advice("Apache/2.4.57 (Debian)") == APACHE_ADVICE
    assert advice("") == OTHER_ADVICE
