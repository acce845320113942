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
    (
        "letters as numbers",
        page("<p>jane&#64;firma-beispiel.de</p><a href='mailto:jane&#37;&#52;&#48;firma-beispiel&#46;de'>x</a>"),
        {},
        "passed",
    ),
    ("in pieces", page("<p>jane<span>@</span>firma-beispiel.de</p>"), {}, "passed"),
    ("output of a program", page("<pre><code>Maintainer: Jane &lt;jane@firma-beispiel.de&gt;</code></pre>"), {}, "passed"),
    ("a link in code", page('<pre><a href="mailto:jane@firma-beispiel.de">Jane</a></pre>'), {}, "passed"),
    ("meant for everybody", page("<p>accessibility@firma-beispiel.de, info@firma-beispiel.de</p>"), {}, "passed"),
    ("a document in pre", page(f"<p>Draft</p><pre>{'Words of the draft. ' * 90}jane@firma-beispiel.de</pre>"), {}, "warned"),
    ("a document of code", page(f"<div class=highlight><pre>{'x = 1; ' * 300}jane@firma-beispiel.de</pre></div>"), {}, "passed"),
    ("in code and in text", page("<pre>jane@firma-beispiel.de</pre><p>jane@firma-beispiel.de</p>"), {}, "warned"),
    ("in text", page("<p>jane@firma-beispiel.de</p>"), {}, "warned"),
    ("a link", page('<a href="mailto:jane@firma-beispiel.de">Write</a>'), {}, "warned"),
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


def test_an_address_ends_with_its_domain() -> None:
    found = finding("plaintext-email", page("<p>Write to ann@no-priors.com.Sarah Guo is a star.</p>"))

    assert [item.text for item in found.evidence] == ["a…@no-priors.com"]
