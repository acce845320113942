"""Merge the reports of one page into the report with the newest result, and undo merges.

The merged reports keep their rows, runs and ids; their links redirect to the report that replaced them.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from findable.clock import now
from findable.errors import Conflict, NotFound, ValidationFailed, require_found
from findable.service.accounts.callers import reading, require, writing
from findable.service.alerts.alert_watch import remove_page
from findable.service.reports.owned_reports import owned_report, require_unmerged, view_with_results
from findable.service.reports.report_links import NOTE_CHARS, NOTES_CHARS, SUMMARY_CHARS
from findable.service.reports.report_lists import owned_project
from findable.service.reports.report_views import moment as moment_of
from findable.service.reports.save_run import rescore_shown_run
from findable.service.runtime import audit_log
from findable.service.runtime.service import Service
from findable.service.values.audit_values import AuditAction
from findable.service.values.caller import READ, Caller
from findable.service.values.presentation import ClientView, client_json, client_of
from findable.service.values.report_values import ReportView
from findable.store.link_statements import LinkRow
from findable.store.merge_statements import MergeRow
from findable.store.rows import AcceptanceRow, ReportRow
from findable.store.store_protocol import Session
from findable.vocabulary import STRICTNESS, Privacy
from findable.wording import Message, later

UNDO_DAYS = 30
"""Days for which a merge can be undone."""
LIST_LIMIT = 200
"""Maximum number of listed URLs with several reports, and of listed merges."""
_DAY_S = 86_400
_ACCESS = ("privacy", "password_hash", "listed")
"""Columns of one setting of the owner, which decides who may see the report."""


class RepeatedPage(Struct, frozen=True):
    """Page with several unmerged reports."""

    url: str
    reports_count: int
    report: int
    """Report into which the others would be merged."""
    public_id: str
    privacy: Privacy
    """Strictest access of the reports, which the merged report would get."""


class MergeView(Struct, frozen=True):
    """Merge that can be undone."""

    report: int
    public_id: str
    url: str
    merged: int
    """Number of merged reports."""
    created_at: datetime
    until: datetime
    """Time until which it can be undone."""


class _Undo(Struct, frozen=True):
    """Changes by a merge."""

    reports: list[int]
    before: dict[str, int | str | None]
    """Columns of the report before the merge."""
    after: dict[str, int | str | None]
    """Columns after the merge; a column that the owner has changed since then is not restored."""
    acceptances: list[int]
    """Ids of copied acceptances."""


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


def undoable_merges(service: Service, caller: Caller, project: str) -> tuple[MergeView, ...]:
    """Return the merges of a project that can be undone, newest first. Raises NotFound."""
    require(caller, READ)
    since = int(now().timestamp()) - UNDO_DAYS * _DAY_S
    with service.store.read() as session:
        row = owned_project(session, caller, project)
        found = {one.report_id: one for one in reversed(session.merges.recent(row.id, since, LIST_LIMIT))}
        views = [_view(report, found[number]) for number in reversed(found) if (report := session.reports.by_id(number)) is not None]
    return tuple(views)


def _view(row: ReportRow, merge: MergeRow) -> MergeView:
    made = moment_of(merge.created_at)
    return MergeView(row.id, row.public_id, row.url, len(_undo_of(merge).reports), made, made + timedelta(days=UNDO_DAYS))


def merge(service: Service, caller: Caller, report_id: int) -> ReportView:
    """Merge all reports of the page into the report with the newest result, in one transaction, and return it.

    It gets the strictest access of all, all notes that fit, and all accepted findings.

    Raises NotFound, ValidationFailed (there is no other report, or the link of another one is pinned to a run), Conflict (one is being
    generated).
    """
    moment = int(now().timestamp())
    with writing(service, caller) as session:
        url = owned_report(session, caller, report_id).url
        rows = session.reports.of_page(caller.account_id, url)
        _require_mergeable(session, rows)
        main = _newest(rows)
        others = [row for row in rows if row.id != main.id]
        columns = _access(main, rows) | _joined_texts(session, main, others)
        before = {name: _column(session, main, name) for name in columns}
        if columns:
            session.reports.change(main.id, moment, **columns, **_new_version(main, columns))
        copies = _copy_acceptances(session, main, others)
        ids = [row.id for row in others]
        session.merges.set_merged(ids, main.id, moment)
        for merged in others:
            remove_page(session, merged.project_id, merged.id, moment)
        session.merges.add(main.id, moment, msgspec.json.encode(_Undo(ids, before, columns, copies)).decode())
        session.reports.set_page(main.project_id, url)
        audit_log.record(session, caller, AuditAction.REPORT_MERGED, url, reports=len(rows))
        return _rescore(service, session, caller, main.id, moment)


def undo(service: Service, caller: Caller, report_id: int) -> ReportView:
    """Undo the last merge into the report, up to UNDO_DAYS later: the merged reports become separate reports again.

    Later changes by the owner stay. Raises NotFound (report, no merge), Conflict if the report itself was merged into another one.
    """
    moment = int(now().timestamp())
    with writing(service, caller) as session:
        row = owned_report(session, caller, report_id)
        require_unmerged(row)
        last = session.merges.newest(row.id)
        if last is None or last.created_at <= moment - UNDO_DAYS * _DAY_S:
            raise NotFound("There is no merge of this report to undo.")
        done = _undo_of(last)
        columns = {name: value for name, value in done.before.items() if _column(session, row, name) == done.after[name]}
        if not {*_ACCESS} <= columns.keys():
            columns = {name: value for name, value in columns.items() if name not in _ACCESS}
        if columns:
            session.reports.change(row.id, moment, **columns, **_new_version(row, columns))
        session.acceptances.remove(done.acceptances)
        session.merges.set_merged([one.id for one in session.reports.merged_into(row.id) if one.id in done.reports], None, moment)
        session.merges.remove(last.id)
        session.reports.set_page(row.project_id, row.url)
        audit_log.record(session, caller, AuditAction.REPORT_MERGED, row.url, undone="yes")
        return _rescore(service, session, caller, row.id, moment)


def delete_expired(service: Service) -> None:
    """Delete merges that can no longer be undone."""
    with service.store.write() as session:
        session.merges.delete_before(int(now().timestamp()) - UNDO_DAYS * _DAY_S)


def _undo_of(merge: MergeRow) -> _Undo:
    return msgspec.json.decode(merge.undo_json, type=_Undo)


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
    return {"privacy": strictest.privacy, "password_hash": strictest.password_hash, "listed": 0}


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


def _column(session: Session, row: ReportRow, name: str) -> int | str | None:
    """Return the current value of a column that a merge may change."""
    if name in ("privacy", "password_hash"):
        value: int | str | None = getattr(row, name)
        return value
    link = _link(session, row)
    return link.client_json if name == "client" else link.listed


def _copy_acceptances(session: Session, main: ReportRow, others: Sequence[ReportRow]) -> list[int]:
    """Copy the acceptances of the other reports to the main one, newest first; return the ids of the copies."""
    found = session.acceptances.only_for_reports([main.id, *(row.id for row in others)])
    accepted = {one.check_name for one in found if one.report_id == main.id}
    copies = []
    for one in found:
        if one.check_name not in accepted:
            accepted.add(one.check_name)
            copies.append(session.acceptances.add(_copy_of(one, main.id)))
    return copies


def _copy_of(one: AcceptanceRow, report_id: int) -> dict[str, Any]:
    return {name: value for name, value in one._asdict().items() if name != "id"} | {"report_id": report_id}
