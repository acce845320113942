"""Lists of small numbers as bytes."""

from hypothesis import given
from hypothesis import strategies as st

from findable.crawl.varints import pack, pack_sorted, unpack, unpack_sorted

numbers = st.lists(st.integers(0, 2**40))


@given(numbers)
def test_numbers_come_back_from_their_bytes(given_numbers: list[int]) -> None:
    assert unpack(pack(given_numbers)) == given_numbers
    assert unpack_sorted(pack_sorted(sorted(given_numbers))) == sorted(given_numbers)


def test_small_numbers_take_one_byte() -> None:
    assert len(pack(range(128))) == 128
