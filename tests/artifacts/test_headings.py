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


def test_a_link_to_the_heading_itself_is_no_part_of_its_name() -> None:
    found = headings(
        "<h1 id=a>A <a href=#a aria-label='Permalink to \"A\"'>&#8203;</a></h1><h2>B<a href=#b>¶</a></h2><h2><a href=#c>#</a> C</h2>"
        "<h2><a href=#d>D</a></h2><h2><a href=#e>E 1</a> <button>copy</button></h2><h2>See <a href=/f>F</a></h2><h2>1. <a href=#g></a></h2>"
    )

    assert [item.name for item in found.all] == ["A", "B", "C", "D", "E 1 copy", "See F", "1."]


def main_heading(title: str, body: str) -> str:
    found = artifacts(page(body, head=f"<title>{title}</title>")).get_or_none(Headings)
    assert found is not None
    return found.main_text


def test_a_first_level_heading_with_the_name_of_the_site_does_not_name_the_page() -> None:
    site, chapter = "<h1>The Lantern Handbook</h1>", "<main><h2>What is a lantern?</h2><h2>Care</h2></main>"

    assert main_heading("What is a lantern? - The Lantern Handbook", site + chapter) == "What is a lantern?"
    assert main_heading("The Lantern Handbook - What is a lantern?", site + chapter) == "The Lantern Handbook"
    assert main_heading("Lanterns - The Lantern Handbook", f"{site}<h2>Lanterns</h2>") == "The Lantern Handbook"
    assert (
        main_heading("What is a lantern? - The Lantern Handbook", f"{site}<aside><h2>What is a lantern?</h2></aside>")
        == "The Lantern Handbook"
    )


def test_a_kicker_above_the_main_heading_does_not_name_the_page() -> None:
    kicker = "<h2>The work of tomorrow</h2><h1>Seven trades with a future</h1>"

    assert main_heading("The work of tomorrow: Seven trades with a future - example.com", kicker) == "Seven trades with a future"
    assert main_heading("The work of tomorrow - Seven trades with a future", kicker) == "Seven trades with a future"


def test_a_section_whose_heading_contains_a_short_title_does_not_name_the_page() -> None:
    assert main_heading("Art supplies | Example", "<h1>Homepage</h1><h2>Featured art supplies</h2>") == "Homepage"
    assert main_heading("Art supplies | Example", "<h1>Homepage</h1><h2>Art supplies</h2>") == "Art supplies"


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
