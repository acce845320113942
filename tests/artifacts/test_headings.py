"""Headings: what counts, what it is called, and how many are read."""

import time

from findable.artifacts.page.headings import MAX_HEADINGS, Headings
from tests.checks.harness import artifacts, page


def headings(body: str) -> Headings:
    found = artifacts(page(body)).get_or_none(Headings)
    assert found is not None
    return found


def test_levels_and_names_in_order() -> None:
    found = headings(
        "<h1>A <b>b</b></h1><h3><img alt='C'></h3><p role=heading aria-level=7>D</p><p role=heading>E</p><H2 aria-label=F>x</H2>"
    )

    assert [(item.level, item.name) for item in found.all] == [(1, "A b"), (3, "C"), (7, "D"), (2, "E"), (2, "F")]


def test_what_is_not_a_heading() -> None:
    body = "<template><h1>t</h1></template><noscript><h1>n</h1></noscript><svg><h1/></svg><h2 role=none>x</h2><!-- <h1>c</h1> -->"

    assert headings(body).all == () or [item.name for item in headings(body).all] == [""]


def test_a_hidden_one_is_marked() -> None:
    found = headings("<div aria-hidden=true><h1>A</h1></div><h2 style='display: none'>B</h2><h3>C</h3>")

    assert [item.hidden for item in found.all] == [True, True, False]
    assert [item.name for item in found.visible] == ["C"]


def test_odd_levels_fall_back() -> None:
    assert [item.level for item in headings("<h2 aria-level=x>A</h2><h2 aria-level=0>B</h2><h2 aria-level='3'>C</h2>").all] == [2, 2, 3]


def test_s26_many_headings_are_cut_and_counted() -> None:
    start = time.process_time()
    found = headings("<h2>x</h2>" * (MAX_HEADINGS + 5))

    assert len(found.all) == MAX_HEADINGS
    assert found.left_count == 5
    assert time.process_time() - start < 6
