"""Verdicts of all checks of a page as one byte per check."""

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from itertools import compress

from findable.checks.engine import Result, all_checks
from findable.crawl.varints import pack, unpack
from findable.reports.reported_finding import AGAINST
from findable.vocabulary import Verdict

_VERDICTS = (None, *Verdict)
"""Verdicts by their byte; 0 means that the check did not run."""
VERDICT_BYTES = {verdict: _VERDICTS.index(verdict) for verdict in Verdict}
_ONLY = {verdict: bytes(at == byte for at in range(256)) for verdict, byte in VERDICT_BYTES.items()}
"""Tables that translate packed verdicts to 1 for one verdict and 0 for all others."""


@cache
def all_check_ids() -> tuple[str, ...]:
    """Return the ids of all checks in the order of the bytes of `PageRecord.verdicts`."""
    return tuple(all_checks())


def pack_in_order(verdicts: Mapping[str, Verdict], names: tuple[str, ...]) -> bytes:
    """Return verdicts as one byte per check, in the order of ``names``."""
    codes = {name: VERDICT_BYTES[verdict] for name, verdict in verdicts.items()}
    return bytes(codes.get(name, 0) for name in names)


def pack_verdicts(results: Iterable[Result]) -> bytes:
    """Return the verdicts of results as one byte per check, in the order of `all_check_ids`."""
    return pack_in_order({result.check.id: result.finding.verdict for result in results}, all_check_ids())


def has_problem(data: bytes, place: int) -> bool:
    """Return whether the check at that position of `all_check_ids` failed or warned."""
    return place < len(data) and _VERDICTS[data[place]] in AGAINST


def verdict_at(data: bytes, place: int) -> Verdict | None:
    """Return the verdict of the check at that position; None if it did not run."""
    return _VERDICTS[data[place]] if place < len(data) else None


def names_with(verdict: Verdict, data: bytes, names: tuple[str, ...]) -> list[str]:
    """Return the sorted ids of the checks with a verdict; ``names`` as for `unpack_verdicts`."""
    return sorted(compress(names, data.translate(_ONLY[verdict])))


def unpack_verdicts(data: bytes, names: tuple[str, ...]) -> Mapping[str, Verdict]:
    """Return verdicts by check id; ``names`` is the result of `all_check_ids` when they were packed."""
    return {name: verdict for name, byte in zip(names, data, strict=False) if (verdict := _VERDICTS[byte]) is not None}


def pack_verdict_pairs(verdicts: Mapping[str, Verdict], names: tuple[str, ...]) -> bytes:
    """Return the verdicts of a few checks as pairs of position in ``names`` and byte."""
    places = _places_of(names)
    return pack(number for name, verdict in verdicts.items() if name in places for number in (places[name], VERDICT_BYTES[verdict]))


@lru_cache(maxsize=4)
def _places_of(names: tuple[str, ...]) -> Mapping[str, int]:
    return {name: place for place, name in enumerate(names)}


def update_verdicts(data: bytes, changes: bytes | None) -> bytes:
    """Return the bytes of `pack_verdicts` updated with those of `pack_verdict_pairs`."""
    if not changes:
        return data
    numbers = unpack(changes)
    found = bytearray(data.ljust(max(numbers[::2]) + 1, b"\0"))
    for place, byte in zip(numbers[::2], numbers[1::2], strict=True):
        found[place] = byte
    return bytes(found)
