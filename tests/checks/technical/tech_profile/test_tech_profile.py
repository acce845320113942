"""Outcomes of tech-profile: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import finding, page

OUTCOMES: list[tuple[str, str, dict[str, Any], list[str]]] = [
    ("nothing to see", page(), {}, []),
    ("a generator", page(head='<meta name="generator" content="WordPress 6.8">'), {}, ["WordPress 6.8"]),
    ("addresses", page('<script src="/_next/static/a.js"></script>'), {}, ["Next.js", "React"]),
    ("a header", page(), {"headers": [("Content-Type", "text/html"), ("CF-RAY", "1")]}, ["Cloudflare"]),
    ("a cookie", page(), {"headers": [("Content-Type", "text/html"), ("Set-Cookie", "PHPSESSID=…; Path=/")]}, ["PHP"]),
    (
        "features",
        page(head='<link rel="alternate" type="application/rss+xml" href="/feed"><link rel="manifest" href="/m.json">'),
        {},
        ["RSS feed", "web app manifest"],
    ),
    ("words alone are no sign", page("<p>We use WordPress and nginx.</p>"), {}, []),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: list[str]) -> None:
    found = finding("tech-profile", html, **given)

    assert found.verdict.value == "info", case
    assert list(found.params.get("names", [])) == expected, case
