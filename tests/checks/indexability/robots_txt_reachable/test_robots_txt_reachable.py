"""Outcomes of robots-txt-reachable."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict

OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("text", page(), {}, "passed"),
    ("missing", page(), {"robots_status": 404}, "passed"),
    ("gone", page(), {"robots_status": 410}, "passed"),
    ("empty", page(), {"robots_txt": ""}, "passed"),
    ("forbidden", page(), {"robots_status": 403}, "warned"),
    ("server error", page(), {"robots_status": 500}, "failed"),
    ("unavailable", page(), {"robots_status": 503}, "failed"),
    ("too many requests concern our client", page(), {"robots_status": 429}, "warned"),
    ("timeout", page(), {"robots_txt": {"failure": "timeout"}}, "failed"),
    ("no name", page(), {"robots_txt": {"failure": "dns"}}, "failed"),
    ("too many redirects count as missing", page(), {"robots_txt": {"failure": "too_many_redirects"}}, "warned"),
    ("a bad certificate", page(), {"robots_txt": {"failure": "tls"}}, "failed"),
    ("the certificate of a preview", page(), {"robots_txt": {"failure": "tls"}, "judged_as": "https://www.example.com"}, "inapplicable"),
    ("the certificate of this machine", page(), {"url": "https://127.0.0.1:8443/", "robots_txt": {"failure": "tls"}}, "inapplicable"),
    ("our budget", page(), {"robots_txt": {"failure": "budget"}}, "unknown"),
    ("no way out", page(), {"robots_txt": {"failure": "no_route"}}, "unknown"),
    ("our guard", page(), {"robots_txt": {"failure": "refused"}}, "unknown"),
    ("markup", page(), {"robots_txt": "<!doctype html><title>Home</title>"}, "warned"),
    ("other host", page(), {"robots_txt": {"body": "User-agent: *", "final_url": "https://cdn.example.net/robots.txt"}}, "warned"),
    ("with www", page(), {"robots_txt": {"body": "User-agent: *", "final_url": "https://example.com/robots.txt"}}, "passed"),
    ("an error page is judged all the same", page(), {"robots_status": 500, "status": 404}, "failed"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("robots-txt-reachable", html, **given) == expected, case
