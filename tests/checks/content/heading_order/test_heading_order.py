"""Outcomes of heading-order: first what must not be flagged, then what must."""

import pytest

from findable.checks.content.heading_order import BOTH_ADVICE, EMPTY_ADVICE, SKIP_ADVICE
from findable.vocabulary import Fault
from tests.checks.harness import finding, page, verdict

OUTCOMES = [
    ("nested", page("<h1>A</h1><h2>B</h2><h3>C</h3><h2>D</h2>"), "passed"),
    ("back up by two", page("<h1>A</h1><h2>B</h2><h3>C</h3><h4>D</h4><h2>E</h2>"), "passed"),
    ("begins with h2", page("<h2>A</h2><h3>B</h3>"), "passed"),
    ("a skip among hidden ones", page("<h1>A</h1><div hidden><h4>B</h4></div><h2>C</h2>"), "passed"),
    ("a picture without text is not empty", page("<h1><svg></svg></h1>"), "passed"),
    ("a component may fill it", page("<h1><x-title></x-title></h1>"), "passed"),
    ("a script may fill it", page('<h1>A</h1><h2 id="basket"></h2><h2 data-title=""></h2>'), "passed"),
    ("none", page("<p>Text</p>"), "inapplicable"),
    ("a role of another kind", page('<h1>A</h1><h4 role="presentation">B</h4>'), "passed"),
    ("a skip", page("<h1>A</h1><h3>B</h3>"), "warned"),
    ("a skip by role", page('<h1>A</h1><div role="heading" aria-level="4">B</div>'), "warned"),
    ("an empty heading", page("<h1>A</h1><h2> </h2>"), "warned"),
    ("both", page("<h1>A</h1><h2></h2><h4>B</h4>"), "warned"),
]


@pytest.mark.parametrize(("case", "html", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, expected: str) -> None:
    assert verdict("heading-order", html) == expected, case


def test_empty_headings_cost_more_than_skipped_levels() -> None:
    reasons = [finding("heading-order", page(body)).fault for body in ("<h1>A</h1><h3>B</h3>", "<h1>A</h1><h2> </h2>")]

    assert reasons == ["", Fault.EMPTY_HEADINGS]


def lifted(body: str) -> list[str]:
    return [fix.code for fix in finding("heading-order", page(body)).fixes]


def test_a_heading_is_lifted_with_its_equals_and_what_is_below_it() -> None:
    assert lifted("<h1>A</h1><h3>B</h3><h4>C</h4><h3>D</h3><h2>E</h2><h3>F</h3>") == ["<h2>B</h2>", "<h3>C</h3>", "<h2>D</h2>"]
    assert lifted("<h1>A</h1><h2>B</h2><h4>C</h4><h4>D</h4>") == ["<h3>C</h3>", "<h3>D</h3>"]


UNCERTAIN = [
    ("chosen for its size", "<h1>A</h1><h6>Read later</h6>"),
    ("of another landmark", "<main><h1>A</h1><h2>B</h2></main><footer><h4>News</h4></footer>"),
    ("a box for sharing", '<h1>A</h1><h2>B</h2><div class="share-bar"><h4>Share this</h4></div>'),
    ("a notice in small type", "<h1>A</h1><h2>B</h2><h3>C</h3><h5>Click on red words</h5>"),
    ("a paragraph in large type", f"<h1>A</h1><h3>{'was founded to protect the rights of bakers, ' * 4}</h3>"),
    ("of a role", '<h1>A</h1><h3>B</h3><div role="heading" aria-level="3">C</div>'),
    ("more than are shown", "<h1>A</h1>" + "<h3>B</h3>" * 11),
    ("with a private URL", '<h1>A</h1><h3>B</h3><h3><a href="http://192.168.1.5/">C</a></h3>'),
]


@pytest.mark.parametrize(("case", "body"), UNCERTAIN, ids=[case for case, *_ in UNCERTAIN])
def test_headings_whose_part_is_not_certain_get_no_code(case: str, body: str) -> None:
    assert lifted(body) == [], case


def test_a_side_column_below_the_main_heading_has_parts_of_the_page() -> None:
    assert lifted("<h1>A</h1><nav><h3>Contents</h3><h4>Next</h4></nav>") == ["<h2>Contents</h2>", "<h3>Next</h3>"]


def test_without_code_the_advice_says_what_to_do() -> None:
    assert finding("heading-order", page("<h1>A</h1><h6>B</h6>")).advice == SKIP_ADVICE
    assert finding("heading-order", page("<h1>A</h1><h2></h2>")).advice == EMPTY_ADVICE
    assert finding("heading-order", page("<h1>A</h1><h2></h2><h3>B</h3>")).advice == BOTH_ADVICE
    assert finding("heading-order", page("<h1>A</h1><h3>B</h3>")).advice == ""
