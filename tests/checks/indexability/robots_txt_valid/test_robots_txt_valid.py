"""Outcomes of robots-txt-valid."""

from typing import Any

import pytest

from tests.checks.harness import page, verdict

OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("sound", page(), {}, "passed"),
    ("missing", page(), {"robots_status": 404}, "inapplicable"),
    (
        "unknown directives",
        page(),
        {"robots_txt": "User-agent: *\nContent-Signal: search=yes\nLicense: https://a.example/l.xml\nHost: example.com\nDisallow:\n"},
        "passed",
    ),
    ("comments and blank lines", page(), {"robots_txt": "# hello\n\nUser-agent: *\n\nDisallow:\n"}, "passed"),
    ("wildcards", page(), {"robots_txt": "User-agent: *\nDisallow: *.pdf$\n"}, "passed"),
    ("rule first", page(), {"robots_txt": "Disallow: /a\nUser-agent: *\nDisallow:\n"}, "warned"),
    ("relative path", page(), {"robots_txt": "User-agent: *\nDisallow: a\n"}, "warned"),
    ("relative sitemap", page(), {"robots_txt": "Sitemap: /sitemap.xml\n"}, "warned"),
    ("noindex", page(), {"robots_txt": "User-agent: *\nNoindex: /a\n"}, "warned"),
    ("too large", page(), {"robots_txt": "# x\n" * 150_000}, "warned"),
    ("markup is the fault of another check", page(), {"robots_txt": "<!doctype html><p>x"}, "inapplicable"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("robots-txt-valid", html, **given) == expected, case
