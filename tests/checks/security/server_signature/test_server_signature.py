"""Outcomes of server-signature: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import finding, page, verdict


def headers(*lines: tuple[str, str]) -> dict[str, Any]:
    return {"headers": [("Content-Type", "text/html; charset=utf-8"), *lines]}


OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("none", page(), {}, "passed"),
    ("a name", page(), headers(("Server", "nginx"), ("X-Powered-By", "Express")), "passed"),
    ("digits that are no version", page(), headers(("Server", "ECS (dcb/7F83)")), "passed"),
    ("AmazonS3", page(), headers(("Server", "AmazonS3")), "passed"),
    ("h2o", page(), headers(("Server", "h2o")), "passed"),
    ("this machine", page(), {"url": "http://localhost/", **headers(("Server", "nginx/1.25.3"))}, "inapplicable"),
    ("an address in brackets", page(), headers(("Server", "cache (10.0.0.1)")), "passed"),
    ("behind brackets", page(), headers(("Server", "jetty(9.4.6.v20170531)")), "warned"),
    ("behind a blank", page(), headers(("Server", "mt3 1.15.20.1")), "warned"),
    ("nginx", page(), headers(("Server", "nginx/1.25.3")), "warned"),
    ("PHP", page(), headers(("X-Powered-By", "PHP/8.1.2-1ubuntu2.14")), "warned"),
    ("Apache with modules", page(), headers(("Server", "Apache/2.4.41 (Ubuntu) OpenSSL/1.1.1f")), "warned"),
    ("ASP.NET", page(), headers(("X-AspNet-Version", "4.0.30319")), "warned"),
    ("a generator", page(), headers(("X-Generator", "Drupal 10 (https://www.drupal.org)")), "warned"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("server-signature", html, **given) == expected, case


def test_the_advice_is_about_the_product_that_tells_its_version() -> None:
    def advice(*headers: tuple[str, str]) -> str:
        return finding("server-signature", page("<p>Text</p>"), headers=[("Content-Type", "text/html"), *headers]).advice

    assert "expose_php = Off" in advice(("X-Powered-By", "PHP/7.4.3"))
    assert "server_tokens off" in advice(("Server", "nginx/1.25.1"))
    assert "\n" not in advice(("Server", "nginx/1.25.1"), ("X-Powered-By", "PHP/7.4.3"))
    assert "\n" not in advice(("Server", "Jetty/9.4"))
