"""Outcomes of in-page-links: first what must not be flagged, then what must."""

import pytest

from findable.checks.links.in_page_links import DEAD_END_ADVICE
from tests.checks.harness import finding, page, verdict

OUTCOMES = [
    ("two", page('<a href="/a">A</a><a href="https://other.example/" rel="ugc">O</a>'), "info"),
    ("thousands", page('<a href="/a">A</a>' * 3000), "info"),
    ("none in a template counts", page('<template><a href="/a">A</a></template>'), "warned"),
    ("none", page("<p>Text</p>"), "warned"),
    ("only a named place", page('<a name="x">x</a>'), "warned"),
]


@pytest.mark.parametrize(("case", "html", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, expected: str) -> None:
    assert verdict("in-page-links", html) == expected, case


def test_the_advice_is_for_a_dead_end() -> None:
    assert finding("in-page-links", page("<p>Text</p>")).advice == DEAD_END_ADVICE


def test_counts() -> None:
    html = page(
        '<a href="/a">A</a><a href="/a#x">A</a><a href="https://b.example/">B</a><a href="https://b.example/2" rel="ugc">B</a><a href="#y">Y</a>'
    )
    found = finding("in-page-links", html)

    assert (found.params["internal_count"], found.params["external_count"], found.params["unique_count"]) == (2, 2, 3)
    assert found.params["nofollow_count"] == 1
    assert found.params["hosts"] == ["b.example"]


def test_internal_links_with_tracking_parameters_are_shown() -> None:
    found = finding("in-page-links", page('<a href="/a?utm_source=footer">A</a><a href="/b?gclidx=1#gclid=2">B</a>'))

    assert found.params["tracked_count"] == 1
    assert [item.text for item in found.evidence] == ['<a href="/a?utm_source=footer">A</a>']
