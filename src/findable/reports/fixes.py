"""Order of fixes in page, terminal, Markdown and PDF."""

from collections.abc import Sequence

from findable.reports.report import Report
from findable.reports.reported_finding import ReportedFinding
from findable.vocabulary import Effort

SHOWN = 5
"""Number of fixes in a summary, unless the way to the next rating has more."""


def fixes_in_order(report: Report) -> list[ReportedFinding]:
    """Return the problems and warnings: first the cheapest way to the next rating, then by points per effort.

    Accepted findings are left out.
    """
    order = {name: index for index, name in enumerate(way_to_next_rating(report))}

    def place(finding: ReportedFinding) -> tuple[int, float, str]:
        return (order.get(finding.id, len(order)), -finding.lost / (finding.effort or Effort.CONTENT), finding.id)

    return sorted((finding for finding in report.findings if finding.is_against), key=place)


def first_fixes(report: Report) -> list[ReportedFinding]:
    """Return the fixes of a summary."""
    return fixes_in_order(report)[: max(SHOWN, len(way_to_next_rating(report)))]


def way_to_next_rating(report: Report) -> Sequence[str]:
    """The checks on the cheapest way there; none for a good page and one that no fixes named here can lift."""
    return report.next_rating.checks if report.next_rating else ()
