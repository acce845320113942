"""Lists of numbers in one array."""

from hypothesis import given
from hypothesis import strategies as st

from findable.crawl.number_lists import NumberLists
from tests.crawl.made_lists import lists_of

NUMBERS = 8
numbers = st.lists(st.lists(st.integers(0, NUMBERS - 1), unique=True), max_size=6)


@given(numbers)
def test_lists_are_those_that_were_set(lists: list[list[int]]) -> None:
    found = lists_of(lists)
    assert [list(one) for one in found] == lists
    assert [list(found[at]) for at in range(len(found))] == lists
    assert list(found.lengths()) == [len(one) for one in lists]


@given(numbers)
def test_inverted_lists_name_the_lists_of_each_number(lists: list[list[int]]) -> None:
    found = lists_of(lists).inverted(NUMBERS)
    assert [list(one) for one in found] == [[at for at, one in enumerate(lists) if number in one] for number in range(NUMBERS)]


def test_lists_that_share_an_array_differ_only_where_they_are_set() -> None:
    first = lists_of([[1, 2], [3], [4]])
    second = NumberLists(3, first.numbers)
    second.share(0, first)
    second[1] = [5, 6]
    assert [list(one) for one in first] == [[1, 2], [3], [4]]
    assert [list(one) for one in second] == [[1, 2], [5, 6], []]
    assert [list(one) for one in second.inverted(7)] == [[], [0], [0], [], [], [1], [1]]
