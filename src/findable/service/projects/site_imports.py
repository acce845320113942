"""Sites from a table: each row creates a project or updates it. A row with an error changes nothing, the others are applied."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Literal

from msgspec import UNSET, Struct, field

from findable.errors import RequestError, ValidationFailed, collected_in, require_found
from findable.formats.site_tables import SiteLine, read_site_table
from findable.monitor.schedule_rules import default_time, rule_of
from findable.service.accounts.permissions import require, require_role
from findable.service.projects import projects, recipients, schedules, watched_sites
from findable.service.runtime import audit_log
from findable.service.runtime.service import Service
from findable.service.runtime.uploaded_tables import read_upload
from findable.service.sites.url_input import read_url
from findable.service.values.audit_log_values import AuditAction
from findable.service.values.caller import OWNER, WRITE, Caller
from findable.service.values.project_values import ProjectChanges
from findable.service.values.schedule_values import ScheduledWork
from findable.store.rows import OwnRow, ProjectRow
from findable.store.store_protocol import Session
from findable.urls import project_name
from findable.vocabulary import Code
from findable.wording import later

MAX_BYTES = 1_000_000
AT_ONCE = 50
"""Number of rows in one transaction."""
NOTHING = "-"
"""Cell that removes a value."""
_REQUIRED = later("The csv field is required: a file, or its text.")
_NO_BRAND = later("There is no brand with this name: set it in the settings of the account or of a project first.")
_WRONG_INTERVAL = later("The interval must be day, week, month, a number of hours like PT6H, or - to stop watching.")
_TWICE = later("The table has this site in an earlier line.")
_BRAND = ("brand_name", "brand_color", "brand_logo", "brand_reply_to")
_ROW_NAMES = {"tags": "tags_json"}
"""Members of `ProjectRow` by column, where they differ."""
_FIELDS = {"title": "name", "client_name": "client", "owner_id": "owner"} | dict.fromkeys(_BRAND, "brand")
"""Columns of the table by column of the database, where they differ."""


class RowOutcome(Code):
    """Outcome of a row."""

    CREATED = "created", later("new")
    UPDATED = "updated", later("changed")
    UNCHANGED = "unchanged", later("unchanged")
    FAILED = "failed", later("error")


class ImportedSite(Struct, frozen=True, kw_only=True):
    """Row of a table of sites. A failed row changes nothing and has `errors` by column; `fields` lists the changed columns."""

    line: int
    project: str | None
    """Host of the site; null if its URL is invalid."""
    outcome: RowOutcome
    fields: list[str]
    errors: dict[str, list[str]]


class SiteImport(Struct, frozen=True, kw_only=True):
    """Outcome of a table of sites. With `dry_run`, nothing was changed."""

    object: Literal["site_import"] = "site_import"
    dry_run: bool
    created: int
    updated: int
    unchanged: int
    failed: int
    rows: list[ImportedSite]


class _Changes(Struct):
    """Changes of a row, and its errors by column."""

    columns: dict[str, Any] = field(default_factory=dict)
    added: list[str] = field(default_factory=list)
    """New recipients of the monthly report."""
    removed: list[int] = field(default_factory=list)
    """Ids of recipients to remove."""
    interval: str = ""
    """New interval of watching; `NOTHING` stops it, empty changes nothing."""
    errors: dict[str, list[str]] = field(default_factory=dict)

    @property
    def fields(self) -> list[str]:
        """Names of the changed columns of the table."""
        names = [_FIELDS.get(column, column) for column in self.columns]
        names += ["recipients"] * bool(self.added or self.removed) + ["interval"] * bool(self.interval)
        return list(dict.fromkeys(names))


class _Row(Struct):
    """Row of the table."""

    line: SiteLine
    host: str | None = None
    """Host of the site; None if its URL is wrong."""
    changes: _Changes = field(default_factory=_Changes)
    is_new: bool = False

    @property
    def outcome(self) -> ImportedSite:
        """Outcome of the row."""
        errors, fields = self.changes.errors, self.changes.fields
        outcome = RowOutcome.CREATED if self.is_new else RowOutcome.UPDATED if fields else RowOutcome.UNCHANGED
        return ImportedSite(
            line=self.line.number,
            project=self.host,
            outcome=RowOutcome.FAILED if errors else outcome,
            fields=[] if errors else fields,
            errors=errors,
        )


def import_sites(service: Service, caller: Caller, data: bytes | str | None, *, dry_run: bool = False) -> SiteImport:
    """Create and update the sites of a table. Owners only. Raises ValidationFailed if the table cannot be read.

    A column that is missing and an empty cell change nothing; a hyphen removes the value. So the same table again changes nothing.
    """
    require(caller, WRITE)
    require_role(caller, OWNER)
    lines = read_upload(data if data and data.strip() else None, "csv", _REQUIRED, MAX_BYTES, read_site_table)
    hosts: dict[str, int] = {}
    found: list[_Row] = [_row(service, line, hosts) for line in lines]
    for start in range(0, len(found), AT_ONCE):
        transaction: AbstractContextManager[Session] = service.store.read() if dry_run else service.store.write()
        with transaction as session:
            for row in found[start : start + AT_ONCE]:
                _import_row(service, session, caller, row, dry_run=dry_run)
    if not dry_run:
        _watch(service, caller, found)
    rows = [row.outcome for row in found]
    counts = Counter(row.outcome for row in rows)
    return SiteImport(
        dry_run=dry_run,
        created=counts[RowOutcome.CREATED],
        updated=counts[RowOutcome.UPDATED],
        unchanged=counts[RowOutcome.UNCHANGED],
        failed=counts[RowOutcome.FAILED],
        rows=rows,
    )


def _row(service: Service, line: SiteLine, hosts: dict[str, int]) -> _Row:
    """Return a row with the site of its URL, unless it is wrong or that of an earlier row; ``hosts``: lines of earlier sites."""
    if line.problem:
        return _Row(line, changes=_Changes(errors={"csv": [line.problem]}))
    address = read_url(line.values.get("url"), service.guard)
    if isinstance(address, str):
        return _Row(line, changes=_Changes(errors={"url": [address]}))
    host = project_name(address.url)
    if hosts.setdefault(host, line.number) != line.number:
        return _Row(line, host, _Changes(errors={"url": [_TWICE]}))
    return _Row(line, host)


def _import_row(service: Service, session: Session, caller: Caller, row: _Row, *, dry_run: bool) -> None:
    """Find out what a row changes, and write it if nothing is wrong."""
    if row.changes.errors or row.host is None:
        return
    project = session.projects.by_name(caller.account_id, row.host)
    row.is_new = project is None
    row.changes = _changes(service, session, caller, project, row.line.values)
    if not row.changes.errors and not dry_run and (row.is_new or row.changes.fields):
        _apply(session, caller, row.host, project, row.changes)


def _changes(service: Service, session: Session, caller: Caller, row: ProjectRow | None, values: Mapping[str, str]) -> _Changes:
    """Return what a row of the table changes in a project, None for a new one."""

    def sent(name: str) -> Any:
        return "" if values.get(name) == NOTHING else values.get(name, UNSET)

    tags = sent("tags")
    changes = ProjectChanges(
        display_name=sent("name"), client=sent("client"), language=sent("language"), tags=tags if tags is UNSET else re.split("[,;]", tags)
    )
    columns, errors = projects.columns_of(service, changes)
    found = _Changes(errors={_FIELDS.get(name, name).replace("display_name", "name"): words for name, words in errors.items()})
    number = 0 if row is None else row.id
    with collected_in(found.errors):
        if (owner := sent("owner")) is not UNSET and (row is None or owner.lower() != (row.owner or "")):
            columns["owner_id"] = projects.owner_id_of(session, caller, number, owner)
    with collected_in(found.errors):
        if (brand := sent("brand")) is not UNSET:
            columns |= _brand(session, caller, brand)
    with collected_in(found.errors):
        if (recipients := sent("recipients")) is not UNSET:
            found.added, found.removed = _recipients(session, number, recipients)
    with collected_in(found.errors):
        found.interval = _interval(session, caller, number, values.get("interval", ""))
    before = {name: None if row is None else getattr(row, _ROW_NAMES.get(name, name), UNSET) for name in columns}
    found.columns = {name: value for name, value in columns.items() if value != before[name]}
    return found


def _brand(session: Session, caller: Caller, name: str) -> dict[str, Any]:
    """Return the columns of a brand of the account; empty ones for its own, which is inherited. Raises ValidationFailed."""
    account = require_found(session.accounts.by_id(caller.account_id))
    if not name or name.casefold() == (account.brand_name or "").casefold():
        return dict.fromkeys(_BRAND)
    known: Sequence[OwnRow] = session.projects.with_brand(caller.account_id)
    row = next((one for one in known if (one.brand_name or "").casefold() == name.casefold()), None)
    if row is None:
        raise ValidationFailed({"brand": [_NO_BRAND]})
    return {column: getattr(row, column) for column in _BRAND}


def _recipients(session: Session, project_id: int, text: str) -> tuple[list[str], list[int]]:
    """Return the addresses to add, and the ids of recipients to remove. Raises ValidationFailed."""
    known = session.recipients.of_project(project_id)
    try:
        wanted = recipients.valid_recipients(known, [one for one in re.split(r"[,;\s]+", text) if one])
    except ValidationFailed as error:
        raise ValidationFailed({"recipients": error.errors["email"]}) from error
    active = {one.email: one.id for one in known if one.stopped_at is None}
    return [email for email in wanted if email not in active], [number for email, number in active.items() if email not in wanted]


def _interval(session: Session, caller: Caller, project_id: int, wanted: str) -> str:
    """Return the interval if it differs from that of the schedules of the site. Raises ValidationFailed."""
    found = session.schedules.select(caller.account_id, project_id=project_id, limit=schedules.MAX_SCHEDULES) if project_id else []
    if wanted in ("", NOTHING):
        return wanted if found else ""
    every = wanted if wanted.startswith("PT") else wanted.lower()
    if rule_of(every, default_time(every, project_id), "UTC")[0] is None:
        raise ValidationFailed({"interval": [_WRONG_INTERVAL]})
    if not found:
        watched_sites.require_room(session, caller)
    return "" if any(one.what == ScheduledWork.CRAWL and one.every == every for one in found) else every


def _apply(session: Session, caller: Caller, host: str, row: ProjectRow | None, found: _Changes) -> None:
    """Write the changes of a row that has no errors."""
    number = session.projects.ensure(caller.account_id, host, session.moment)
    if found.columns:
        session.projects.change(number, found.columns)
    language = found.columns.get("language") or (row.language if row else None) or "en"
    for email in found.added:
        session.recipients.add(number, email, recipients.language_of(language), session.moment)
    for recipient in found.removed:
        session.recipients.remove(number, recipient)
    action = AuditAction.PROJECT_MADE if row is None else AuditAction.PROJECT_CHANGED
    values = {} if row is None else {"fields": ", ".join(found.fields)}
    audit_log.record(session, caller, action, host, **values)


def _watch(service: Service, caller: Caller, rows: Sequence[_Row]) -> None:
    """Watch the sites of the imported rows, or stop it."""
    by_interval: dict[str, list[_Row]] = {}
    for row in rows:
        if row.changes.interval and not row.changes.errors:
            by_interval.setdefault(row.changes.interval, []).append(row)
    for interval, chosen in by_interval.items():
        hosts = [row.host for row in chosen if row.host is not None]
        try:
            if interval == NOTHING:
                watched_sites.stop_watching(service, caller, hosts)
            else:
                watched_sites.watch(service, caller, hosts, interval)
        except RequestError as error:
            for row in chosen:
                row.changes.errors["interval"] = [error.message]
