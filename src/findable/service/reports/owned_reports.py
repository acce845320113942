"""Access of use cases to a report; the only module that checks its owner."""

from collections.abc import Callable, Iterable
from typing import Protocol, TypeVar

from findable.errors import Forbidden, NotFound, PreconditionFailed, require_found
from findable.reports.report import Report
from findable.service.accounts.permissions import may, require_access
from findable.service.reports.compared_run import ComparedRun, comparable_before, shown_run
from findable.service.reports.report_views import as_of_run, report_view, with_report
from findable.service.runtime.service import Service
from findable.service.values.caller import MEMBER, READ, VIEWER, Caller
from findable.service.values.report_values import ReportView
from findable.store.crawl_row import CrawlRow
from findable.store.link_statements import SharedProject
from findable.store.rows import ReportRow, RunRow
from findable.store.store_protocol import Session
from findable.urls import project_name
from findable.vocabulary import STRICTNESS, Privacy
from findable.wording import later

NOT_THERE = later("You may make reports and crawls only in projects where you are a member.")
OTHER_PROJECT = later("The URL does not belong to this project.")
Shared = ReportRow | CrawlRow | SharedProject
"""Row of an object that may have a share link."""
SharedT_co = TypeVar("SharedT_co", bound=Shared, covariant=True)
MAX_ID = 2**63
MAX_RUN = 2**31


class SharedRows(Protocol[SharedT_co]):
    """SQL statements for the rows of one kind of shared objects."""

    def by_id(self, number: int, /) -> SharedT_co | None:
        """Return the object with that id; None if it is deleted."""

    def by_public_id(self, public_id: str, /) -> SharedT_co | None:
        """Return the object of a link; None if there is none."""

    @property
    def change(self) -> Callable[..., object]:
        """Set columns of the object with that id, at that time."""


def owned_report(session: Session, caller: Caller, report_id: int) -> ReportRow:
    """Return a report of the caller, after its use case has required a scope; to change it, use a writing transaction.

    Raises NotFound, and Forbidden if the caller may only read.
    """
    return require_owned(session, caller, session.reports, report_id)


def require_owned(session: Session, caller: Caller, rows: SharedRows[SharedT_co], number: int) -> SharedT_co:
    """Return an object of the caller. Raises NotFound, and Forbidden in a writing transaction if they may only read."""
    row = rows.by_id(number) if 0 < number < MAX_ID else None
    if row is None or row.account_id != caller.account_id:
        raise NotFound
    require_access(caller, row.project_id, for_update=session.is_writing)
    return row


def project_for(session: Session, caller: Caller, url: str) -> int:
    """Return the project of a new report or crawl, creating it if necessary.

    Raises Forbidden if the caller may not create anything there.
    """
    name = project_name(url)
    if may(caller, MEMBER):
        return session.projects.ensure(caller.account_id, name, session.moment)
    row = session.projects.by_name(caller.account_id, name)
    if row is None or not may(caller, MEMBER, row.id):
        raise Forbidden(NOT_THERE)
    return row.id


def default_privacy(session: Session, account_id: int, projects: Iterable[str], unset: Privacy = Privacy.PRIVATE) -> Privacy:
    """Return the access to new reports and crawls of these projects for which no access was sent: the strictest default of the projects.

    A project without a default has that of the account, and without one ``unset``. Reports, batches, crawls, uploads, schedules and forms
    all use this function; ``unset`` is public only for `POST /reports`.
    """
    found = session.projects.default_privacies(account_id, set(projects))
    return max((unset if number is None else Privacy(number) for number in found), key=STRICTNESS.index, default=unset)


def is_owner(row: Shared, caller: Caller | None) -> bool:
    """Return whether the object belongs to the caller's account, and the caller has read access there."""
    if caller is None or caller.account_id != row.account_id or READ not in caller.scopes:
        return False
    return may(caller, VIEWER, row.project_id)


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


def require_match(etag: str, if_match: str | None) -> None:
    """Raise PreconditionFailed if ``If-Match`` contains only ETags of other versions of a report, a crawl or a link.

    Tags are compared without the progress, which changes while a report is generated.
    """
    if if_match is None or if_match.strip() == "*":
        return
    sent = (tag.strip().removeprefix("W/").strip('"') for tag in if_match.split(","))
    if all(tag.split(".")[:2] != etag.split(".")[:2] for tag in sent):
        raise PreconditionFailed("It has changed since then.")
