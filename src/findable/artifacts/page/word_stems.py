"""Words that differ only by a short ending."""

from collections.abc import Collection
from collections.abc import Set as AbstractSet

STEM_CHARS = 4
"""Minimum length of a word that counts as the same as a longer word beginning with it."""
SUFFIX_CHARS = 3


def share_stem(some: Collection[str], others: AbstractSet[str]) -> bool:
    """Return whether a word of the one has the `same_stem` as a word of the other."""
    if not others.isdisjoint(some):
        return True
    beginnings = {word[:STEM_CHARS] for word in some}
    likely = [other for other in others if other[:STEM_CHARS] in beginnings]
    return any(same_stem(word, other) for word in some for other in likely)


def same_stem(one: str, other: str) -> bool:
    """Return whether two words are equal or differ only by a short ending: shoe and shoes, Rad and Rads."""
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    return len(short) >= STEM_CHARS and len(long) - len(short) <= SUFFIX_CHARS and long.startswith(short)
