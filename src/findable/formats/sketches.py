"""Find near duplicates: a sketch of each text finds candidates, its shingles verify them.

A sketch is a one-permutation min-hash: 64 numbers of 32 bits from CRC-32 over the shingles, three words each, or five characters for
scripts without spaces. The share of equal numbers of two texts approximates the overlap of their shingles (Jaccard index).
"""

import re
import struct
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from findable.formats.characters import western_bytes, western_table
from findable.limits import MAX_SIMILAR

BINS = 64
BANDS = 8
SHINGLE_WORDS = 3
SHINGLE_CHARS = 5
CANDIDATE_FROM = 0.85
SIMILAR_FROM = 0.9
MAX_TEXT_CHARS = 100_000
_ROWS = BINS // BANDS
_NUMBERS = 1 << 32
_SMALL = 1500
"""Expected number of smallest values in the first sorting step."""
_PACKED = struct.Struct(f"<{BINS}I")
_ASCII = bytes(range(128))
_WORD = re.compile(r"\w+")
_WORD_CHARS = western_table(lambda char: char if _WORD.match(char) else " ")
_SPACED_SHARE = 8
"""Number of characters per word from which a script is assumed to have no spaces."""


def shingles(text: str) -> frozenset[str]:
    """Return the shingles of a text, ignoring case."""
    return frozenset(str(shingle, "utf-8", "surrogatepass") for shingle in _shingles(text))


def _shingles(text: str) -> Iterator[bytes]:
    """Return the shingles in UTF-8, with repetitions. C functions encode and join the thousands of words of a page."""
    words = _words(text[:MAX_TEXT_CHARS].casefold())
    joined = b"".join(words)
    # Long ASCII words are identifiers, whose order counts.
    if (
        2 * len(joined.translate(None, _ASCII)) >= len(joined)
        and len(joined) > _SPACED_SHARE * 2 * len(words)
        and len(chars := joined.decode("utf-8", "surrogatepass")) > _SPACED_SHARE * 2 * len(words)
    ):
        pieces = (chars[at : at + SHINGLE_CHARS] for at in range(max(1, len(chars) - SHINGLE_CHARS + 1)))
        return (piece.encode("utf-8", "surrogatepass") for piece in pieces)
    if len(words) < SHINGLE_WORDS:
        return iter((b" ".join(words),))
    return map(b" ".join, zip(*(words[at:] for at in range(SHINGLE_WORDS)), strict=False))


def _words(text: str) -> list[bytes]:
    """Return the words of a text in UTF-8."""
    data = western_bytes(text)
    if data is not None and (ascii_words := data.translate(_WORD_CHARS)).isascii():
        return ascii_words.split()
    return " ".join(_WORD.findall(text)).encode("utf-8", "surrogatepass").split()


def sketch(text: str) -> bytes:
    """Return the min-hash sketch of a text, which `estimate` compares."""
    values = list(map(zlib.crc32, _shingles(text)))
    limit = _SMALL * _NUMBERS // len(values)
    least = _least([value for value in values if value < limit])  # a few hundred small values fill all bins
    return _PACKED.pack(*_fill_empty_bins(least if len(least) == BINS else _least(values)))


def _least(values: Iterable[int]) -> dict[int, int]:
    """Return the smallest hash value of each non-empty bin."""
    least: dict[int, int] = {}
    for value in sorted(values):
        least.setdefault(value % BINS, value)
        if len(least) == BINS:
            break
    return least


def _fill_empty_bins(least: Mapping[int, int]) -> Iterator[int]:
    """Yield the numbers of a sketch; an empty bin takes that of the next non-empty one."""
    for at in range(BINS):
        yield next((least[place] for step in range(BINS) if (place := (at + step) % BINS) in least), 0)


def estimate(first: bytes, second: bytes) -> float:
    """Return the estimated Jaccard index of two texts from their sketches."""
    pairs = zip(_PACKED.unpack(first), _PACKED.unpack(second), strict=True)
    return sum(1 for a, b in pairs if a == b) / BINS


def similarity(first: frozenset[str], second: frozenset[str]) -> float:
    """Return the Jaccard index of two sets of shingles."""
    shared = len(first & second)
    return shared / (len(first) + len(second) - shared) if shared else 0.0


def candidates(sketches: Mapping[int, bytes]) -> Iterator[tuple[int, int]]:
    """Yield pairs of numbers (the smaller first, each once) whose sketches are similar; bands shared by too many pages are ignored."""
    seen: set[tuple[int, int]] = set()
    for band in range(BANDS):
        start = band * _ROWS * 4
        firsts: dict[bytes, int] = {}
        groups: dict[int, list[int]] = {}
        """Numbers with the same band, by the first of them, if there are several."""
        for number in sorted(sketches):
            first = firsts.setdefault(sketches[number][start : start + _ROWS * 4], number)
            if first != number:
                groups.setdefault(first, [first]).append(number)
        for _, members in sorted(groups.items()):
            if len(members) <= MAX_SIMILAR:
                for pair in _neighbours(members):
                    if pair not in seen and estimate(sketches[pair[0]], sketches[pair[1]]) >= CANDIDATE_FROM:
                        seen.add(pair)
                        yield pair


def _neighbours(members: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield each pair of a small group. In a large group, yield each member only with the next few, which also connects all members."""
    reach = len(members) if len(members) <= _ALL_PAIRS else _REACH
    for at, first in enumerate(members):
        for second in members[at + 1 : at + 1 + reach]:
            yield first, second


_ALL_PAIRS = 50
_REACH = 20


def similar_groups(sketches: Mapping[int, bytes], similarity_of: Callable[[int, int], float]) -> list[tuple[int, ...]]:
    """Return groups of near duplicates, the largest first: each member is similar to another one of its group."""
    parents: dict[int, int] = {}

    def top(number: int) -> int:
        while parents.setdefault(number, number) != number:
            parents[number] = parents[parents[number]]
            number = parents[number]
        return number

    for first, second in candidates(sketches):
        if similarity_of(first, second) >= SIMILAR_FROM:
            a, b = sorted((top(first), top(second)))
            parents[b] = a
    groups: defaultdict[int, list[int]] = defaultdict(list)
    for number in sorted(parents):
        groups[top(number)].append(number)
    return sorted((tuple(members) for members in groups.values() if len(members) > 1), key=lambda members: (-len(members), members))
