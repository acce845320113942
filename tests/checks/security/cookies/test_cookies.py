"""Outcomes of cookies: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict


def headers(*lines: tuple[str, str]) -> dict[str, Any]:
    return {"headers": [("Content-Type", "text/html; charset=utf-8"), *lines]}


OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("none", page(), {}, "inapplicable"),
    ("all flags", page(), headers(("Set-Cookie", "session=…; Path=/; Secure; HttpOnly; SameSite=Lax")), "passed"),
    ("a preference for scripts", page(), headers(("Set-Cookie", "theme=…; Secure; SameSite=Strict")), "passed"),
    ("a token that scripts read", page(), headers(("Set-Cookie", "XSRF-TOKEN=…; Secure; SameSite=Lax")), "passed"),
    ("being deleted", page(), headers(("Set-Cookie", "session=…; Max-Age=0")), "inapplicable"),
    ("on http", page(), {"url": "http://www.example.com/", **headers(("Set-Cookie", "a=…"))}, "inapplicable"),
    ("this machine", page(), {"url": "http://localhost/", **headers(("Set-Cookie", "a=…"))}, "inapplicable"),
    ("no Secure", page(), headers(("Set-Cookie", "a=…; SameSite=Lax")), "warned"),
    ("no SameSite", page(), headers(("Set-Cookie", "a=…; Secure")), "warned"),
    ("a session without HttpOnly", page(), headers(("Set-Cookie", "PHPSESSID=…; Secure; SameSite=Lax")), "warned"),
    ("None without Secure", page(), headers(("Set-Cookie", "a=…; SameSite=None")), "failed"),
    ("a bad __Host-", page(), headers(("Set-Cookie", "__Host-a=…; Secure; SameSite=Lax; Path=/x")), "failed"),
    ("a bad __Secure-", page(), headers(("Set-Cookie", "__Secure-a=…; SameSite=Lax")), "failed"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("cookies", html, **given) == expected, case
