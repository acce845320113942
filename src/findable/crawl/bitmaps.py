"""Sets of numbers as the bits of one integer, and columns of numbers with one such set per binary digit.

Filters, ranges, counts and sort orders of all pages of a crawl then take a few integer operations and no scan.
"""

import re
from array import array
from collections.abc import Iterable, Iterator, Sequence

_SOME = re.compile(rb"[^\0]")
_BYTE = 8
_ONES = tuple(tuple(bit for bit in range(_BYTE) if byte >> bit & 1) for byte in range(256))
_DIGITS = tuple(bytes(ord("1") if byte >> bit & 1 else ord("0") for byte in range(256)) for bit in range(_BYTE))
"""Translation tables from a byte to one of its binary digits."""


def bits_of(numbers: Iterable[int], size: int) -> int:
    """Return the set of these numbers, all below ``size``."""
    data = bytearray(size // _BYTE + 1)
    for number in numbers:
        data[number >> 3] |= 1 << (number & 7)
    return int.from_bytes(data, "little")


def pack_bits(bits: int) -> bytes:
    """Return a set as bytes, lowest number first."""
    return bits.to_bytes((bits.bit_length() + _BYTE - 1) // _BYTE, "little")


def unpack_bits(data: bytes) -> int:
    """Return the set in bytes from `pack_bits`."""
    return int.from_bytes(data, "little")


def numbers_of(bits: int) -> Iterator[int]:
    """Yield the numbers of a set, ascending."""
    data = pack_bits(bits)
    for found in _SOME.finditer(data):
        at = found.start()
        for bit in _ONES[data[at]]:
            yield at * _BYTE + bit


def numbers_descending(bits: int) -> Iterator[int]:
    """Yield the numbers of a set, descending."""
    data = pack_bits(bits)[::-1]
    last = len(data) - 1
    for found in _SOME.finditer(data):
        at = found.start()
        for bit in reversed(_ONES[data[at]]):
            yield (last - at) * _BYTE + bit


def first_numbers(bits: int, count: int, *, down: bool = False) -> list[int]:
    """Return the lowest numbers of a set in ascending order, or with ``down`` the highest in descending order."""
    found = numbers_descending(bits) if down else numbers_of(bits)
    return [number for number, _ in zip(found, range(count), strict=False)]


def above(bits: int, number: int) -> int:
    """Return the members of a set that are higher than a number."""
    return bits >> number + 1 << number + 1


def below(bits: int, number: int) -> int:
    """Return the members of a set that are lower than a number."""
    return bits & (1 << number) - 1


class Column:
    """Values by page number, 0 for none, stored as one set of numbers per binary digit, lowest digit first."""

    def __init__(self, digits: Sequence[bytes]) -> None:
        self._packed = digits
        self._digits = [unpack_bits(digit) for digit in digits]

    @staticmethod
    def pack(values: "array[int]") -> list[bytes]:
        """Return the packed sets of an array that has the four-byte value of each number at its index."""
        if not values:
            return []
        raw = values.tobytes()
        most = max(values)
        return [pack_bits(int(raw[bit // _BYTE :: 4].translate(_DIGITS[bit % _BYTE])[::-1], 2)) for bit in range(most.bit_length())]

    def value_of(self, number: int) -> int:
        """Return the value stored for a number."""
        at, mask = number >> 3, 1 << (number & 7)
        return sum(1 << bit for bit, digit in enumerate(self._packed) if at < len(digit) and digit[at] & mask)

    def total(self, within: int) -> int:
        """Return the sum of the values of these numbers."""
        return sum((digit & within).bit_count() << bit for bit, digit in enumerate(self._digits))

    def any_of(self, flags: int, within: int) -> int:
        """Return the numbers whose value has one of the binary digits in ``flags``."""
        found = 0
        for bit, digit in enumerate(self._digits):
            if flags >> bit & 1:
                found |= digit
        return found & within

    def equal(self, value: int, within: int) -> int:
        """Return the numbers in ``within`` that have this value."""
        return self._greater_and_equal(value, within)[1]

    def at_least(self, value: int, within: int) -> int:
        """Return the numbers in ``within`` that have this value or a higher one."""
        more, equal = self._greater_and_equal(value, within)
        return more | equal

    def at_most(self, value: int, within: int) -> int:
        """Return the numbers in ``within`` that have this value or a lower one."""
        return within ^ self._greater_and_equal(value, within)[0]

    def _greater_and_equal(self, value: int, within: int) -> tuple[int, int]:
        """Return the numbers in ``within`` that have a higher value, and those that have this value."""
        if value.bit_length() > len(self._digits):
            return 0, 0
        more, equal = 0, within
        for bit in range(len(self._digits) - 1, -1, -1):
            has = equal & self._digits[bit]
            if value >> bit & 1:
                equal = has
            else:
                more |= has
                equal ^= has
        return more, equal

    def first(self, within: int, count: int, *, descending: bool, backwards: bool = False) -> list[int]:
        """Return the first numbers in ``within`` in the order of their values; equal values are ordered by number.

        ``backwards``: return the last ones instead, last first.
        """
        high = descending != backwards
        sure, sure_count, tied = 0, 0, within
        for digit in reversed(self._digits):
            has = tied & digit
            part = has if high else tied ^ has
            total = sure_count + part.bit_count()
            if total > count:
                tied = part
            else:
                sure, sure_count, tied = sure | part, total, tied ^ part
        chosen = [*numbers_of(sure), *first_numbers(tied, count - sure_count, down=backwards)]
        turn = -1 if high else 1
        chosen.sort(key=lambda number: (turn * self.value_of(number), -number if backwards else number))
        return chosen

    def beyond(self, value: int, number: int, within: int, *, descending: bool, backwards: bool = False) -> int:
        """Return the numbers after a position in the order of `first`."""
        more, equal = self._greater_and_equal(value, within)
        further = more if descending == backwards else within ^ more ^ equal
        return further | (below(equal, number) if backwards else above(equal, number))
