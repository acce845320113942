"""Lists on several pages."""

from collections.abc import Iterable, Mapping, Sequence

from findable.capture.crawl import Reason
from findable.capture.site_urls import Pagination
from findable.crawl.site.paginations import LinksOfLists, PageOfList, pages_by_number, pagination

LIST = "https://shop.example/shoes"
BASE = PageOfList(1, LIST, 200, "", 0)
NEXT = {1: frozenset({2}), 2: frozenset({1, 3}), 3: frozenset({2, 4}), 4: frozenset({3, 5}), 5: frozenset({4})}
NEW = frozenset({101, 102, 103})


def later(*numbers: int, reason: str = "", canonical: int = 0) -> dict[int, PageOfList]:
    return {number: PageOfList(number, f"{LIST}?page={number}", 200, reason, canonical, 4) for number in numbers}


def fault_of(members: Mapping[int, PageOfList], targets: Mapping[int, frozenset[int]], item: str = "/shoes/") -> Pagination | None:
    def targets_of(pages: Sequence[int]) -> Sequence[frozenset[int]]:
        return [targets.get(page, frozenset()) for page in pages]

    def indexable_urls(numbers: Iterable[int]) -> Iterable[str]:
        return (f"https://shop.example{item}{number}" for number in numbers)

    return pagination(LIST, members, [BASE], LinksOfLists(targets_of, indexable_urls))


def test_a_list_has_a_page_after_its_first() -> None:
    urls = [LIST, f"{LIST}?page=1", f"{LIST}?page=2", f"{LIST}?page=2&a=1", "https://shop.example/hats?page=1"]

    assert pages_by_number(enumerate(urls)) == {LIST: {1: 1, 2: 2}, f"{LIST}?a=1": {2: 3}}


def test_pages_that_link_to_each_other_have_no_fault() -> None:
    assert fault_of(later(2, 3, 4), NEXT) is None


def test_a_canonical_link_to_the_first_page_hides_what_later_pages_link_to() -> None:
    members = later(2, 3, reason=Reason.CANONICAL, canonical=BASE.id)
    found = fault_of(members, {2: NEW})

    assert found is not None
    assert (found.url, found.template, found.canonical_to_first_count) == (LIST, 4, 2)
    assert fault_of(members, {1: NEW, 2: NEW, 3: NEW}) is None
    assert fault_of(members, {2: NEW}, item="/shoes?page=") is None
    assert fault_of(later(2, 3, reason=Reason.CANONICAL, canonical=77), {2: NEW}) is None


def test_a_page_between_others_that_nothing_links_to_is_missing() -> None:
    links = {number: frozenset({number - 1, number + 1}) for number in range(1, 6)} | {7: frozenset({5})}
    found = fault_of(later(2, 3, 4, 5, 7), links)

    assert found is not None
    assert (found.missing, found.last_number, found.pages_count) == ((6,), 7, 5)


def test_numbers_without_links_to_their_neighbours_are_no_pages_of_a_list() -> None:
    assert fault_of(later(2, 3, 4, 5, 7), {}) is None
