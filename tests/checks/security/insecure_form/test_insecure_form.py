"""Outcomes of insecure-form: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict


def headers(*lines: tuple[str, str]) -> dict[str, Any]:
    return {"headers": [("Content-Type", "text/html; charset=utf-8"), *lines]}


OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("no form", page(), {}, "inapplicable"),
    ("to itself", page("<form></form>"), {}, "passed"),
    ("to https", page('<form action="https://a.example/"></form>'), {}, "passed"),
    ("a script's", page('<form action="javascript:void(0)"></form>'), {}, "passed"),
    ("a dialog's", page('<form method="dialog" action="http://a.example/"></form>'), {}, "passed"),
    ("this machine as target", page('<form action="http://localhost:3000/"></form>'), {}, "passed"),
    (
        "a hidden one that a script sends",
        page('<form style="display: none" action="http://a.example/"><input type="hidden" name="a"></form><form></form>'),
        {},
        "passed",
    ),
    ("on this machine", page("<form><input type=password></form>"), {"url": "http://localhost/"}, "inapplicable"),
    ("to https on http", page('<form action="https://a.example/"></form>'), {"url": "http://www.example.com/"}, "inapplicable"),
    ("a search on http", page("<form><input type=search name=q></form>"), {"url": "http://www.example.com/"}, "inapplicable"),
    (
        "a search that is posted, on http",
        page('<form method=post id="search-form"><input name=q></form>'),
        {"url": "http://www.example.com/"},
        "inapplicable",
    ),
    (
        "a search with an e-mail address on http",
        page('<form method=post class="search"><input type=email></form>'),
        {"url": "http://www.example.com/"},
        "warned",
    ),
    ("an e-mail address on http", page("<form><input type=email></form>"), {"url": "http://www.example.com/"}, "warned"),
    ("without a field on http", page("<form method=post></form>"), {"url": "http://www.example.com/"}, "inapplicable"),
    ("an e-mail address in a text field", page("<form><input name=email></form>"), {"url": "http://www.example.com/"}, "warned"),
    ("research, on http", page('<form method=post id="research"><input name=a></form>'), {"url": "http://www.example.com/"}, "warned"),
    ("on http", page("<form method=post><input name=a></form>"), {"url": "http://www.example.com/"}, "warned"),
    (
        "changed by a policy",
        page('<form action="http://a.example/"></form>'),
        headers(("Content-Security-Policy", "upgrade-insecure-requests")),
        "warned",
    ),
    ("to http", page('<form action="http://a.example/"></form>'), {}, "failed"),
    ("by a button", page('<form><button formaction="http://a.example/">Go</button></form>'), {}, "failed"),
    ("a password on http", page("<form><input type=password></form>"), {"url": "http://www.example.com/"}, "failed"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("insecure-form", html, **given) == expected, case
