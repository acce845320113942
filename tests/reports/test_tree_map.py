"""Tests of the layout of tree maps, and of the picture of a site."""

from collections.abc import Mapping
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from findable.capture.site_graph import Template
from findable.reports.site_areas import SiteArea, UrlState
from findable.reports.site_picture import LEAST_PX, SIZES, SitePicture, site_picture
from findable.reports.tree_map import Box, tree_map
from findable.web.pages.site.filtered_list_urls import PagesLinks
from findable.wording import ENGLISH

WHOLE = Box(0, 0, 100, 40)


def area_of(box: Box) -> float:
    return box.width * box.height


def overlap(one: Box, other: Box) -> float:
    """Return the common area of two rectangles."""
    width = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
    height = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
    return max(0.0, width) * max(0.0, height)


@given(st.lists(st.integers(1, 10_000), min_size=1, max_size=30), st.sampled_from([WHOLE, Box(5, 7, 30, 90)]))
def test_rectangles_fill_the_box_in_proportion_and_do_not_overlap(weights: list[int], box: Box) -> None:
    found = tree_map(weights, box)
    for weight, one in zip(weights, found, strict=True):
        assert area_of(one) == pytest.approx(area_of(box) * weight / sum(weights))
        assert one.x >= box.x - 1e-6
        assert one.y >= box.y - 1e-6
        assert one.x + one.width <= box.x + box.width + 1e-6
        assert one.y + one.height <= box.y + box.height + 1e-6
    assert sum(overlap(*pair) for pair in combinations(found, 2)) == pytest.approx(0, abs=1e-3)


def test_equal_weights_make_tiles_rather_than_stripes() -> None:
    found = tree_map([1] * 16, WHOLE)
    assert max(max(one.width / one.height, one.height / one.width) for one in found) < 3


def test_a_small_change_moves_no_rectangle_far() -> None:
    before, after = tree_map([50, 30, 20, 10, 5], WHOLE), tree_map([50, 31, 20, 10, 5], WHOLE)
    assert max(abs(one.x - other.x) + abs(one.y - other.y) for one, other in zip(before, after, strict=True)) < 2


def picture(
    *areas: SiteArea, pages: str = "/s/x/pages", lost: Mapping[str, int] | None = None, notes: Mapping[str, str] | None = None
) -> SitePicture | None:
    links = PagesLinks(pages)
    templates = [Template(1, "/p/*", 5, 5)]
    return site_picture(areas, templates, ENGLISH, href_of=lambda folder: links.url(folder=folder), lost=lost or {}, notes=notes or {})


def area(name: str, count: int = 10, state: UrlState = UrlState.INDEXABLE, *parts: SiteArea, template: int | None = None) -> SiteArea:
    return SiteArea(name, {state: count}, template, parts=parts)


def test_a_site_of_one_area_has_no_picture() -> None:
    assert picture(area("/a/", 100)) is None
    assert picture() is None


def test_a_small_site_has_no_picture() -> None:
    assert picture(area("/a/", 9), area("/b/", 10)) is None


def test_tiles_name_their_folder_and_numbers_and_link_to_its_pages() -> None:
    found = picture(area("/a/", 10), SiteArea("/b/", {UrlState.INDEXABLE: 5, UrlState.ERROR: 5}))
    assert found is not None
    for layout in found.layouts:
        first, second = layout.tiles
        assert (first.name, first.count, first.words, first.href) == ("/a/", "10", "/a/: 10 indexable", "/s/x/pages?folder=%2Fa%2F")
        assert [(band.state, band.x, band.width) for band in second.bands] == [("indexable", 0, 50), ("error", 50, 50)]
    assert [(line.count, line.words) for line in found.legend] == [("15", "indexable"), ("5", "error")]


def test_parts_lie_within_their_area_and_leave_out_its_name() -> None:
    parts = area("/a/", 60, UrlState.INDEXABLE, template=1), area("/a/x/", 40)
    found = picture(area("/a/", 100, UrlState.INDEXABLE, *parts), area("/b/", 50))
    assert found is not None
    whole, of_template, folder, _ = found.layouts[0].tiles
    assert whole.bands == ()
    assert (of_template.name, of_template.href, folder.name) == ("/p/*", "", "x/")
    assert whole.x <= of_template.x < folder.x + folder.width <= whole.x + whole.width
    assert [(row.depth, row.name) for row in found.rows] == [(0, "/a/"), (1, "/p/* (/a/)"), (1, "/a/x/"), (0, "/b/")]


def test_tiles_without_room_have_no_name() -> None:
    found = picture(area("/a/", 100_000), area("/b/", 1))
    assert found is not None
    assert [tile.name for tile in found.layouts[0].tiles] == ["/a/", ""]


def test_small_areas_have_room_to_be_read_beside_a_large_one() -> None:
    found = picture(area("/a/", 100_000), *[area(f"/{name}/", 1000) for name in "bcdef"])
    assert found is not None
    assert [tile.name for tile in found.layouts[0].tiles] == ["/a/", *[f"/{name}/" for name in "bcdef"]]


def test_a_viewer_without_the_list_of_pages_gets_no_links() -> None:
    found = picture(area("/a/"), area("/b/"), pages="")
    assert found is not None
    assert not any(tile.href for layout in found.layouts for tile in layout.tiles)
    assert not any(row.href for row in found.rows)


def test_the_table_says_the_numbers_of_the_picture() -> None:
    found = picture(area("/a/", 1200), SiteArea("", {UrlState.REDIRECT: 3}, merged_count=3), area("https://b.example", 5))
    assert found is not None
    assert found.heads == ("Folder", "URLs", "indexable", "redirect")
    assert [(row.name, row.cells) for row in found.rows] == [
        ("/a/", ("1,200", "1,200", "–")),
        ("3 smaller folders", ("3", "–", "3")),
        ("b.example", ("5", "5", "–")),
    ]


def test_layouts_use_the_whole_picture() -> None:
    found = picture(*[area(f"/{name}/", 10) for name in "abcdefgh"])
    assert found is not None
    for layout, size in zip(found.layouts, SIZES, strict=True):
        assert max(tile.y + tile.height for tile in layout.tiles) == pytest.approx(size.height, abs=3)
        assert max(tile.x + tile.width for tile in layout.tiles) == pytest.approx(100, abs=1)


def test_pages_that_are_lost_are_counted_in_their_folders() -> None:
    gone = {"/a/": 3, "/a/x/": 2}
    parts = area("/a/", 60, UrlState.INDEXABLE, template=1), area("/a/x/", 40)
    found = picture(area("/a/", 100, UrlState.INDEXABLE, *parts), area("/b/", 50), lost=gone)
    assert found is not None
    assert [(tile.name, tile.lost) for tile in found.layouts[0].tiles] == [("/a/", "−3"), ("/p/*", ""), ("x/", "−2"), ("/b/", "")]
    assert (found.heads[-1], [row.cells[-1] for row in found.rows]) == ("no longer indexable", ["3", "–", "2", "–"])
    assert found.layouts[0].tiles[0].words == "/a/ 100 −3: 100 indexable; 3 no longer indexable"


def test_one_lost_page_of_thousands_is_marked_by_pixels_that_can_be_seen() -> None:
    found = picture(area("/a/", 5000), area("/b/", 1000), lost={"/a/": 1})
    assert found is not None
    for layout, size in zip(found.layouts, SIZES, strict=True):
        lost, sound = layout.tiles
        assert lost.lost_width / 100 * lost.width / 100 * size.width == pytest.approx(LEAST_PX, abs=0.5)
        assert sound.lost_width == 0


def test_the_mark_of_lost_pages_has_their_share() -> None:
    found = picture(area("/a/", 100), area("/b/", 100), lost={"/a/": 40})
    assert found is not None
    assert [tile.lost_width for tile in found.layouts[0].tiles] == [40, 0]


CLICKS = "12 clicks from the start page, which is more than in all other folders of the site"


def test_a_tile_shows_no_part_of_a_word() -> None:
    name = "/a-folder-with-a-very-long-name-that-no-tile-has-room-for-however-wide-it-is-on-the-screen-of-a-reader/"
    found = picture(area(name, 100), area("/b/", 100), area("/c/", 10), notes={"/c/": CLICKS, name: "5 clicks"})
    assert found is not None
    long, short, small = found.layouts[1].tiles
    assert [(tile.name, tile.note, tile.stands_out) for tile in (long, short, small)] == [
        ("", "5 clicks", True),
        ("/b/", "", False),
        ("/c/", "", True),
    ]
    assert CLICKS in small.words


def test_a_folder_that_stands_out_says_why() -> None:
    found = picture(area("/a/", 100), area("/b/", 100), notes={"/b/": "5 clicks"})
    assert found is not None
    assert [(tile.note, tile.words) for tile in found.layouts[0].tiles] == [
        ("", "/a/: 100 indexable"),
        ("5 clicks", "/b/ 100 5 clicks: 100 indexable"),
    ]
