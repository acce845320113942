"""Lists of numbers for tests of links."""

from collections.abc import Sequence

from findable.crawl.number_lists import NumberLists


def lists_of(lists: Sequence[list[int]]) -> NumberLists:
    """Return lists by their position."""
    found = NumberLists(len(lists))
    for at, numbers in enumerate(lists):
        found[at] = numbers
    return found
