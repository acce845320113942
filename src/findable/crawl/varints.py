"""Lists of small numbers as bytes: seven bits per byte, low bits first (LEB128)."""

from collections.abc import Iterable

_MORE = 0x80
_LOW = 0x7F


def pack(numbers: Iterable[int]) -> bytes:
    """Return the numbers as bytes. Numbers must not be negative."""
    packed = bytearray()
    for number in numbers:
        while number > _LOW:
            packed.append(number & _LOW | _MORE)
            number >>= 7  # noqa: PLW2901 - the rest of the number
        packed.append(number)
    return bytes(packed)


def unpack(data: bytes) -> list[int]:
    """Return the numbers in bytes from `pack`."""
    numbers: list[int] = []
    number = shift = 0
    for byte in data:
        if byte & _MORE:
            number |= (byte & _LOW) << shift
            shift += 7
        else:
            numbers.append(number | byte << shift)
            number = shift = 0
    return numbers


def pack_sorted(numbers: Iterable[int]) -> bytes:
    """Return ascending numbers as the packed differences between them, which are small."""
    last = 0
    steps = []
    for number in numbers:
        steps.append(number - last)
        last = number
    return pack(steps)


def unpack_sorted(data: bytes) -> list[int]:
    """Return the numbers in bytes from `pack_sorted`."""
    numbers = unpack(data)
    total = 0
    for at, step in enumerate(numbers):
        total += step
        numbers[at] = total
    return numbers
