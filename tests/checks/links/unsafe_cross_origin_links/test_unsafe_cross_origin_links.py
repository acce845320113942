"""Outcomes of unsafe-cross-origin-links: first what must not be flagged, then what must."""

import pytest

from findable.checks.links.unsafe_cross_origin_links import SCRIPT_ADVICE
from tests.checks.harness import finding, page, verdict

OUTCOMES = [
    ("implied noopener", page('<a href="https://a.example/" target="_blank">A</a>'), "passed"),
    ("said noopener", page('<a href="https://a.example/" target="_blank" rel="noopener">A</a>'), "passed"),
    ("in the same tab", page('<a href="https://a.example/" rel="opener">A</a>'), "passed"),
    (
        "a script that keeps it back",
        page("""<a href="https://a.example/" onclick="window.open(this.href, '', 'noopener')">A</a>"""),
        "passed",
    ),
    ("to the own site", page('<a href="/a" target="_blank" rel="opener">A</a>'), "inapplicable"),
    ("rel=opener", page('<a href="https://a.example/" target="_blank" rel="nofollow OPENER">A</a>'), "warned"),
    (
        "window.open",
        page(
            '<a href="https://a.example/" onclick="window . open(this.href)">A</a><a href="https://a.example/" onclick="window.open (this.href)">A</a>'
        ),
        "warned",
    ),
]


@pytest.mark.parametrize(("case", "html", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, expected: str) -> None:
    assert verdict("unsafe-cross-origin-links", html) == expected, case


def test_the_advice_is_about_what_hands_over_the_page() -> None:
    script, opener = (
        '<a href="https://a.example/" onclick="window.open(this.href)">A</a>',
        '<a href="https://a.example/" target="_blank" rel="opener">A</a>',
    )
    assert finding("unsafe-cross-origin-links", page(script)).advice == SCRIPT_ADVICE
    assert finding("unsafe-cross-origin-links", page(script + opener)).advice == ""


def test_a_subdomain_of_the_site_is_no_other_site() -> None:
    own = '<a href="https://gallery.example.com/" target="_blank" rel="opener">Gallery</a>'
    other = '<a href="https://gallery.example.org/" target="_blank" rel="opener">Gallery</a>'

    assert verdict("unsafe-cross-origin-links", page(own)) == "inapplicable"
    assert verdict("unsafe-cross-origin-links", page(own + other)) == "warned"


def test_a_script_that_opens_another_url_than_the_link_keeps_its_place() -> None:
    def codes(handler: str) -> list[str]:
        html = page(f'<a href="https://other.example/" onclick="window.open({handler}); return false">O</a>')
        return [fix.code for fix in finding("unsafe-cross-origin-links", html).fixes]

    assert codes("this.href") == ['<a href="https://other.example/" target="_blank">']
    assert codes("'https://share.example/?u=1'") == []
