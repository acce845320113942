"""Verdicts of a page, and how two sets of them differ."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from findable.artifacts.registry import gather
from findable.checks.engine import Result, all_checks, runnable_checks
from findable.checks.runner import run
from findable.vocabulary import Stage
from tests.mutations.draft import Draft
from tests.mutations.fault import FAULTS, Fault
from tests.mutations.world import captured, site

Results = Mapping[str, Result]
SILENT = frozenset({"inapplicable", "unknown"})


def judged(html: str | bytes, keywords: Mapping[str, Any]) -> Results:
    """The result of every check by id, but those in preview without a fault: one is owed when a check becomes stable."""
    made = gather(*captured(html, keywords).roots)
    planted = _planted()
    results = run(made, runnable_checks(made.sources))
    return {result.check.id: result for result in results if result.check.stage is not Stage.PREVIEW or result.check.id in planted}


@cache
def _planted() -> frozenset[str]:
    return frozenset(name for fault in FAULTS.values() for name in (*fault.finds, *fault.notes))


@cache
def unharmed(name: str) -> Results:
    """The results of one of the ten pages as it is."""
    page = site(name)
    return judged(page.html, page.keywords)


def verdicts(results: Results) -> dict[str, str]:
    """The verdicts as words, by check."""
    return {name: result.finding.verdict.value for name, result in results.items()}


@cache
def _parents(name: str) -> frozenset[str]:
    """All checks that one depends on, by declaration, directly or not."""
    after = all_checks()[name].depends_on
    return frozenset(after).union(*(_parents(parent) for parent in after))


def _told(result: Result) -> object:
    return result.finding.message, result.finding.params, result.finding.evidence


def surprises(fault: Fault, before: Results, after: Results) -> dict[str, str]:
    """Where the difference is not exactly as declared: check and what happened to it."""
    return {name: text for name in before if (text := _surprise(fault, before[name], after[name]))}


def _surprise(fault: Fault, before: Result, after: Result) -> str:
    name, old, new = before.check.id, before.finding.verdict.value, after.finding.verdict.value
    if name in fault.finds:
        return "" if new == fault.finds[name] != old else f"declared: {fault.finds[name]}; was {old}, is {new}"
    if name in fault.notes:
        return "" if new == old and _told(before) != _told(after) else f"declared: another message; was {old}, is {new}"
    return "" if old == new or _is_dependent(fault, name, old, new) else f"was {old}, is {new}: {after.finding.message}"


def _is_dependent(fault: Fault, name: str, old: str, new: str) -> bool:
    """Whether a change that was not declared follows from what was."""
    if name in fault.opens and (old, new) == ("inapplicable", "passed"):
        return True
    if name in fault.closes:
        return new == "inapplicable"
    return new in SILENT and (fault.hides_page or not _parents(name).isdisjoint({*fault.finds, *fault.closes}))


def harmed(fault: Fault, name: str) -> Draft:
    """One of the ten pages with that fault."""
    draft = Draft(site(name))
    fault.change(draft)
    return draft
