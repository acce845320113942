"""Outcomes of og-image: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict

IMAGE = '<meta property="og:image" content="https://www.example.com/a.png">'
URL = "https://www.example.com/a.png"
PNG = [["Content-Type", "image/png"]]

OUTCOMES = [
    ("none: the fault of og-basic", page(), "inapplicable"),
    ("not fetched", page(head=IMAGE), "unknown"),
    ("relative", page(head=IMAGE.replace("https://www.example.com", "")), "warned"),
    ("over http", page(head=IMAGE.replace("https:", "http:")), "warned"),
    ("no web address", page(head=IMAGE.replace("https:", "data:")), "failed"),
]


@pytest.mark.parametrize(("case", "html", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, expected: str) -> None:
    assert verdict("og-image", html) == expected, case


@pytest.mark.parametrize(
    ("case", "answer", "expected"),
    [
        ("large enough", {"picture": ["png", 1200, 630], "headers": PNG}, "passed"),
        ("a drawing", {"body": "<svg xmlns='http://www.w3.org/2000/svg'></svg>", "headers": [["Content-Type", "image/svg+xml"]]}, "passed"),
        ("our request was refused", {"status": 403}, "unknown"),
        ("budget", {"failure": "budget"}, "unknown"),
        ("no response in time", {"failure": "timeout"}, "unknown"),
        ("too small", {"picture": ["jpeg", 600, 315], "headers": PNG}, "warned"),
        ("too heavy", {"picture": ["png", 1200, 630], "headers": PNG, "total_bytes": 6_000_000}, "warned"),
        ("gone", {"status": 404}, "failed"),
        ("a page", {"body": "<!doctype html><title>x</title>", "headers": [["Content-Type", "text/html"]]}, "failed"),
    ],
)
def test_answers(case: str, answer: dict[str, Any], expected: str) -> None:
    assert verdict("og-image", page(head=IMAGE), assets={URL: answer}) == expected, case


def test_a_page_on_http_is_one_fault_and_its_preview_picture_no_other() -> None:
    html, url = page(head=IMAGE.replace("https:", "http:")), URL.replace("https:", "http:")

    assert verdict("og-image", html, url="http://www.example.com/", assets={url: {"picture": ["png", 1200, 630]}}) == "passed"
