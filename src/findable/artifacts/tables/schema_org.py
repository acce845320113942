"""Vocabulary of schema.org: names, and the types of values of properties. Dated data: data/schema_org.json has release and source."""

from collections.abc import Mapping
from functools import cache, lru_cache

from msgspec import Struct

from findable.artifacts.tables.table_file import read_table

MIN_NAME_CHARS = 5
"""Minimum length of names that are compared; shorter names too often differ from each other by one letter."""
MAX_NAME_CHARS = 60


class _Currencies(Struct, frozen=True):
    codes: frozenset[str]


class Vocabulary(Struct, frozen=True):
    """Names of schema.org, including pending and retired ones."""

    types: frozenset[str]
    properties: frozenset[str]
    members: frozenset[str]
    """Members of enumerations."""
    earlier: frozenset[str]
    """Names of earlier releases."""
    dates: frozenset[str]
    """Properties that take only dates, with or without a time."""
    times: frozenset[str]
    durations: frozenset[str]
    numbers: frozenset[str]
    urls: frozenset[str]
    """Properties that take only URLs or objects."""
    enumerations: Mapping[str, frozenset[str]]
    """Properties that take only members of an enumeration, with the members."""

    @property
    def by_lower_case(self) -> Mapping[str, frozenset[str]]:
        """Names by their lower-case form."""
        return _lower_case_names()

    def is_other_name(self, name: str) -> bool:
        """Return whether the name is a member of an enumeration or a name of an earlier release."""
        return name in self.members or name in self.earlier

    def similar_types(self, name: str) -> tuple[str, ...]:
        """Return the types that differ by one letter from an unknown one."""
        return () if self.is_other_name(name) or name in self.properties else _one_letter_off(name, is_type=True)

    def similar_properties(self, name: str) -> tuple[str, ...]:
        """Return the properties that differ by one letter from an unknown one."""
        return () if self.is_other_name(name) or name in self.types else _one_letter_off(name, is_type=False)


@cache
def vocabulary() -> Vocabulary:
    """Return the vocabulary; the file is read once."""
    return read_table("schema_org", Vocabulary)


@cache
def currency_codes() -> frozenset[str]:
    """Return the codes of ISO 4217, including historic ones."""
    return read_table("currencies", _Currencies).codes


@cache
def _lower_case_names() -> Mapping[str, frozenset[str]]:
    known = vocabulary()
    found: dict[str, set[str]] = {}
    for name in (*known.types, *known.properties, *known.members, *known.earlier):
        found.setdefault(name.lower(), set()).add(name)
    return {lower: frozenset(names) for lower, names in found.items()}


@lru_cache(maxsize=1024)
def _one_letter_off(name: str, *, is_type: bool) -> tuple[str, ...]:
    known = vocabulary().types if is_type else vocabulary().properties
    if name in known or not MIN_NAME_CHARS <= len(name) <= MAX_NAME_CHARS or not (name.isascii() and name.isalpha()):
        return ()
    near = (other for other in known if abs(len(other) - len(name)) <= 1 and _differs_by_one(name, other))
    return tuple(sorted(near, key=lambda other: (len(other) == len(name), other)))


def _differs_by_one(one: str, other: str) -> bool:
    """Return whether a letter was added, dropped or changed, or two neighbours swapped."""
    if len(one) > len(other):
        one, other = other, one
    at = next((index for index, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(one))
    if len(one) < len(other):
        return one[at:] == other[at + 1 :]
    return one[at + 1 :] == other[at + 1 :] or (one[at : at + 2] == other[at : at + 2][::-1] and one[at + 2 :] == other[at + 2 :])
