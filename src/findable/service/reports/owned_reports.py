"""Access of use cases to a report."""

from findable.errors import require_found
from findable.reports.report import Report
from findable.service.reports.compared_run import ComparedRun, comparable_before, shown_run
from findable.service.reports.report_views import as_of_run, report_view, with_report
from findable.service.results.shareable import require_owned
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.report_values import ReportView
from findable.store.rows import ReportRow, RunRow
from findable.store.store_protocol import Session

MAX_RUN = 2**31


def owned_report(session: Session, caller: Caller, report_id: int) -> ReportRow:
    """Return a report of the caller, after its use case has required a scope; to change it, use a writing transaction.

    Raises NotFound, and Forbidden if the caller may only read.
    """
    return require_owned(session, caller, session.reports, report_id)


def view_with_results(service: Service, session: Session, row: ReportRow) -> ReportView:
    """Return the report with the results of its run."""
    run = shown_run(session, row)
    return with_report(list_view(service, session, row), run, session.runs.analysis(run.id) if run else None)


def view_of_run(service: Service, session: Session, row: ReportRow, number: int) -> ReportView:
    """Return the report as of a run. Raises NotFound."""
    found = run_of(session, row, number)
    stored = session.runs.analysis(found.id)
    before = comparable_before(session, row, found.id, Report.from_bytes(stored)) if stored is not None else None
    return as_of_run(list_view(service, session, row), found, stored, before.row if isinstance(before, ComparedRun) else None)


def run_of(session: Session, row: ReportRow, number: int) -> RunRow:
    """Return one run of the report. Raises NotFound."""
    return require_found(session.runs.get(row.id, number) if 0 < number < MAX_RUN else None)


def list_view(service: Service, session: Session, row: ReportRow) -> ReportView:
    """Return the report in the form for lists."""
    return report_view(row, session.reports.not_asked([row.check_set]), service.events)
