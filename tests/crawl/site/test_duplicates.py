"""Pages with the same value."""

from collections.abc import Mapping

import pytest

from findable.crawl.site.duplicates import EqualPage, distinct_pages, have_same_text

SITE = "https://shop.example"
TRACKED = "utm_source=mail"


def page(number: int, path: str, *, text: int = 0, similar: int = 0) -> EqualPage:
    return EqualPage(number, SITE + path, text or number, 0, 9, 0, 5, similar)


def distinct(
    *paths: str, duplicating: tuple[str, ...] = (), alternates: Mapping[int, str] | None = None, is_text: bool = False
) -> list[str]:
    pages = [page(number, path) for number, path in enumerate(paths, 1)]
    versions = {number: frozenset({SITE + path}) for number, path in (alternates or {}).items()}
    found = distinct_pages(pages, frozenset(duplicating), lambda number: versions.get(number, frozenset()), is_text=is_text)
    return [item.url.removeprefix(SITE) for item in found]


@pytest.mark.parametrize("paths", [("/a", f"/a?{TRACKED}"), ("/list", "/list?page=2"), ("/docs/1.0/a", "/docs/latest/a")])
def test_urls_of_one_page_are_no_duplicates(paths: tuple[str, ...]) -> None:
    assert distinct(*paths) == []


def test_language_versions_that_name_each_other_are_no_duplicates() -> None:
    assert distinct("/de/a", "/en/a", alternates={1: "/en/a", 2: "/de/a"}) == []
    assert distinct("/de/a", "/en/a", alternates={1: "/en/a"}) == ["/de/a", "/en/a"]


def test_pages_that_another_check_reports_are_no_duplicates() -> None:
    same = [page(1, "/a", text=7), page(2, "/a/", text=7)]

    assert distinct_pages(same, frozenset(), lambda _number: frozenset(), is_text=True) == ()
    assert distinct("/a?from=1", "/a?from=2", duplicating=("from",)) == []
    assert distinct("/a?from=1", "/a?from=2") == ["/a?from=1", "/a?from=2"]


def test_pages_of_a_list_are_duplicates_only_if_they_have_the_same_text() -> None:
    assert distinct("/list", "/list?page=2", is_text=True) == ["/list", "/list?page=2"]


def test_each_page_counts_once() -> None:
    assert distinct("/a", f"/a?{TRACKED}", "/b") == ["/a", "/b"]


def test_the_text_is_the_same_if_all_pages_share_it_or_one_similar_to_it() -> None:
    assert have_same_text([page(1, "/a", text=7), page(2, "/b", text=7)])
    assert have_same_text([page(1, "/a", text=7, similar=3), page(2, "/b", text=8, similar=3)])
    assert not have_same_text([page(1, "/a", text=7), page(2, "/b", text=8)])
    assert not have_same_text([EqualPage(1, f"{SITE}/a", 0, 5, 9, 0, 5), EqualPage(2, f"{SITE}/b", 0, 5, 9, 0, 5)])
