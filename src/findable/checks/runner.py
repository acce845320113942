"""Run checks with the artifacts that their parameters declare, and collect their findings."""

import logging
from collections.abc import Mapping
from functools import cache, lru_cache

from msgspec.structs import replace

from findable.artifacts.html.markup import Markup
from findable.artifacts.page.early_head_end import EarlyHeadEnd
from findable.artifacts.page.page_kind import DeterminedKind
from findable.artifacts.page.refresh import Refreshes
from findable.artifacts.registry import Absent, Artifacts, ancestors_of
from findable.checks.engine import Check, Finding, Result, inapplicable, unknown
from findable.checks.page_fix import FixPlace
from findable.vocabulary import Verdict

log = logging.getLogger("findable.checks")
_PASSED = Verdict.PASSED
"""Constant for fast access."""


def run(
    artifacts: Artifacts, checks: tuple[Check, ...], *, earlier: Mapping[str, Finding] | None = None, not_for_search: bool = False
) -> list[Result]:
    """Run the checks and return their results. An exception in a check is logged and its finding is unknown; the others still run.

    Args:
        artifacts: artifacts for the checks.
        checks: usually those that are `runnable_checks`.
        earlier: earlier findings by check id, for checks that depend on them.
        not_for_search: whether the page is not meant for search.
    """
    findings: dict[str, Finding] = dict(earlier or {})
    refreshes = artifacts.get_or_none(Refreshes)
    target = refreshes.redirect_url if refreshes else ""
    for item in _parents_first(checks):
        if target and _reads_markup(item):
            findings[item.id] = inapplicable("The page redirects to {url} by a refresh of 0 seconds", url=target)
        else:
            findings[item.id] = _run_check(item, artifacts, findings, not_for_search=not_for_search)
    return [Result(item, findings[item.id]) for item in checks]


@cache
def _reads_markup(item: Check) -> bool:
    """Return whether a check requires something that is read from the markup of the page, apart from its refreshes."""
    required = (reading.kind for reading in item.parameters if not reading.optional and reading.kind is not Refreshes)
    return any(Markup in ancestors_of(kind) for kind in required)


@lru_cache(maxsize=64)
def _parents_first(checks: tuple[Check, ...]) -> tuple[Check, ...]:
    by_id = {item.id: item for item in checks}
    done: dict[str, Check] = {}

    def visit(item: Check) -> None:
        if item.id in done:
            return
        for parent in item.depends_on:
            if parent in by_id:
                visit(by_id[parent])
        done[item.id] = item

    for item in checks:
        visit(item)
    return tuple(done.values())


def _run_check(item: Check, artifacts: Artifacts, findings: Mapping[str, Finding], *, not_for_search: bool) -> Finding:
    if not_for_search and item.indexing_only:
        return inapplicable("the page is marked as not meant for search")
    for parent in item.depends_on:
        if parent in findings and (held := _dependent_finding(parent, findings[parent])):
            return held
    try:
        values = artifacts.arguments(item.parameters)
        if isinstance(values, Absent):
            return Finding(values.verdict, values.reason, values.params)
        if reason := next((reason for name in _limiting_parameters(item) if (reason := values[name].inapplicable_reason)), ""):
            return inapplicable(reason)
        finding = item.function(**values)
        if (
            finding.verdict is _PASSED
            and not item.accepts_partial_input
            and (partial := _cuttable_parameters(item))
            and any(getattr(values[name], "is_cut", False) for name in partial)
        ):
            return unknown(
                "not known: the page has more of these than are read; no fault in those that were read", evidence=finding.evidence
            )
        return _costing_on_kind(item, _without_lost_code(finding, artifacts), artifacts)
    except Exception:
        log.exception("check_failed", extra={"check": item.id})
        return unknown("the check crashed on this page: a bug in Findable, not a problem with the page")


def _without_lost_code(finding: Finding, artifacts: Artifacts) -> Finding:
    """Return the finding without code for the end of the head, if an element ends the head before: the code would be in the body."""
    if not finding.offered_fixes or not ((early_end := artifacts.get_or_none(EarlyHeadEnd)) and early_end.is_in_head):
        return finding
    left = (fix for fix in finding.offered_fixes if fix is not None and fix.place is not FixPlace.HEAD)
    return replace(finding, offered_fixes=left)


def _costing_on_kind(item: Check, finding: Finding, artifacts: Artifacts) -> Finding:
    """Return the finding with the part of its cost that counts on this kind of page."""
    if not item.kind_percents or finding.verdict is not Verdict.WARNED or finding.fault:
        return finding
    kind = artifacts.get_or_none(DeterminedKind)
    percent = item.kind_percents.get(kind.kind, 100) if kind else 100
    return replace(finding, share_percent=max(1, finding.share_percent * percent // 100))


@cache
def _cuttable_parameters(item: Check) -> tuple[str, ...]:
    """Return the names of a check's parameters whose artifacts may be incomplete."""
    return tuple(reading.name for reading in item.parameters if hasattr(reading.kind, "is_cut"))


@cache
def _limiting_parameters(item: Check) -> tuple[str, ...]:
    """Return the names of a check's required parameters whose artifacts may give a reason why the check does not apply."""
    return tuple(reading.name for reading in item.parameters if not reading.optional and hasattr(reading.kind, "inapplicable_reason"))


def _dependent_finding(parent: str, finding: Finding) -> Finding | None:
    if finding.verdict is Verdict.FAILED:
        return inapplicable("depends on “{check}”, which failed", check=parent)
    if finding.verdict in (Verdict.UNKNOWN, Verdict.INAPPLICABLE):
        return Finding(finding.verdict, finding.message, finding.params)
    return None
