"""Sets of pages as bits: filters, ranges and orders are those of a plain scan."""

from array import array

from hypothesis import given
from hypothesis import strategies as st

from findable.crawl.bitmaps import Column, above, below, bits_of, first_numbers, numbers_descending, numbers_of, pack_bits, unpack_bits

members = st.sets(st.integers(0, 300), max_size=80)
values = st.lists(st.integers(0, 2**20) | st.integers(0, 3), min_size=1, max_size=200)


def column_of(numbers: list[int]) -> Column:
    return Column(Column.pack(array("I", numbers)))


@given(members, st.integers(0, 301))
def test_a_set_comes_back_from_its_bits_in_both_orders(numbers: set[int], at: int) -> None:
    bits = bits_of(numbers, 301)

    assert list(numbers_of(unpack_bits(pack_bits(bits)))) == sorted(numbers)
    assert list(numbers_descending(bits)) == sorted(numbers, reverse=True)
    assert first_numbers(bits, 3) == sorted(numbers)[:3]
    assert set(numbers_of(above(bits, at))) == {number for number in numbers if number > at}
    assert set(numbers_of(below(bits, at))) == {number for number in numbers if number < at}


@given(values, st.data())
def test_comparisons_are_those_of_the_values(numbers: list[int], data: st.DataObject) -> None:
    column, everything = column_of(numbers), (1 << len(numbers)) - 1
    value = data.draw(st.sampled_from(numbers) | st.integers(0, 2**24))

    assert [column.value_of(at) for at in range(len(numbers))] == numbers
    assert set(numbers_of(column.equal(value, everything))) == {at for at, own in enumerate(numbers) if own == value}
    assert set(numbers_of(column.at_least(value, everything))) == {at for at, own in enumerate(numbers) if own >= value}
    assert set(numbers_of(column.at_most(value, everything))) == {at for at, own in enumerate(numbers) if own <= value}
    assert set(numbers_of(column.any_of(value, everything))) == {at for at, own in enumerate(numbers) if own & value}


@given(values, st.booleans(), st.booleans(), st.integers(0, 30), st.data())
def test_orders_are_those_of_a_sorted_list(numbers: list[int], descending: bool, backwards: bool, count: int, data: st.DataObject) -> None:
    column, everything = column_of(numbers), (1 << len(numbers)) - 1
    ordered = sorted(range(len(numbers)), key=lambda at: (-numbers[at] if descending else numbers[at], at))
    if backwards:
        ordered.reverse()
    place = data.draw(st.integers(0, len(numbers) - 1))
    behind = column.beyond(numbers[ordered[place]], ordered[place], everything, descending=descending, backwards=backwards)

    assert column.first(everything, count, descending=descending, backwards=backwards) == ordered[:count]
    assert column.first(behind, count, descending=descending, backwards=backwards) == ordered[place + 1 :][:count]
