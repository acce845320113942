"""Findings of all projects by check: the number of reports with a verdict, and these reports."""

from msgspec import Struct
from msgspec.structs import replace

from findable.checks.engine import all_checks
from findable.errors import ValidationFailed
from findable.reports.project_report import estimated_points
from findable.reports.reported_finding import AGAINST
from findable.service.accounts.permissions import require
from findable.service.reports import reports
from findable.service.runtime.service import Service
from findable.service.values.caller import READ, Caller
from findable.service.values.paging import Page
from findable.service.values.report_values import ReportQuery, ReportView
from findable.store.finding_queries import InProject
from findable.vocabulary import Verdict

COUNTED = 1000
"""Limit for counting the reports that fail a check, when all checks are counted."""
COUNTED_IN_PROJECTS = 2_000
NAMED = (Verdict.FAILED, Verdict.WARNED, Verdict.UNKNOWN, Verdict.INFO, Verdict.INAPPLICABLE)
"""Verdicts that are stored per check; a report without one of them passed."""


class CheckCount(Struct, frozen=True):
    """Check with its number of reports that currently have the verdict."""

    check: str
    reports: int
    is_more: bool
    """Whether the count reached its limit."""


class ReportsWithVerdict(Struct, frozen=True):
    """Reports with a verdict on a check."""

    reports: Page[ReportView]
    projects: tuple[InProject, ...]
    is_part: bool
    """Whether only the newest COUNTED_IN_PROJECTS reports were counted per project."""


def checks(service: Service, caller: Caller, verdict: Verdict) -> tuple[CheckCount, ...]:
    """Return checks with their number of reports with the verdict: the most harmful first, by the points that all reports lose.

    Raises ValidationFailed for a verdict that is not counted.
    """
    require(caller, READ)
    _require_named(verdict)
    with service.store.read() as session:
        found = session.findings.failing(caller.account_id, verdict, COUNTED + 1, caller.only_projects_of)
    known = all_checks().keys() if verdict in AGAINST else ()
    costs = {one.check: one.reports * estimated_points(one.check, verdict) for one in found if one.check in known}
    ordered = sorted(found, key=lambda one: (-costs.get(one.check, 0), -one.reports, one.check))
    return tuple(CheckCount(one.check, min(one.reports, COUNTED), one.reports > COUNTED) for one in ordered)


def find_reports(service: Service, caller: Caller, query: ReportQuery) -> ReportsWithVerdict:
    """Return the reports with a verdict on a check, in all projects or one. Raises ValidationFailed."""
    page = reports.find(service, caller, replace(query, pages_only=True))
    if query.verdict is None:
        raise ValidationFailed({"verdict": ["The verdict field is required."]})
    _require_named(query.verdict)
    with service.store.read() as session:
        rows = session.findings.by_project(caller.account_id, query.check, query.verdict, COUNTED_IN_PROJECTS + 1, caller.only_projects_of)
    return ReportsWithVerdict(page, tuple(rows), sum(row.reports for row in rows) > COUNTED_IN_PROJECTS)


def _require_named(verdict: Verdict) -> None:
    if verdict not in NAMED:
        raise ValidationFailed({"verdict": [f"The selected verdict is invalid; allowed: {', '.join(NAMED)}."]})
