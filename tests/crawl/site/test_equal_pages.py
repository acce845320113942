"""Pages with an equal value: first those that are no duplicates of each other."""

from collections.abc import Mapping

import pytest

from findable.capture.site_graph import URL_LIMIT
from findable.crawl.clusters import MAX_LANGUAGES
from findable.crawl.site.equal_pages import (
    COMPARED_PAGES,
    Pages,
    Places,
    near_pages,
    others_with_value,
    places_of,
    without_page_and_version,
)
from tests.crawl.stored_crawl import url

Alternates = Mapping[str, frozenset[str]]
NONE: Alternates = {}


def places(*paths: str, alternates: Alternates = NONE) -> Places:
    return places_of([[(number, url(path)) for number, path in enumerate(paths)]], lambda _: alternates, without_page_and_version)


def each_other(*paths: str) -> Alternates:
    return {url(path): frozenset(map(url, paths)) for path in paths}


@pytest.mark.parametrize("paths", [("/v1/a", "/v2/a"), ("/a", "/a?page=2")])
def test_versions_and_pages_of_a_list_are_no_duplicates(paths: tuple[str, ...]) -> None:
    assert places(*paths) == {}


def test_language_versions_are_none_if_they_declare_each_other() -> None:
    assert places("/de/a", "/en/a", alternates=each_other("/de/a", "/en/a")) == {}
    assert len(places("/de/a", "/en/a", alternates={url("/de/a"): frozenset({url("/en/a")})})) == 2


def test_language_versions_of_large_groups_are_not_read() -> None:
    def alternates_of(_: Pages) -> Alternates:
        raise AssertionError

    pages = [(number, url(f"/{number}")) for number in range(MAX_LANGUAGES + 1)]
    assert len(places_of([pages], alternates_of, without_page_and_version)) == MAX_LANGUAGES + 1


def test_the_others_leave_out_the_page_and_its_versions() -> None:
    found = places("/v1/a", "/v2/a", "/x", "/y")

    assert others_with_value(found, 0) == ((url("/x"), url("/y")), 2)
    assert others_with_value(found, 2) == ((url("/v1/a"), url("/v2/a"), url("/y")), 3)
    assert others_with_value(found, 9) == ((), 0)


@pytest.mark.parametrize(("count", "compared"), [(3, 2), (COMPARED_PAGES, URL_LIMIT), (COMPARED_PAGES + 1, 2)])
def test_pages_of_large_groups_are_compared_with_two_others(count: int, compared: int) -> None:
    found = places(*(f"/{number}" for number in range(count)))
    near = near_pages(found, 0, lambda number: frozenset({"same", str(number)}))

    assert (len(near), near[0]) == (compared, (url("/1"), 0.333))
    assert near_pages(found, count, lambda _: frozenset()) == ()
