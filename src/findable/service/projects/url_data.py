"""Uploaded metrics by URL of a project: from search consoles, analytics, link indexes and logs."""

from datetime import date
from typing import Literal

import msgspec
from msgspec import Struct

from findable.errors import CrawlUnreadable, NotFound, ValidationFailed
from findable.formats.number_tables import read_number_table
from findable.service.accounts.owned_projects import owned_project
from findable.service.accounts.permissions import reading, writing
from findable.service.crawls.crawl_access import open_store_of, site_crawl
from findable.service.crawls.crawls import create_from_list
from findable.service.crawls.uploaded_metrics import data_of
from findable.service.runtime import audit_log
from findable.service.runtime.service import Service
from findable.service.runtime.uploaded_tables import read_upload
from findable.service.values.audit_log_values import AuditAction
from findable.service.values.caller import WRITE, Caller
from findable.service.values.crawl_values import CrawlView
from findable.service.values.views import view_of
from findable.store.crawl_url_data import NO_DATA, DataColumns
from findable.store.rows import ProjectRow
from findable.store.store_protocol import Session
from findable.store.url_data_statements import packed_table
from findable.urls import project_name
from findable.values import DateTime
from findable.wording import Message, later

MAX_BYTES = 10_000_000
MAX_SOURCES = 5
MAX_SOURCE_CHARS = 40
LISTED_UNKNOWN = 1000
"""Maximum number of listed URLs that are not in the crawl."""
_REQUIRED = later("The csv field is required: a file, or its text.")
_TOO_MANY = Message(later("A project has at most %(most)s sources. Delete one."), most=MAX_SOURCES)
_WRONG_SOURCE = Message(later("The source must have 1 to %(most)s characters: a to z, 0 to 9 and hyphens."), most=MAX_SOURCE_CHARS)
_WRONG_DATE = later("The date must look like 2026-11-21.")
_NONE_HERE = later("No row has a URL of this project.")


class UrlData(Struct, frozen=True, kw_only=True):
    """Metrics uploaded from one source. `skipped` counts rows whose URL is invalid or belongs to another site."""

    object: Literal["url_data"] = "url_data"
    source: str
    date: str | None
    columns: list[str]
    rows: int
    skipped: int
    uploaded_at: DateTime


class UrlDataUploaded(UrlData, frozen=True, kw_only=True):
    """Result of an upload of metrics. `ignored` lists the columns without numbers."""

    ignored: list[str]


class UnknownUrls(Struct, frozen=True):
    """Uploaded URLs that are not in the last complete crawl."""

    crawl: CrawlView | None
    """Last complete crawl; None if there is none."""
    urls: tuple[str, ...]
    """First of these URLs."""
    total: int


def upload(
    service: Service, caller: Caller, name_or_id: str, *, data: bytes | str | None, source: str = "", day: str = ""
) -> UrlDataUploaded:
    """Store the metrics of a table, replacing earlier ones of its source. Raises NotFound, ValidationFailed with the line number."""
    with reading(service, caller, scope=WRITE) as session:
        project = owned_project(session, caller, name_or_id)
    table = read_upload(data, "csv", _REQUIRED, MAX_BYTES, read_number_table)
    own = {at: values for at, values in table.rows.items() if at.startswith("/") or project_name(at) == project.name}
    if not own:
        raise ValidationFailed({"csv": [_NONE_HERE]})
    table = msgspec.structs.replace(table, rows=own, skipped_count=table.skipped_count + len(table.rows) - len(own))
    name = _source(source or table.source)
    packed = packed_table(table)
    with service.store.write() as session:
        project = owned_project(session, caller, name_or_id)
        known = [row.source for row in session.url_data.of_project(project.id)]
        if name not in known and len(known) >= MAX_SOURCES:
            raise ValidationFailed({"source": [_TOO_MANY]})
        session.url_data.save(project.id, name, _day(day), table, packed, session.moment)
        audit_log.record(session, caller, AuditAction.NUMBERS_UPLOADED, project.name, source=name, urls=len(own))
        view = next(view for view in _views(session, project) if view.source == name)
    return UrlDataUploaded(**msgspec.structs.asdict(view), ignored=list(table.ignored))


def _source(text: str) -> str:
    name = text.strip().lower()
    if not 0 < len(name) <= MAX_SOURCE_CHARS or not name.isascii() or not name.replace("-", "a").isalnum():
        raise ValidationFailed({"source": [_WRONG_SOURCE]})
    return name


def _day(text: str) -> str:
    try:
        return date.fromisoformat(text.strip()).isoformat() if text.strip() else ""
    except ValueError:
        raise ValidationFailed({"date": [_WRONG_DATE]}) from None


def find(service: Service, caller: Caller, name_or_id: str) -> tuple[UrlData, ...]:
    """Return the uploads of a project, newest first. Raises NotFound."""
    with reading(service, caller) as session:
        return _views(session, owned_project(session, caller, name_or_id))


def remove(service: Service, caller: Caller, name_or_id: str, source: str) -> None:
    """Delete the metrics of a source. Raises NotFound."""
    with writing(service, caller) as session:
        project = owned_project(session, caller, name_or_id)
        if not session.url_data.remove(project.id, source):
            raise NotFound
        audit_log.record(session, caller, AuditAction.NUMBERS_DELETED, project.name, source=source)


def unknown_urls(service: Service, caller: Caller, name_or_id: str) -> UnknownUrls:
    """Return the uploaded URLs that are not in the last complete crawl. Raises NotFound."""
    with reading(service, caller) as session:
        project = owned_project(session, caller, name_or_id)
        view = site_crawl(service, session, project)
    found = _matched_data(service, view) if view is not None else NO_DATA
    return UnknownUrls(view, found.unknown[:LISTED_UNKNOWN], len(found.unknown))


def _matched_data(service: Service, crawl: CrawlView) -> DataColumns:
    try:
        with open_store_of(service, crawl) as opened:
            return data_of(service, opened)
    except (NotFound, CrawlUnreadable):
        return NO_DATA


def crawl_unknown_urls(service: Service, caller: Caller, name_or_id: str) -> CrawlView:
    """Crawl the uploaded URLs that are not in the last complete crawl, as a list. Errors: see `create_from_list`."""
    return create_from_list(service, caller, name_or_id, unknown_urls(service, caller, name_or_id).urls)


def _views(session: Session, project: ProjectRow) -> tuple[UrlData, ...]:
    return tuple(view_of(UrlData, row, date=row.day or None) for row in session.url_data.of_project(project.id))
