"""Import of projects and reports from another server: each report gets one run without findings, with its date, rating and source.

Stored rows are never imported twice, so starting an interrupted import again continues it.
"""

import secrets
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime

from msgspec import Struct, field

from findable.errors import Cause, PageError, PageErrorCode
from findable.service.accounts.deferred_work import present_caller
from findable.service.accounts.permissions import require, require_role
from findable.service.reports.other_server import SourceProject, SourceReport, SourceServer
from findable.service.reports.report_views import page_error_json
from findable.service.results.access_settings import PUBLIC_ID_BYTES
from findable.service.runtime import audit_log
from findable.service.runtime.service import Service
from findable.service.sites.url_input import read_url, without_login
from findable.service.values.audit_log_values import AuditAction
from findable.service.values.caller import OWNER, WRITE, Caller
from findable.store.rows import NewRun
from findable.store.store_protocol import Session
from findable.urls import project_name
from findable.vocabulary import Privacy, Profile, Rating, Status

MAX_LISTED = 10_000
"""Maximum number of URLs listed per kind; all are counted."""
SHOWN_CHARS = 200
_RATED: Mapping[str, Cause] = {Rating.GOOD: Cause.RATED_GOOD, Rating.DECENT: Cause.RATED_DECENT, Rating.BAD: Cause.RATED_BAD}


class KnownSources(Struct):
    """Sources of imported reports, as far as they were read."""

    newest_run: int = 0
    sources: set[str] = field(default_factory=set)

    def read_new(self, session: Session, account_id: int) -> None:
        """Read the sources stored since the last call, also by another import."""
        session.accounts.by_id(account_id)  # locks the account: another import waits for the end of this transaction
        for run_id, source in session.runs.imported_from(account_id, self.newest_run):
            self.newest_run = run_id
            self.sources.add(source)


class ImportOutcome(Struct):
    """Counts of an import so far, and the URLs to report to the operator."""

    projects: int = 0
    reports: int = 0
    known: int = 0
    """Number of reports stored by an earlier import."""
    unreadable: int = 0
    """Number of rows without the fields of a project or report."""
    had_password: list[str] = field(default_factory=list)
    """URLs of reports that had a password and are private now."""
    rejections: list[tuple[str, str]] = field(default_factory=list)
    """URLs and names that cannot be imported, with the reason."""


async def import_all(service: Service, caller: Caller, server: SourceServer, outcome: ImportOutcome) -> None:
    """Import projects and reports, counting in ``outcome``. Raises UnexpectedResponse, and Forbidden unless the caller remains an owner."""
    require(caller, WRITE)
    require_role(caller, OWNER)
    async for projects, unreadable in server.projects():
        outcome.unreadable += unreadable
        await service.run(_store_projects, caller, projects, outcome)
    known = KnownSources()
    async for reports, unreadable in server.reports():
        outcome.unreadable += unreadable
        await service.run(_store_reports, caller, server, reports, known, outcome)


def _source_of(server: SourceServer, report: SourceReport) -> str:
    return f"{server.api}/reports/{report.id}"


def _store_projects(service: Service, caller: Caller, projects: Iterable[SourceProject], outcome: ImportOutcome) -> None:
    with service.store.write() as session:
        require_role(present_caller(session, caller.account_id, caller.user_id))
        for project in projects:
            address = read_url(project.project, service.guard)
            if isinstance(address, str):
                _refuse(outcome, project.project, address)
            elif session.projects.by_name(caller.account_id, name := project_name(address.url)) is None:
                session.projects.ensure(caller.account_id, name, _seconds(project.created_at, session.moment))
                outcome.projects += 1


def _store_reports(
    service: Service, caller: Caller, server: SourceServer, reports: Iterable[SourceReport], sources: KnownSources, outcome: ImportOutcome
) -> None:
    count = 0
    with service.store.write() as session:
        require_role(present_caller(session, caller.account_id, caller.user_id))
        sources.read_new(session, caller.account_id)
        for report in reports:
            if _source_of(server, report) in sources.sources:
                outcome.known += 1
                continue
            address = read_url(report.url, service.guard)
            if isinstance(address, str):
                _refuse(outcome, report.url, address)
                continue
            _store_report(session, caller, report, address.url, _error_of(server, report, session.moment))
            count += 1
            if report.privacy == Privacy.PASSWORD and len(outcome.had_password) < MAX_LISTED:
                outcome.had_password.append(address.url)
        if count:
            audit_log.record(session, caller, AuditAction.REPORTS_IMPORTED, server.api, reports=count)
    outcome.reports += count


def _store_report(session: Session, caller: Caller, report: SourceReport, url: str, error: PageError) -> None:
    created_at = _seconds(report.created_at or report.generated_at, session.moment)
    at = error.at if error.at is not None else created_at
    told = page_error_json(error, error.at)
    values = {
        "public_id": secrets.token_urlsafe(PUBLIC_ID_BYTES),
        "account_id": caller.account_id,
        "project_id": session.projects.ensure(caller.account_id, project_name(url), created_at),
        "url": url,
        "scheme_guessed": 0,
        "privacy": int(Privacy.PUBLIC if report.privacy == Privacy.PUBLIC else Privacy.PRIVATE),
        "status": Status.FAILED.value,
        "error": told,
        "created_at": min(created_at, at),
        "updated_at": session.moment,
    }
    row = session.reports.by_id(session.reports.add(values))
    if row is not None:  # inserted in this transaction
        session.runs.add(row, url, NewRun(at, at, Profile.STATIC.value, error_json=told))


def _error_of(server: SourceServer, report: SourceReport, moment: int) -> PageError:
    cause = _RATED.get(report.result or "", Cause.UNRATED)
    at = None if cause is Cause.UNRATED else _seconds(report.generated_at or report.created_at, moment)
    return PageError(PageErrorCode.IMPORTED, cause, host=server.host, at=at, source=_source_of(server, report))


def _refuse(outcome: ImportOutcome, text: str, reason: str) -> None:
    if len(outcome.rejections) < MAX_LISTED:
        outcome.rejections.append((without_login(text)[:SHOWN_CHARS], reason))


def _seconds(text: str | None, moment: int) -> int:
    """Return a date of the server, in UTC if it has no zone; the current time if it is missing, and never a later one."""
    try:
        read = datetime.fromisoformat(text or "")
    except ValueError:
        return moment
    zoned = read if read.tzinfo else read.replace(tzinfo=UTC)
    return min(max(int(zoned.timestamp()), 0), moment)
