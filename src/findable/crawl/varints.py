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
    add = numbers.append
    remaining = iter(data)
    for byte in remaining:
        if byte <= _LOW:
            add(byte)
            continue
        number, shift = byte & _LOW, 7
        for more in remaining:
            if more <= _LOW:
                add(number | more << shift)
                break
            number |= (more & _LOW) << shift
            shift += 7
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
