"""Outcomes of host-variants."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict

WWW, APEX, HTTP = "https://www.example.com/", "https://example.com/", "http://www.example.com/"
CANONICAL = f'<title>x</title><link rel="canonical" href="{WWW}">'


def home(head: str = "<title>x</title>", body: str = "<h1>Widgets</h1>") -> dict[str, Any]:
    return {"body": page(body, head), "headers": [["Content-Type", "text/html"]]}


def leads(target: str, status: int = 301) -> dict[str, Any]:
    return {**home(), "final_url": target, "redirect_status": status}


def variants(*answers: dict[str, Any]) -> dict[str, Any]:
    urls = ("http://example.com/", "http://www.example.com/", APEX, WWW)
    return {"variants": dict(zip(urls, answers, strict=True))}


def http_only(*answers: dict[str, Any]) -> dict[str, Any]:
    return variants(*answers, {"failure": "connect"}, {"failure": "connect"})


OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("not asked", page(), {}, "unknown"),
    ("all lead to one", page(), variants(leads(WWW), leads(WWW), leads(WWW), home()), "passed"),
    ("http stays http: the question of another check", page(), {"variants": {"http://www.example.com/": home(), WWW: home()}}, "passed"),
    ("loopback", page(), {"url": "http://127.0.0.1:8000/", "variants": {WWW: home(), APEX: home()}}, "inapplicable"),
    ("stand-in", page(), {"judged_as": "https://www.example.com", "variants": {WWW: home(), APEX: home()}}, "inapplicable"),
    ("one refused, the other alone", page(), {"variants": {WWW: home(), APEX: {"status": 403}}}, "unknown"),
    ("temporary", page(), variants(leads(WWW, 302), leads(WWW), leads(WWW), home()), "warned"),
    ("apex does not resolve", page(), variants({"failure": "dns"}, leads(WWW), {"failure": "dns"}, home()), "warned"),
    (
        "for now, but within the host: to a language",
        page(),
        variants(leads(WWW), leads(WWW), leads(WWW), leads(f"{WWW}en/", 302)),
        "passed",
    ),
    ("port 80 is closed", page(), variants({"failure": "connect"}, {"failure": "connect"}, leads(WWW), home()), "passed"),
    ("no https at all: the question of another check", page(), {"url": HTTP, **http_only(leads(HTTP), home())}, "passed"),
    ("one host without https", page(), variants(leads(WWW), leads(WWW), {"failure": "tls"}, home()), "warned"),
    ("two hosts, one canonical", page(), {"variants": {APEX: home(CANONICAL), WWW: home(CANONICAL)}}, "warned"),
    ("two hosts, other pages", page(), {"variants": {APEX: home(body="<h1>Parked</h1>"), WWW: home()}}, "warned"),
    ("two hosts, one page", page(), {"variants": {APEX: home(), WWW: home()}}, "failed"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("host-variants", html, **given) == expected, case
