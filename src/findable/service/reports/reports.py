"""Use cases of reports. They raise NotFound for missing reports and for those of other accounts."""

import secrets
from functools import partial

from msgspec import UNSET, Struct

from findable.errors import QuotaExceeded, ValidationFailed, require_found, require_valid
from findable.service.accounts.permissions import may, reading, require, require_access
from findable.service.alerts.alert_watch import remove_page
from findable.service.reports.history import changes, get_run, runs, saved_page
from findable.service.reports.owned_reports import list_view, owned_report, view_with_results
from findable.service.reports.page_metrics import page_by_metric
from findable.service.reports.report_lists import page_of, selection_of
from findable.service.reports.report_views import report_view
from findable.service.results.access_settings import (
    PUBLIC_ID_BYTES,
    access_changes,
    default_privacy,
    new_password_hash,
    password_errors,
    password_hash,
    project_for,
)
from findable.service.results.shareable import require_match
from findable.service.runtime import audit_log
from findable.service.runtime.browsers import browser_errors, can_open_pages
from findable.service.runtime.idempotency import IdempotencyKey, StoredReply, earlier_use, reserve_key
from findable.service.runtime.service import Service
from findable.service.sites.url_input import PageTarget, host_key, read_url, without_guessed_scheme
from findable.service.values.audit_log_values import AuditAction
from findable.service.values.caller import READ, VIEWER, WRITE, Caller
from findable.service.values.paging import Page, empty_page
from findable.service.values.report_values import Existing, NewReport, ReportChanges, ReportQuery, ReportSort, ReportView
from findable.store.rows import ReportRow
from findable.store.store_protocol import Session
from findable.urls import project_name
from findable.vocabulary import BrowserUse, Privacy, Status
from findable.wording import Message, later

__all__ = ["changes", "create", "delete", "find", "get", "get_run", "runs", "saved_page", "update"]

QUEUE_FULL = later("%(limit)s reports are queued, which is the limit. Try again when some are done.")
QUEUE_RETRY_S = 60


class ValidatedReport(Struct, frozen=True):
    """Validated new report."""

    address: PageTarget
    privacy: Privacy | None
    """Access; None for the default of the project."""
    password_hash: str | None
    host: str
    unset_privacy: Privacy = Privacy.PRIVATE
    """Access if neither the request, the project nor the account sets one."""


class CreatedReport(Struct, frozen=True):
    """Accepted report, or the report of an identical earlier request."""

    report: ReportView
    reply: StoredReply | None = None
    """Response to send unchanged, with ``Idempotent-Replayed: true``; None for a new report, or if the first request never completed."""


def create(service: Service, caller: Caller, new: NewReport, idempotency: IdempotencyKey | None = None) -> CreatedReport:
    """Accept a report: store and queue it in one transaction. With `Existing.RERUN`, an existing report of the URL gets a new run.

    Raises ValidationFailed (all fields at once), QuotaExceeded, Forbidden, Unavailable; with a key also Conflict and IdempotencyMismatch.
    """
    require(caller, WRITE)
    service.require_accepting()
    valid_report = _validated(service, caller, new)
    can_visit = new.is_from_form and can_open_pages(service)
    with service.store.write() as session:
        replay = earlier_use(session, caller, idempotency, session.reports.by_id)
        if replay is not None:
            require_access(caller, replay.row.project_id, for_update=True)
            return CreatedReport(list_view(service, session, replay.row), replay.reply)
        _require_capacity(service, session, caller)
        row = _row(session, queue_report(session, caller, valid_report, new.existing))
        if new.browser is not None and new.browser != row.browser:
            session.reports.change(row.id, session.moment, browser=new.browser.value)
            row = _row(session, row.id)
        if new.is_from_form:
            _add_visit(session, row, can_visit=can_visit)
        typed = without_guessed_scheme(row.url, guessed=bool(row.scheme_guessed))
        audit_log.record(session, caller, AuditAction.REPORT_RUN, typed, privacy=Privacy(row.privacy).name.lower())
        reserve_key(session, caller, idempotency, row.id)
        created = CreatedReport(list_view(service, session, row))
    service.events.publish_queued()
    return created


def _add_visit(session: Session, row: ReportRow, *, can_visit: bool) -> None:
    """Let a visit follow the first result of the queued run: with the browser mode of report or project, or else if a browser works."""
    setting = row.browser or session.projects.for_worker(row.project_id).browser
    use = BrowserUse(setting or (BrowserUse.VIEW if can_visit else BrowserUse.NONE))
    if use is not BrowserUse.NONE:
        session.jobs.set_browser(row.id, use.value)


def _validated(service: Service, caller: Caller, new: NewReport) -> ValidatedReport:
    errors: dict[str, list[str]] = {}
    address = read_url(new.url, service.guard)
    if isinstance(address, str):
        errors["url"] = [address]
    errors |= password_errors(new.privacy, new.password) | browser_errors(service, new.browser)
    if errors or isinstance(address, str):
        raise ValidationFailed(errors)
    hashed = password_hash(service, caller, new.privacy, new.password)
    return ValidatedReport(address, new.privacy, hashed, host_key(address.url, service.guard), new.unset_privacy)


def _require_capacity(service: Service, session: Session, caller: Caller) -> None:
    limit = service.settings.queue_limit if service.settings.rate_limit else 0
    active = session.jobs.active(caller.account_id) if limit else 0
    if limit and active >= limit and active - session.jobs.of_batches(caller.account_id) >= limit:
        raise QuotaExceeded(Message(QUEUE_FULL, limit=limit), retry_after_s=QUEUE_RETRY_S)


def queue_report(
    session: Session,
    caller: Caller,
    valid_report: ValidatedReport,
    existing: Existing,
    *,
    of_batch: bool = False,
    is_scheduled: bool = False,
) -> int:
    """Queue a new report, or a run of the existing report of the URL; return its id.

    Raises Forbidden if the caller may not write in the project of the URL.
    """
    project_id = project_for(session, caller, valid_report.address.url)
    found = session.reports.of_page(caller.account_id, valid_report.address.url) if existing is Existing.RERUN else None
    if found is None:
        return insert(session, caller, project_id, valid_report, of_batch=of_batch)
    queue_run(session, found, valid_report.host, person_id=caller.user_id, of_batch=of_batch, is_scheduled=is_scheduled)
    return found.id


def find_variant(service: Service, caller: Caller, url: str | None) -> ReportView | None:
    """Return the report of the page under another form of the URL; None if the URL as typed has one."""
    require(caller, READ)
    address = read_url(url, service.guard)
    if isinstance(address, str):
        return None
    with service.store.read() as session:
        row = session.reports.of_page(caller.account_id, address.url)
        if row is None or not may(caller, VIEWER, row.project_id):
            return None
        typed = {address.url, *([f"http://{address.url.removeprefix('https://')}"] if address.scheme_guessed else [])}
        return None if row.url in typed else list_view(service, session, row)


def of_url(service: Service, caller: Caller, url: str) -> ReportView | None:
    """Return the report of the page of a URL; None without one that the caller may see."""
    with reading(service, caller) as session:
        row = session.reports.of_page(caller.account_id, url)
        return list_view(service, session, row) if row is not None and may(caller, VIEWER, row.project_id) else None


def queue_run(
    session: Session,
    row: ReportRow,
    host: str,
    *,
    person_id: int | None = None,
    of_batch: bool = False,
    is_scheduled: bool = False,
) -> bool:
    """Queue another run of the report; return False if one is already queued or running.

    ``person_id``: person with whose role it runs; None for work of the project.
    """
    if session.jobs.join(row.id, fresh_site=True, person_id=person_id):
        return False
    moment, flags = session.moment, {"fresh_site": int(not of_batch), "is_scheduled": int(is_scheduled)}
    session.jobs.add(row.account_id, of_batch=of_batch, report_id=row.id, host=host, created_at=moment, person_id=person_id, **flags)
    session.reports.change(row.id, moment, **({"status": Status.QUEUED.value, "error": None} if row.status == Status.FAILED else {}))
    return True


def insert(session: Session, caller: Caller, project_id: int, valid_report: ValidatedReport, *, of_batch: bool = False) -> int:
    """Store and queue a new report; return its id."""
    url = valid_report.address.url
    account_id, privacy = caller.account_id, valid_report.privacy
    if privacy is None:
        privacy = default_privacy(session, account_id, (project_name(url),), valid_report.unset_privacy)
    report_id = session.reports.add(
        {
            "public_id": secrets.token_urlsafe(PUBLIC_ID_BYTES),
            "account_id": account_id,
            "project_id": project_id,
            "url": url,
            "scheme_guessed": int(valid_report.address.scheme_guessed),
            "privacy": int(privacy),
            "password_hash": valid_report.password_hash,
            "status": Status.QUEUED.value,
            "created_at": session.moment,
            "updated_at": session.moment,
        }
    )
    values = {"report_id": report_id, "host": valid_report.host, "fresh_site": 0, "person_id": caller.user_id, "created_at": session.moment}
    session.jobs.add(account_id, of_batch=of_batch, **values)
    return report_id


def _row(session: Session, report_id: int) -> ReportRow:
    return require_found(session.reports.by_id(report_id))


def get(service: Service, caller: Caller, report_id: int) -> ReportView:
    """Return one report with its analysis."""
    with reading(service, caller) as session:
        return view_with_results(service, session, owned_report(session, caller, report_id))


def find(service: Service, caller: Caller, query: ReportQuery) -> Page[ReportView]:
    """Return a list of reports without their analyses. Raises ValidationFailed for an invalid cursor, or for `check` without `verdict`."""
    with reading(service, caller) as session:
        page = _page(service, session, caller, query)
        if page is None:
            return empty_page(query)
        not_asked = session.reports.not_asked(row.check_set for row in page.items)
        return page.with_items(report_view(row, not_asked, service.events) for row in page.items)


def _page(service: Service, session: Session, caller: Caller, query: ReportQuery) -> Page[ReportRow] | None:
    """Return the rows; None for an unknown project."""
    if query.data is not None or query.sort_by is ReportSort.DATA:
        return page_by_metric(service, session, caller, query)
    selection = selection_of(session, caller, query)
    return None if selection is None else page_of(session, selection, query)


def update(service: Service, caller: Caller, report_id: int, changes: ReportChanges, if_match: str | None = None) -> ReportView:
    """Change privacy and password together; with `results`, queue a new generation or join the running one.

    `if_match` is the header's value (``*``, one tag or a list of tags). Raises PreconditionFailed, ValidationFailed.
    """
    require(caller, WRITE)
    if changes.results:
        service.require_accepting()
    password = changes.password if changes.password is not UNSET else None
    hashed = new_password_hash(service, caller, Privacy.PASSWORD if changes.privacy is UNSET else changes.privacy, password)
    require_valid(browser_errors(service, BrowserUse.LAB if changes.measure else changes.browser))
    can_visit = changes.is_from_form and can_open_pages(service)
    with service.store.write() as session:
        row = owned_report(session, caller, report_id)
        require_match(list_view(service, session, row).etag, if_match)
        values = access_changes(row, Privacy(row.privacy) if changes.privacy is UNSET else changes.privacy, hashed)
        if changes.browser is not UNSET and changes.browser != row.browser:
            values = {**values, "browser": changes.browser}
        queued = changes.results and not session.jobs.join(report_id, fresh_site=True, person_id=caller.user_id)
        if queued:
            _require_capacity(service, session, caller)
            queue_run(session, row, host_key(row.url, service.guard), person_id=caller.user_id)
            audit_log.record(session, caller, AuditAction.REPORT_RUN, row.url)
        if values:
            session.reports.change(report_id, session.moment, **values)
        if changes.measure:
            session.jobs.set_browser(report_id, BrowserUse.LAB.value)
        elif changes.is_from_form:
            _add_visit(session, _row(session, report_id), can_visit=can_visit)
        if "privacy" in values:
            audit_log.record(session, caller, AuditAction.REPORT_SHARED, row.url, privacy=Privacy(values["privacy"]).name.lower())
        view = view_with_results(service, session, owned_report(session, caller, report_id))
    if queued:
        service.events.publish_queued()
    return view


def delete(service: Service, caller: Caller, report_id: int, if_match: str | None = None) -> None:
    """Delete the report and discard a running generation. Raises PreconditionFailed."""
    require(caller, WRITE)
    service.run_deletion(partial(_delete, service, caller, report_id, if_match))
    service.events.publish_end(report_id)


def _delete(service: Service, caller: Caller, report_id: int, if_match: str | None) -> None:
    with service.store.write() as session:
        row = owned_report(session, caller, report_id)
        require_match(list_view(service, session, row).etag, if_match)
        audit_log.record(session, caller, AuditAction.REPORT_DELETED, row.url)
        remove_page(session, row.project_id, row.id, session.moment)
        session.reports.delete(row, session.moment)
