"""Accepted findings of pages: of one report, or of all reports of a project whose URLs match a pattern."""

from findable.checks.engine import all_checks
from findable.errors import NotFound, ValidationFailed
from findable.reports.analysis import can_be_rescored
from findable.reports.reported_finding import AGAINST, ReportedFinding
from findable.reports.url_patterns import matches
from findable.service.accounts.permissions import require
from findable.service.reports.compared_run import report_of_run, shown_run
from findable.service.reports.owned_reports import owned_report, view_with_results
from findable.service.reports.report_access import REPORTS
from findable.service.reports.save_run import rescore_shown_run
from findable.service.results.acceptances import accept_finding, reopen_finding, valid_columns
from findable.service.results.shareable import matching_row
from findable.service.runtime.service import Service
from findable.service.values.caller import WRITE, Caller
from findable.service.values.report_values import NewAcceptance, ReportView, Scope
from findable.store.rows import ReportRow
from findable.store.store_protocol import Session
from findable.wording import Message, later

_TOO_MANY = later("A project has at most %(most)s accepted findings by pattern.")


def accept(service: Service, caller: Caller, report_id: int, check: str, new: NewAcceptance, if_match: str | None = None) -> ReportView:
    """Accept a finding of the current run, or change its reason and end date.

    For a single report, the evidence is stored: with other evidence the finding is reported again. Raises NotFound (report, check),
    ValidationFailed (all fields at once), PreconditionFailed.
    """
    require(caller, WRITE)
    _require_check(check)
    with service.store.write() as session:
        row = matching_row(service, session, caller, report_id, if_match, REPORTS)
        held = _stored_finding(session, row, check)
        columns = valid_columns(new, session.moment) | {"check_name": check, "report_id": row.id, "finding_key": held.key}
        if new.scope is Scope.PROJECT:
            if not matches(columns["pattern"], _final_url(session, row)):
                raise ValidationFailed({"pattern": [later("The pattern must match the URL of this report.")]})
            columns |= {"report_id": None, "finding_key": ""}
        # there is at most one per check and report, or per check and pattern
        place = (columns["report_id"], check, columns["pattern"])
        replaced = [one for one in session.acceptances.of_report(row) if (one.report_id, one.check_name, one.pattern) == place]
        accept_finding(session, caller, row, columns, replaced, _TOO_MANY)
        rescore_shown_run(session, row)
        return view_with_results(service, session, owned_report(session, caller, report_id))


def withdraw(
    service: Service, caller: Caller, report_id: int, check: str, scope: Scope | None = None, if_match: str | None = None
) -> ReportView:
    """Withdraw acceptances for this report, for patterns that match its URL, or both.

    Raises NotFound (report, check, nothing accepted), PreconditionFailed.
    """
    require(caller, WRITE)
    _require_check(check)
    with service.store.write() as session:
        row = matching_row(service, session, caller, report_id, if_match, REPORTS)
        address = _final_url(session, row)
        found = [one for one in session.acceptances.of_report(row) if one.check_name == check and matches(one.pattern, address)]
        if scope is not None:
            found = [one for one in found if (one.report_id is None) is (scope is Scope.PROJECT)]
        reopen_finding(session, caller, row, found, check=check)
        rescore_shown_run(session, row)
        return view_with_results(service, session, owned_report(session, caller, report_id))


def _require_check(check: str) -> None:
    if check not in all_checks():
        raise NotFound("There is no such check.")


def _final_url(session: Session, row: ReportRow) -> str:
    """Return the final URL of the shown run, to compare patterns with."""
    report = report_of_run(session, shown_run(session, row))
    return row.url if report is None else report.url


def _stored_finding(session: Session, row: ReportRow, check: str) -> ReportedFinding:
    """Return the stored finding. Raises ValidationFailed if there is nothing to accept."""
    report = report_of_run(session, shown_run(session, row))
    if report is None:
        raise ValidationFailed({"check": [later("The report has no result yet.")]})
    if not can_be_rescored(report):
        ruleset = report.engine.ruleset
        told = Message(later("The report was scored under the older ruleset %(ruleset)s: regenerate it first."), ruleset=ruleset)
        raise ValidationFailed({"check": [told]})
    finding = report.finding(check)
    if finding is not None and finding.verdict in AGAINST:
        return finding
    raise ValidationFailed({"check": [Message(later("%(check)s reports no problem."), check=check)]})
