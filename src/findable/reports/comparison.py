"""What changed between two runs of one page: findings by key."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

AGAINST = ("failed", "warned")

Findings = Iterable[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Findings held against the page, by what became of them. One check stands in one list only."""

    new: Sequence[Mapping[str, Any]]
    """Held now and not before, or worse than before."""
    fixed: Sequence[Mapping[str, Any]]
    """Held before and no longer."""
    still: Sequence[Mapping[str, Any]]
    """Held both times."""
    returned: Sequence[Mapping[str, Any]] = ()
    """Held now, not before, but in an earlier run: only where earlier runs were given."""


def compare(before: Findings, after: Findings, earlier: Iterable[Findings] = ()) -> Comparison:
    """Compares by check: a check that is held against the page in both runs is *still* there, unless it got worse."""
    old = {finding["id"]: finding for finding in before}
    now = {finding["id"]: finding for finding in after}
    once = {finding["id"] for run in earlier for finding in run if _held(finding)}
    new, fixed, still, returned = [], [], [], []
    for check_id, finding in now.items():
        was = old.get(check_id)
        if not _held(finding):
            if was is not None and _held(was) and finding["verdict"] != "unknown":
                fixed.append(was)
        elif was is not None and _held(was) and (was["verdict"] == finding["verdict"] or was["verdict"] == "failed"):
            still.append(finding)
        elif check_id in once and not (was is not None and _held(was)):
            returned.append(finding)
        else:
            new.append(finding)
    return Comparison(new, fixed, still, returned)


def _held(finding: Mapping[str, Any]) -> bool:
    return finding["verdict"] in AGAINST and not finding.get("accepted")
