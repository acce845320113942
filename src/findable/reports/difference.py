"""Difference of two results of one subject: the only definition of new, worse, better, fixed, returned, still, and of comparable.

The findings of a page are compared by check, those of a site by the key of their cause. Both are given as a mapping from these keys to
what a result says about them (`Judged`).
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from msgspec import Struct, structs

from findable.artifacts.registry import ancestors_of
from findable.capture.root import ROOTS
from findable.checks.engine import Check, find_check
from findable.reports.reported_finding import AGAINST, ComparableFinding
from findable.vocabulary import Code, Profile, Source, Verdict
from findable.wording import later

if TYPE_CHECKING:
    from findable.reports.report import Report

MIN_PAGES, PAGES_SHARE = 3, 0.2
"""Number of pages, and share of the larger number, from which more or fewer pages of a cause are worse or better (set by Findable)."""
STATUS_CHECK = "http-status"
"""Check whose failure means that the content of the page was not judged."""
_NO_FAULT = (Verdict.PASSED, Verdict.INFO, Verdict.INAPPLICABLE)


class NotComparable(Code):
    """Reason why a result cannot be compared with an earlier one."""

    NO_EARLIER = "no_earlier", later("there is no earlier result")
    BEFORE_INCOMPLETE = "before_incomplete", later("the earlier result is not complete")
    AFTER_INCOMPLETE = "after_incomplete", later("this result is not complete")
    BEFORE_AWAY = "before_away", later("the page or site was not available then")
    """The earlier response was an error, or the crawl found no page, so that nothing was judged, and this time it was."""
    OTHER_SETTINGS = "other_settings", later("the two results cover different parts of the site")
    OTHER_SOURCES = "other_sources", later("the two results come from different sources: without a browser, with one, or from a crawl")
    IMPORTED = "imported", later("a result was imported from another program, without findings")
    OTHER_RULESET = "other_ruleset", later("the two results were scored under different rulesets")


class Basis(Struct, frozen=True):
    """Basis of the findings of a result. It decides with which other results they can be compared."""

    ruleset: str
    is_complete: bool = True
    """Whether there is a rating: of a page that was loaded, or of a crawl with pages that ended by itself or at one of its limits."""
    is_away: bool = False
    """Whether the response was an error, so that the content was not judged."""
    rendering: str = ""
    """Profile of a page's result; choice of the pages of a crawl that a browser loads, empty for none."""
    part: object = None
    """Part of the site that a crawl covers; None for a page."""


def basis_of_page(ruleset: str, sources: Collection[Source], score: float | None, status_verdict: Verdict | None) -> Basis:
    """Return the basis of a page's result. ``status_verdict`` is the verdict of STATUS_CHECK; None if it did not run."""
    return Basis(ruleset, is_complete=score is not None, is_away=status_verdict is Verdict.FAILED, rendering=Profile.for_sources(sources))


def basis_of_report(report: "Report") -> Basis:
    """Return the basis of a page report."""
    status = report.finding(STATUS_CHECK)
    return basis_of_page(report.engine.ruleset, report.engine.sources, report.score, status.verdict if status else None)


def comparable(before: Basis | None, after: Basis) -> NotComparable | None:
    """Return the reason why a result cannot be compared with an earlier one; None if it can.

    The earlier result must have judged what this one judges: a page that was away is compared only while it is still away, so that nothing
    is new when it returns. A changed ruleset is no change of the page or site.
    """
    if before is None:
        return NotComparable.NO_EARLIER
    reasons = {
        NotComparable.BEFORE_INCOMPLETE: not before.is_complete,
        NotComparable.AFTER_INCOMPLETE: not after.is_complete,
        NotComparable.OTHER_SETTINGS: before.part != after.part,
        NotComparable.BEFORE_AWAY: before.is_away and not after.is_away,
        NotComparable.OTHER_SOURCES: before.rendering != after.rendering,
        NotComparable.OTHER_RULESET: before.ruleset != after.ruleset,
    }
    return next((reason for reason, holds in reasons.items() if holds), None)


class Judged(Struct, frozen=True):
    """Statement of a result about one check of a page, or about one cause of a site."""

    verdict: Verdict | None
    """Failed, warned, or passed if there is no fault; None if it was not judged."""
    pages_count: int = 1
    is_accepted: bool = False

    @property
    def has_problem(self) -> bool:
        """Whether there is a problem or warning that is not accepted."""
        return self.verdict in AGAINST and not self.is_accepted


NOT_JUDGED = Judged(None)
_RISEN = ("new", "returned", "worse")


_KINDS = ("new", "fixed", "returned", "still", "worse", "better", "not_judged")
FindingT = TypeVar("FindingT")


class ByChange(Struct, Generic[FindingT], frozen=True):
    """Problems and warnings of two results by their change, each in at most one list."""

    new: tuple[FindingT, ...] = ()
    """Problems and warnings that never occurred before."""
    worse: tuple[FindingT, ...] = ()
    """Warnings that became problems, and causes with more pages (MIN_PAGES, PAGES_SHARE)."""
    better: tuple[FindingT, ...] = ()
    """Problems that became warnings, and causes with fewer pages."""
    fixed: tuple[FindingT, ...] = ()
    """Problems and warnings without a fault now. An accepted finding is not fixed."""
    returned: tuple[FindingT, ...] = ()
    """Problems and warnings that were absent before, but occurred earlier or were accepted."""
    still: tuple[FindingT, ...] = ()
    """Problems and warnings of both results; empty for a site, which only counts them."""
    not_judged: tuple[FindingT, ...] = ()
    """Problems and warnings of one result that the other did not judge: neither new nor fixed."""

    @property
    def risen(self) -> tuple[FindingT, ...]:
        """Findings that are worse than before: new, returned and worse ones."""
        return (*self.new, *self.returned, *self.worse)

    def lists(self, converted: Callable[[FindingT], Any]) -> dict[str, Any]:
        """Return the lists by name, with every finding converted."""
        return {name: tuple(map(converted, getattr(self, name))) for name in _KINDS}


class Difference(ByChange[str], frozen=True):
    """Keys of the problems and warnings of two results by their change."""

    problems: tuple[str, ...] = ()
    """Keys of those of the new, returned and worse findings that are problems and were none before."""


def difference(before: Mapping[str, Judged], after: Mapping[str, Judged], known: Collection[str] = ()) -> Difference:
    """Return how the findings changed from one result to the next. A key that a mapping lacks was not judged.

    Args:
        before: what the earlier result says, by check or cause.
        after: what this result says.
        known: keys of findings that occurred before the earlier result.
    """
    lists: dict[str, list[str]] = {name: [] for name in Difference.__struct_fields__}
    for key in dict.fromkeys([*after, *before]):
        was, now = before.get(key, NOT_JUDGED), after.get(key, NOT_JUDGED)
        kind = _kind(was, now, is_known=key in known)
        if kind:
            lists[kind].append(key)
        if kind in _RISEN and now.verdict is Verdict.FAILED and not (was.has_problem and was.verdict is Verdict.FAILED):
            lists["problems"].append(key)
    return Difference(**{name: tuple(keys) for name, keys in lists.items()})


def _kind(was: Judged, now: Judged, *, is_known: bool) -> str:
    """Return the name of the list to which a finding belongs; empty for none."""
    if not (was.has_problem or now.has_problem):
        return ""
    if was.verdict is None or now.verdict is None:
        return "not_judged"
    if not now.has_problem:
        return "" if now.is_accepted else "fixed"
    if not was.has_problem:
        return "returned" if is_known or was.is_accepted else "new"
    if was.verdict is not now.verdict:
        return "worse" if now.verdict is Verdict.FAILED else "better"
    moved = now.pages_count - was.pages_count
    if abs(moved) < max(MIN_PAGES, PAGES_SHARE * max(now.pages_count, was.pages_count)):
        return "still"
    return "worse" if moved > 0 else "better"


def is_worse(problems: Collection[str], score_before: int, score: int) -> bool:
    """Return whether a result is worse than the comparable earlier one: a problem is new or was a warning, or the score is lower.

    Args:
        problems: keys of the failed findings among the risen ones.
        score_before: score of the earlier result.
        score: score of the newer result.
    """
    return bool(problems) or score < score_before


def judged_page(findings: Iterable[ComparableFinding], *, not_for_search: bool = False) -> dict[str, Judged]:
    """Return what the result of a page says about each check that ran.

    An inapplicable check judged that the page has no fault of its kind, because the page has no subject for it, such as no images. It was
    not judged if the page is an error page, if a check that it depends on did not pass, or if another check covers it.
    """
    by_check = {finding.id: finding for finding in findings}
    status = by_check.get(STATUS_CHECK)
    is_away = status is not None and status.verdict is Verdict.FAILED
    found: dict[str, Judged] = {}
    for check, finding in by_check.items():
        verdict = finding.verdict if finding.verdict in AGAINST else Verdict.PASSED if finding.verdict in _NO_FAULT else None
        if finding.verdict is Verdict.INAPPLICABLE and (is_away or _is_held(finding, by_check, not_for_search=not_for_search)):
            verdict = None
        found[check] = Judged(verdict, is_accepted=finding.accepted is not None)
    return found


def _is_held(finding: ComparableFinding, by_check: Mapping[str, ComparableFinding], *, not_for_search: bool) -> bool:
    """Return whether an inapplicable check was not judged, because of another check or because the page is not meant for search."""
    if "check" in finding.params:
        return True
    check = find_check(finding.id)
    if check is None:
        return False
    parents = (by_check.get(parent) for parent in check.depends_on)
    return (not_for_search and check.indexing_only) or any(
        parent is not None and parent.verdict in (Verdict.FAILED, Verdict.UNKNOWN) for parent in parents
    )


def page_difference(before: "Report", after: "Report", earlier: "Iterable[Report]" = ()) -> Difference:
    """Return the difference of two reports of a page; what they checked from different sources is not judged.

    Args:
        before: the earlier report.
        after: the newer report.
        earlier: reports before the earlier one, whose findings are known.
    """
    known = {finding.id for report in earlier for finding in report.findings if finding.verdict in AGAINST}
    old, new = (judged_page(report.findings, not_for_search=report.not_for_search) for report in (before, after))
    same = before.engine.ruleset == after.engine.ruleset
    for check in old.keys() | new.keys():
        if not same or sources_used(check, before.engine.sources) != sources_used(check, after.engine.sources):
            old[check] = structs.replace(old.get(check, NOT_JUDGED), verdict=None)
    return difference(old, new, known)


def sources_used(check_id: str, sources: Collection[Source]) -> frozenset[Source]:
    """Return those of the sources that a check reads, also optionally; empty if the check was removed."""
    check = find_check(check_id)
    return frozenset() if check is None else frozenset(sources) & sources_read(check)


@cache
def sources_read(check: Check) -> frozenset[Source]:
    """Return the sources that a check reads, required or not."""
    kinds = frozenset().union(*(ancestors_of(parameter.kind) for parameter in check.parameters))
    return frozenset(ROOTS[kind].source for kind in kinds if kind in ROOTS)
