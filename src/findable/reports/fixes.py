"""Order of fixes in pages, terminal, Markdown and PDF."""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from itertools import accumulate
from typing import TYPE_CHECKING

from msgspec import Struct

from findable.reports.projection import NextRating
from findable.reports.reported_finding import ReportedFinding
from findable.reports.scoring import UNFOUND, Cap, next_threshold
from findable.vocabulary import Effort, Importance

if TYPE_CHECKING:
    from findable.reports.report import Report

FIRST_FIXES = 3
"""Number of fixes on the first screen of a report."""
SHOWN = 5
"""Number of fixes in a summary, unless the way to the next rating has more."""
_IMPORTANCES = [importance.value for importance in Importance]


class Order(StrEnum):
    """Order of the fixes."""

    HARM = "harm"
    """Most harmful first; effort breaks ties."""
    QUICK = "quick"
    """Quick wins first: the cheapest way to the next rating, then by points per effort."""


def fixes_in_order(report: "Report", order: Order = Order.HARM) -> list[ReportedFinding]:
    """Return the problems and warnings of a report in the order, without accepted findings."""
    explained = report.explained
    way, harm = checks_to_next_rating(report), explained.fixes if explained else ()
    return in_order(report.findings, explained.caps if explained else (), order, way, harm)


def in_order(
    findings: Iterable[ReportedFinding], caps: Iterable[Cap], order: Order, way: Sequence[str] = (), harm: Sequence[str] = ()
) -> list[ReportedFinding]:
    """Return the problems and warnings among findings in the order.

    ``way`` contains the checks on the cheapest way to the next rating, ``harm`` those in the stored order of harm, which others follow.
    """
    places = {name: index for index, name in enumerate(harm)}
    cap_by_check = {check: cap.score for cap in reversed(list(caps)) for check in cap.checks}
    first = {name: index for index, name in enumerate(way)}

    def by_harm(finding: ReportedFinding) -> tuple[float, ...]:
        importance = _IMPORTANCES.index(finding.importance) if finding.importance in _IMPORTANCES else len(_IMPORTANCES)
        return (
            places.get(finding.id, len(places)),
            cap_by_check.get(finding.id, 100),
            -finding.lost,
            importance,
            finding.effort or Effort.CONTENT,
        )

    def by_effort(finding: ReportedFinding) -> tuple[float, ...]:
        return (first.get(finding.id, len(first)), -finding.lost / (finding.effort or Effort.CONTENT))

    place = by_harm if order is Order.HARM else by_effort
    return sorted((finding for finding in findings if finding.has_problem), key=lambda finding: (*place(finding), finding.id))


def first_fixes(report: "Report") -> list[ReportedFinding]:
    """Return the fixes that a summary lists: SHOWN, or more if the cheapest way to the next rating has more fixes.

    If the content of a page was not checked, return only the findings that prevented it.
    """
    findings = fixes_in_order(report)
    if is_unchecked(report):
        return [finding for finding in findings if report.effective_cap and finding.id in report.effective_cap.checks]
    return findings[: max(SHOWN, len(checks_to_next_rating(report)))]


def is_unchecked(report: "Report") -> bool:
    """Return whether the content was not checked because the page does not return its content."""
    held = report.effective_cap
    return held is not None and held.score == UNFOUND


def limiting_cap(report: "Report", finding: ReportedFinding) -> Cap | None:
    """Return the cap that other findings cause as well, so that the fix alone gains nothing; None if there is no such cap."""
    if finding.gain_alone != 0 or not report.explained:
        return None
    left = ((cap, tuple(name for name in cap.checks if name != finding.id)) for cap in report.explained.caps)
    return next((Cap(cap.score, checks) for cap, checks in left if checks and cap.score == report.score), None)


class FixGain(Struct, frozen=True):
    """Points that a score gains by one of the fixes made in order."""

    gain: int
    """Points after all fixes above it."""
    alone: int
    lost: float
    """Points that the finding costs by itself."""


def score_after_first(report: "Report") -> tuple[int, int]:
    """Return the score after the first fixes in the order of harm, and their number.

    Both numbers are 0 for a page that is good and not limited, without gains, and if the fixes are hidden from the reader.
    """
    held, is_listed = report.effective_cap, bool(report.explained and report.explained.fixes)
    findings = [one for one in fixes_in_order(report) if is_listed and one.gain is not None]
    of_limit = max((number for number, one in enumerate(findings, 1) if held and one.id in held.checks), default=0)
    return score_after_fixes(report.score or 0, [one.gain or 0 for one in findings], of_limit)


def score_after_fixes(score: int, gains: Sequence[int], of_limit: int) -> tuple[int, int]:
    """Return the score after the first fixes, and their number; both are 0 without a gain, and for a good score without a limit.

    The number is FIRST_FIXES, or ``of_limit`` if more fixes are needed to lift the limit of the score.
    """
    if not of_limit and next_threshold(score) is None:
        return 0, 0
    count = max(of_limit, min(FIRST_FIXES, len(gains)))
    after = score + sum(gains[:count])
    return (after, count) if after > score else (0, 0)


def fixes_to_next_rating(report: "Report") -> int:
    """Return the number of first fixes in the order of harm that reach the next rating; 0 if they do not, or if it is good already."""
    goal = None if report.score is None else next_threshold(report.score)
    if report.score is None or goal is None:
        return 0
    scores = accumulate((one.gain or 0 for one in fixes_in_order(report)), initial=report.score)
    return next((count for count, score in enumerate(scores) if score >= goal), 0)


def checks_to_next_rating(report: "Report") -> Sequence[str]:
    """Return the ids of the checks whose fixes are the cheapest way to the next rating.

    Empty for a good page, and for a page that these fixes cannot lift.
    """
    return report.next_rating.checks if report.next_rating else ()


def cheaper_way(report: "Report") -> NextRating | None:
    """Return the cheapest way to the next rating if it differs from the first fixes in the order of harm."""
    way = report.next_rating
    first = [one.id for one in fixes_in_order(report)[: fixes_to_next_rating(report)]]
    return way if way and set(way.checks) != set(first) else None
