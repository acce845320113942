"""Outcomes of plaintext-email: first what must not be flagged, then what must."""

from typing import Any

import pytest

from tests.checks.harness import finding, page, verdict


def test_the_address_is_masked() -> None:
    shown = finding("plaintext-email", page('<a href="mailto:jane@firma-beispiel.de">Write</a>')).evidence

    assert [item.text for item in shown] == ["mailto:j…@firma-beispiel.de"]


OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("none", page(), {}, "passed"),
    ("an example", page("<p>you@example.com</p>"), {}, "passed"),
    ("obfuscated", page("<p>info (at) firma-beispiel (dot) de</p>"), {}, "passed"),
    ("a file name", page('<p>logo@2x.png</p><img srcset="logo@2x.png 2x">'), {}, "passed"),
    ("in data", page('<script type="application/ld+json">{"email":"info@firma-beispiel.de"}</script>'), {}, "passed"),
    ("in text", page("<p>info@firma-beispiel.de</p>"), {}, "warned"),
    ("a link", page('<a href="mailto:info@firma-beispiel.de">Write</a>'), {}, "warned"),
    (
        "built by script",
        page('<div id="root"></div><script src="/app.js"></script>'),
        {"assets": {"https://www.example.com/app.js": {}}},
        "unknown",
    ),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("plaintext-email", html, **given) == expected, case
