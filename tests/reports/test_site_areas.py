"""Tests of the areas of a site: folders by state, their division, and their bounds."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from findable.reports.site_areas import MAX_PARTS, SiteArea, SiteAreas, UrlState, with_states

SITE = "https://example.com"
OK, ERROR, EXCLUDED = UrlState.INDEXABLE, UrlState.ERROR, UrlState.EXCLUDED


def areas(*urls: tuple[str, UrlState, int]) -> dict[str, SiteArea]:
    """Return the areas of these URLs by name; paths are those of SITE."""
    return {area.name: area for area in listed(*urls)}


def listed(*urls: tuple[str, UrlState, int]) -> tuple[SiteArea, ...]:
    tree = SiteAreas()
    for url, state, template in sorted((url if "://" in url else SITE + url, state, template) for url, state, template in urls):
        tree.add(url, state, template)
    return tree.areas()


def pages(folder: str, count: int, state: UrlState = OK, template: int = 1) -> list[tuple[str, UrlState, int]]:
    return [(f"{folder}page-{number}-{template}-{state}", state, template) for number in range(count)]


def test_each_folder_is_an_area_with_its_urls_by_state() -> None:
    found = areas(("/", OK, 1), *pages("/blog/", 3), *pages("/blog/", 2, ERROR), ("/blog", OK, 1))
    assert found["/blog/"].states == {OK: 3, ERROR: 2}
    assert found[SITE].states == {OK: 2}


def test_a_folder_is_divided_into_folders_and_its_own_pages() -> None:
    found = areas(*pages("/a/", 10), *pages("/a/x/", 10), *pages("/a/y/", 10), *pages("/b/", 10))
    assert [(part.name, part.template, part.urls_count) for part in found["/a/"].parts] == [
        ("/a/", 1, 10),
        ("/a/x/", None, 10),
        ("/a/y/", None, 10),
    ]


def test_a_flat_folder_is_divided_by_template() -> None:
    found = areas(*pages("/p/", 60, template=1), *pages("/p/", 40, template=2), *pages("/q/", 1))
    assert [(part.template, part.urls_count) for part in found["/p/"].parts] == [(1, 60), (2, 40)]


def test_a_small_template_is_merged_with_one_in_the_same_state() -> None:
    found = areas(*pages("/p/", 98, template=1), *pages("/p/", 2, template=2), *pages("/q/", 1))
    assert found["/p/"].parts == ()


def test_a_small_template_that_is_not_indexable_is_seen() -> None:
    found = areas(*pages("/p/", 99, template=1), *pages("/p/", 1, EXCLUDED, template=2), *pages("/q/", 1))
    assert [dict(part.states) for part in found["/p/"].parts] == [{OK: 99}, {EXCLUDED: 1}]


def test_a_folder_with_one_folder_only_is_not_a_level_of_its_own() -> None:
    assert [area.name for area in listed(*pages("/shop/en/a/", 5), *pages("/shop/en/b/", 5))] == ["/shop/en/a/", "/shop/en/b/"]


def test_several_hosts_are_the_first_level() -> None:
    found = listed(*pages("https://a.example/x/", 20), *pages("https://a.example/y/", 20), *pages("https://b.example/", 20))
    assert [(area.name, len(area.parts)) for area in found] == [("https://a.example", 2), ("https://b.example", 0)]


def test_many_folders_are_merged_and_counted() -> None:
    found = listed(*pages("/big/", 1000), *[page for number in range(100) for page in pages(f"/p-{number}/", 10)])
    assert [(area.name, area.urls_count, area.merged_count) for area in found] == [
        ("/big/", 1000, 0),
        *[(area.name, 10, 0) for area in found[1 : MAX_PARTS - 1]],
        ("", 10 * (100 - (MAX_PARTS - 2)), 100 - (MAX_PARTS - 2)),
    ]


def test_folders_that_are_too_small_to_see_are_merged_on_the_first_level_too() -> None:
    found = listed(*pages("/big/", 1000), *[(f"/p-{number}/", OK, 1) for number in range(9)])
    assert [(area.name, area.urls_count, area.merged_count) for area in found] == [("/big/", 1000, 0), ("", 9, 9)]


def test_parts_that_are_too_small_to_see_are_merged() -> None:
    found = areas(*pages("/a/", 500), *[(f"/a/t{number}/x", OK, 1) for number in range(9)], *pages("/b/", 500))
    assert [(part.name, part.urls_count, part.merged_count) for part in found["/a/"].parts] == [("/a/", 500, 0), ("", 9, 9)]


def test_a_site_without_urls_has_no_areas() -> None:
    assert SiteAreas().areas() == ()


@given(
    st.lists(
        st.tuples(
            st.lists(st.sampled_from(["a", "b", "c", "d-e"]), max_size=5),
            st.sampled_from(list(UrlState)),
            st.integers(0, 3),
        ),
        min_size=1,
        max_size=200,
    )
)
def test_no_url_is_lost_or_counted_twice(made: list[tuple[list[str], UrlState, int]]) -> None:
    found = listed(*[("/" + "/".join(names), state, template) for names, state, template in made])
    assert sum((Counter(area.states) for area in found), Counter()) == Counter(state for _, state, _ in made)
    for area in found:
        check_parts(area)


@given(
    st.lists(
        st.tuples(
            st.lists(st.sampled_from([f"{letter}{number}" for letter in "abc" for number in range(40)]), max_size=4),
            st.sampled_from([OK, ERROR, EXCLUDED]),
            st.integers(0, 3),
        ),
        min_size=1,
        max_size=400,
    )
)
def test_the_numbers_of_areas_tell_which_urls_they_have(made: list[tuple[list[str], UrlState, int]]) -> None:
    tree, urls = SiteAreas(), sorted(("/".join([SITE, *names, ""]), state, template) for names, state, template in made)
    places = [tree.add(*url) for url in urls]
    found = tree.areas()
    counted: dict[int, Counter[UrlState]] = {}
    for place, (_, state, _) in zip(places, urls, strict=True):
        counted.setdefault(tree.number_at(place), Counter())[state] += 1
    assert with_states(found, counted, UrlState.REST) == found
    assert sorted(counted) == list(range(1, len(counted) + 1))


def test_urls_of_an_area_that_are_not_counted_are_the_rest() -> None:
    found = listed(*pages("/a/", 30), *pages("/b/x/", 10), *pages("/b/y/", 10))
    (a, b) = with_states(found, {found[0].number: {OK: 20, ERROR: 10}, found[1].parts[0].number: {OK: 1}}, UrlState.REST)
    assert (a.states, b.states) == ({OK: 20, ERROR: 10}, {OK: 1, UrlState.REST: 19})
    assert [part.states for part in b.parts] == [{OK: 1, UrlState.REST: 9}, {UrlState.REST: 10}]


def check_parts(area: SiteArea) -> None:
    """Fail unless the parts of an area have just its URLs."""
    if area.parts:
        assert sum((Counter(part.states) for part in area.parts), Counter()) == Counter(area.states)
        assert 1 < len(area.parts) <= MAX_PARTS + 5  # templates of the folder itself come on top
    for part in area.parts:
        check_parts(part)


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("/a/b/c/d/e?x=/y/", "/a/b/c/"),
        ("/a?/b/", SITE),
        ("/ä/x", "/ä/"),
        ("/a//b", "/a//"),
    ],
)
def test_the_folder_of_a_url(url: str, name: str) -> None:
    assert name in areas((url, OK, 1), ("/zz/1", OK, 1), ("/zzz", OK, 1))
