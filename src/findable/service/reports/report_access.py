"""Access to shared reports: the single authorization function for the share page, the API and every export."""

from msgspec.structs import replace

from findable.errors import NotFound, require_found
from findable.reports.plain import cms_of
from findable.reports.reported_finding import AGAINST
from findable.service.reports.finding_rechecks import old_finding
from findable.service.reports.owned_reports import MAX_RUN, list_view, run_of, view_of_run, view_with_results
from findable.service.results.fix_links import FixView, linked_row
from findable.service.results.guest_access import Decision, LinkAccess, Viewer, decide
from findable.service.results.rechecks import recheck_job
from findable.service.results.shareable import Shareable, is_owner
from findable.service.runtime.service import Service
from findable.service.values.audit_log_values import AuditAction
from findable.service.values.presentation import SECTIONS, client_of, presentation_of
from findable.service.values.report_values import ReportView
from findable.store.report_statements import Reports
from findable.store.rows import ReportRow
from findable.store.share_link_statements import LinkRow
from findable.store.store_protocol import Session
from findable.vocabulary import Status


class _Reports(Shareable[ReportRow]):
    kind = "report"
    sections = SECTIONS
    shared, changed = AuditAction.REPORT_SHARED, AuditAction.REPORT_CHANGED
    counter = "unlock"

    def rows(self, session: Session) -> Reports:
        return session.reports

    def etag(self, service: Service, session: Session, row: ReportRow) -> str:
        return list_view(service, session, row).etag

    def has_run(self, session: Session, number: int, run: int) -> bool:
        found = session.runs.get(number, run) if 0 < run < MAX_RUN else None
        return found is not None and found.engine_json is not None


REPORTS = _Reports()


class ReportAccess(LinkAccess, frozen=True):
    """Report with the access decision for a viewer. `report` is set only if `decision` is ALLOWED."""

    report: ReportView | None = None
    current_run: int | None = None
    """Number of the run that this viewer sees by default; `report` contains another run only on request."""
    link_run: int | None = None
    """Number of the run that guests see: the owner may have pinned the link to an older run."""


def may_see(
    service: Service, session: Session, row: ReportRow | None, link: LinkRow | None, viewer: Viewer, run: int | None = None
) -> Decision:
    """Decide who may see a report. Missing, deleted, private and expired ones are indistinguishable.

    ``run`` is the requested run; guests see only the run of the link, owners all runs. Without the password, it is not revealed which runs
    exist.
    """
    decision = decide(service, row, link, viewer)
    if row is None or link is None or decision is not Decision.ALLOWED or is_owner(row, viewer.caller):
        return decision
    return Decision.ALLOWED if run in (None, _link_run(session, row, link)) else Decision.NOT_FOUND


def _link_run(session: Session, row: ReportRow, link: LinkRow) -> int | None:
    """Return the run that guests see: the pinned run, else the newest fetched one, with the score of its ruleset."""
    number = client_of(link.client_json).run or row.run
    while number is not None and (stored_run := session.runs.get(row.id, number)) is not None and stored_run.rescored_from is not None:
        number = stored_run.rescored_from
    return number


def view(service: Service, public_id: str, viewer: Viewer, run: int | None = None) -> ReportAccess:
    """Return the report behind a share link, if the viewer may see it; missing, deleted and private ones are all NOT_FOUND.

    ``run`` requests the report as of that run; by default the owner gets the newest result, and guests the run of the link. Raises NotFound
    for an unknown run.
    """
    with service.store.read() as session:
        row, link = REPORTS.find(session, public_id)
        decision = may_see(service, session, row, link, viewer, run)
        if row is None or link is None or decision is not Decision.ALLOWED:
            return ReportAccess(decision)
        owns = is_owner(row, viewer.caller)
        link_run = _link_run(session, row, link)
        current = row.run if owns else link_run
        wanted = current if run is None else run
        report = view_with_results(service, session, row) if wanted == row.run else view_of_run(service, session, row, wanted or 0)
        return ReportAccess(decision, owns, presentation_of(link), report, current, link_run)


def progress(service: Service, public_id: str, viewer: Viewer) -> ReportView | None:
    """Return the progress without results (blocking: three statements); None for viewers without access.

    For a guest whose link shows an older run the report is done.
    """
    with service.store.read() as session:
        row, link = REPORTS.find(session, public_id)
        if row is None or link is None or may_see(service, session, row, link, viewer) is not Decision.ALLOWED:
            return None
        report = list_view(service, session, row)
        stays = not is_owner(row, viewer.caller) and _link_run(session, row, link) != row.run
        return replace(report, status=Status.DONE, progress=None) if stays else report


def saved_page(service: Service, public_id: str, viewer: Viewer, run: int | None = None) -> bytes:
    """Return the saved page (JSON) of the run that the viewer may see.

    Raises NotFound for everyone else, for guests if any section is hidden, and if none was stored.
    """
    with service.store.read() as session:
        row, link = REPORTS.find(session, public_id)
        if row is None or link is None or may_see(service, session, row, link, viewer, run) is not Decision.ALLOWED:
            raise NotFound
        if not (is_owner(row, viewer.caller) or client_of(link.client_json).shows_saved_page):
            raise NotFound
        wanted = run if run is not None else row.run if is_owner(row, viewer.caller) else _link_run(session, row, link)
        return require_found(session.runs.saved_page(run_of(session, row, wanted or 0).saved_hash))


def open_fix(service: Service, public_id: str, check: str, token: str) -> FixView:
    """Return the finding of a report behind a link (blocking). Raises NotFound."""
    with service.store.read() as session:
        row, known, presentation, expires_at = linked_row(service, session, REPORTS, public_id, check, token)
        view = view_with_results(service, session, row)
        report = require_found(view.report)
        found = tuple(one for one in report.findings if one.id == check and one.verdict in AGAINST)
        jobs = tuple(recheck_job(session, view.account_id, view.project_id, old_finding(view.url, one, report)) for one in found[:1])
    return FixView(known, found, view.url, (), cms_of(report.facts, report.url), presentation, expires_at, jobs)
