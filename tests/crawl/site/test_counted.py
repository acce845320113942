"""Counters of pages with one property."""

from findable.capture.crawl import Group
from findable.crawl.site.counted import Counted, CountedPages, group_of_pages


def test_all_items_are_counted_and_the_first_are_examples() -> None:
    numbers = Counted[int](2)
    for number in range(5):
        numbers.add(number)

    assert (numbers.count, numbers.first) == (5, [0, 1])


def test_no_page_is_no_group() -> None:
    assert CountedPages().as_group("deep") is None
    assert group_of_pages([]) is None


def test_pages_are_named_by_their_common_folder() -> None:
    urls = tuple(f"https://shop.example/p/{name}" for name in "abc")

    assert group_of_pages(urls) == Group("/p/*", 3, urls)
