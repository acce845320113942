"""Templates of pages."""

from findable.crawl.templates import templates


def test_pages_with_the_same_kinds_of_blocks_share_a_template() -> None:
    pages = [(n, (1, 2, 100 + n), ("Product",)) for n in range(8)] + [(n, (1, 3), ()) for n in range(8, 14)] + [(99, (1, 7), ("Thing",))]

    found = templates(pages)

    assert {found[n] for n in range(8)} == {1}
    assert {found[n] for n in range(8, 14)} == {2}
    assert found[99] == 0
