"""Merge the reports of one page into the report with the newest result.

The merged reports keep their rows, runs and ids; their links redirect to the report that replaced them.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from findable.errors import Conflict, ValidationFailed, require_found
from findable.service.accounts.callers import reading, writing
from findable.service.alerts.alert_watch import remove_page
from findable.service.reports.owned_reports import owned_report, view_with_results
from findable.service.reports.report_links import NOTE_CHARS, NOTES_CHARS, SUMMARY_CHARS
from findable.service.reports.report_lists import owned_project
from findable.service.reports.save_run import rescore_shown_run
from findable.service.runtime import audit_log
from findable.service.runtime.service import Service
from findable.service.values.audit_values import AuditAction
from findable.service.values.caller import Caller
from findable.service.values.presentation import ClientView, client_json, client_of
from findable.service.values.report_values import ReportView
from findable.store.link_statements import LinkRow
from findable.store.rows import ReportRow
from findable.store.store_protocol import Session
from findable.vocabulary import STRICTNESS, Privacy
from findable.wording import Message, later

LIST_LIMIT = 200
"""Maximum number of listed URLs with several reports."""


class RepeatedPage(Struct, frozen=True):
    """Page with several unmerged reports."""

    url: str
    reports_count: int
    report: int
    """Report into which the others would be merged."""
    public_id: str
    privacy: Privacy
    """Strictest access of the reports, which the merged report would get."""


def repeated_pages(service: Service, caller: Caller, project: str) -> tuple[RepeatedPage, ...]:
    """Return the pages of a project with several reports, up to LIST_LIMIT. Raises NotFound."""
    with reading(service, caller) as session:
        row = owned_project(session, caller, project)
        found = session.merges.repeated_pages(caller.account_id, row.id, LIST_LIMIT)
        return tuple(_repeated_page(session, caller, one.url, one.reports) for one in found)


def _repeated_page(session: Session, caller: Caller, url: str, count: int) -> RepeatedPage:
    rows = session.reports.of_page(caller.account_id, url)
    main = _newest(rows)
    return RepeatedPage(main.url, count, main.id, main.public_id, Privacy(_strictest(main, rows).privacy))


def merge(service: Service, caller: Caller, report_id: int) -> ReportView:
    """Merge all reports of the page into the report with the newest result, in one transaction, and return it.

    It gets the strictest access of all, all notes that fit, and all accepted findings.

    Raises NotFound, ValidationFailed (there is no other report, or the link of another one is pinned to a run), Conflict (one is being
    generated).
    """
    with writing(service, caller) as session:
        url = owned_report(session, caller, report_id).url
        rows = session.reports.of_page(caller.account_id, url)
        _require_mergeable(session, rows)
        main = _newest(rows)
        others = [row for row in rows if row.id != main.id]
        columns = _access(main, rows) | _joined_texts(session, main, others)
        if columns:
            session.reports.change(main.id, session.moment, **columns, **_new_version(main, columns))
        _copy_acceptances(session, main, others)
        session.merges.set_merged([row.id for row in others], main.id, session.moment)
        for merged in others:
            remove_page(session, merged.project_id, merged.id, session.moment)
        session.reports.set_page(main.project_id, url)
        audit_log.record(session, caller, AuditAction.REPORT_MERGED, url, reports=len(rows))
        return _rescore(service, session, caller, main.id, session.moment)


def _rescore(service: Service, session: Session, caller: Caller, report_id: int, moment: int) -> ReportView:
    rescore_shown_run(session, owned_report(session, caller, report_id), moment)
    return view_with_results(service, session, owned_report(session, caller, report_id))


def _require_mergeable(session: Session, rows: Sequence[ReportRow]) -> None:
    if len(rows) < 2:  # noqa: PLR2004 - a report and another
        raise ValidationFailed({"report": [later("The page has no other report.")]})
    if any(row.job_state is not None for row in rows):
        raise Conflict(later("A report of this page is being generated. Try again when it is done."))
    main = _newest(rows)
    for row in rows:
        if row.id != main.id and client_of(_link(session, row).client_json).run is not None:
            told = later("The link of report %(number)s always shows one run. Let it show the newest result first.")
            raise ValidationFailed({"report": [Message(told, number=row.id)]})


def _newest(rows: Iterable[ReportRow]) -> ReportRow:
    return max(rows, key=lambda row: (row.generated_down, row.id))


def _strictest(main: ReportRow, rows: Iterable[ReportRow]) -> ReportRow:
    """Return the report with the strictest access: the main one if no other is stricter."""
    return max(rows, key=lambda row: (STRICTNESS.index(Privacy(row.privacy)), row.id == main.id, row.id))


def _access(main: ReportRow, rows: Sequence[ReportRow]) -> dict[str, Any]:
    strictest = _strictest(main, rows)
    if strictest.id == main.id:
        return {}
    return {"privacy": strictest.privacy, "password_hash": strictest.password_hash, "is_listed": 0}


def _new_version(row: ReportRow, columns: Mapping[str, Any]) -> dict[str, Any]:
    """Return the column that invalidates unlock cookies if the access changes."""
    return {"password_version": row.password_version + 1} if "privacy" in columns else {}


def _joined_texts(session: Session, main: ReportRow, others: Sequence[ReportRow]) -> dict[str, Any]:
    """Return the column ``client`` with the joined texts and choices; empty if joining does not change them."""
    own = client_of(_link(session, main).client_json)
    joined = own
    for row in others:
        joined = _join(joined, client_of(_link(session, row).client_json))
    return {} if joined == own else {"client": client_json(joined)}


def _join(first: ClientView, other: ClientView) -> ClientView:
    """Join the texts of two reports. A section hidden in one is hidden; a text that does not fit is omitted."""
    notes = dict(first.notes)
    for check, text in other.notes.items():
        note = _join_text(notes.get(check, ""), text, NOTE_CHARS)
        if sum(map(len, notes.values())) - len(notes.get(check, "")) + len(note) <= NOTES_CHARS:
            notes[check] = note
    return replace(
        first,
        summary=_join_text(first.summary, other.summary, SUMMARY_CHARS),
        notes=notes,
        sections=tuple(name for name in first.sections if other.shows(name)),
        prepared_by=first.prepared_by or other.prepared_by,
        prepared_for=first.prepared_for or other.prepared_for,
    )


def _join_text(first: str, other: str, most: int) -> str:
    if not other or other in first:
        return first
    whole = f"{first}\n\n{other}" if first else other
    return whole if len(whole) <= most else first


def _link(session: Session, row: ReportRow) -> LinkRow:
    return require_found(session.links.for_report(row.id))


def _copy_acceptances(session: Session, main: ReportRow, others: Sequence[ReportRow]) -> None:
    """Copy the acceptances of the other reports to the main one, newest first."""
    found = session.acceptances.only_for_reports([main.id, *(row.id for row in others)])
    accepted = {one.check_name for one in found if one.report_id == main.id}
    for one in found:
        if one.check_name not in accepted:
            accepted.add(one.check_name)
            session.acceptances.add({name: value for name, value in one._asdict().items() if name != "id"} | {"report_id": main.id})
