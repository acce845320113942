"""An owner's settings for a report's link: texts for the client, expiry, listing by search engines, renewal."""

import secrets
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, time, timedelta

from msgspec import UNSET, Struct, UnsetType, field

from findable.checks.engine import all_checks
from findable.clock import now
from findable.errors import NotFound, ValidationFailed
from findable.service.accounts.callers import require
from findable.service.reports.owned_reports import MAX_RUN, owned, require_match, viewed
from findable.service.reports.reports import PUBLIC_ID_BYTES
from findable.service.runtime.service import Service
from findable.service.values.caller import READ, WRITE, Caller
from findable.service.values.presentation import SECTIONS, ClientView, Presentation, client_json, presentation_of
from findable.store.rows import ReportRow
from findable.store.store_protocol import Session
from findable.vocabulary import Privacy
from findable.wording import Filled, later

SUMMARY_CHARS = 10_000
NOTE_CHARS = 2_000
PERSON_CHARS = 200
NOTES_CHARS = 100_000
"""Maximum characters of all notes of a report together."""
MAX_DAY = date(2999, 12, 31)


class NewClient(Struct, frozen=True):
    """Texts and choices for the client. The texts are as sent; `write` validates them."""

    summary: str = ""
    notes: Mapping[str, str] = field(default_factory=dict)
    """Check id to note; an empty one is removed."""
    sections: Iterable[str] = SECTIONS
    prepared_by: str = ""
    prepared_for: str = ""
    run: int | None = None
    """Run that the link always shows; None for the newest."""


class TermChanges(Struct, frozen=True):
    """Changes of the link; only what was sent changes."""

    until: date | UnsetType | None = UNSET
    """Last day (UTC) of guest access; None for no end."""
    listed: bool | UnsetType = UNSET


class LinkView(Struct, frozen=True):
    """Link of a report."""

    report: int
    public_id: str
    until: date | None
    """Last day (UTC) of guest access; None for no end."""
    is_listed: bool
    """Whether search engines may list it."""
    etag: str
    """ETag of the report."""


def presentation(service: Service, caller: Caller, report_id: int) -> Presentation:
    """Return the texts and choices. Raises NotFound."""
    require(caller, READ)
    with service.store.read() as session:
        return _presentation(session, owned(session, caller, report_id))


def _presentation(session: Session, row: ReportRow) -> Presentation:
    link = session.links.of(row.id)
    if link is None:
        raise NotFound
    return presentation_of(link)


def write(service: Service, caller: Caller, report_id: int, new: NewClient, if_match: str | None = None) -> ClientView:
    """Replace the texts and choices for the client. Raises NotFound, ValidationFailed, PreconditionFailed."""
    require(caller, WRITE)
    client, errors = _checked(new)
    with service.store.write() as session:
        row = owned(session, caller, report_id)
        require_match(service, session, row, if_match)
        if client.run is not None and not _has_result(session, row, client.run):
            errors["run"] = [later("The run must be one of this report that has a result.")]
        if errors:
            raise ValidationFailed(errors)
        session.reports.change(row.id, int(now().timestamp()), client=client_json(client))
    return client


def _has_result(session: Session, row: ReportRow, number: int) -> bool:
    run = session.runs.get(row.id, number) if 0 < number < MAX_RUN else None
    return run is not None and run.engine_json is not None


def _checked(new: NewClient) -> tuple[ClientView, dict[str, list[str]]]:
    errors: dict[str, list[str]] = {}
    summary = _written(new.summary)
    notes = {check: text for check, sent in new.notes.items() if (text := _written(sent))}
    by, to = " ".join(new.prepared_by.split()), " ".join(new.prepared_for.split())
    for name, text, most in (("summary", summary, SUMMARY_CHARS), ("prepared_by", by, PERSON_CHARS), ("prepared_for", to, PERSON_CHARS)):
        if len(text) > most:
            errors[name] = [_too_long(most)]
    if any(len(text) > NOTE_CHARS for text in notes.values()):
        errors["notes"] = [_too_long(NOTE_CHARS)]
    elif sum(map(len, notes.values())) > NOTES_CHARS:
        errors["notes"] = [Filled(later("All notes together may have at most %(most)s characters."), most=NOTES_CHARS)]
    unknown = sorted(check for check in new.notes if check not in all_checks())
    if unknown:
        errors["notes"] = [Filled(later("There is no check called %(name)s."), name=unknown[0][:80])]
    chosen = set(new.sections)
    if chosen - set(SECTIONS):
        errors["sections"] = [Filled(later("The sections must be of: %(names)s."), names=", ".join(SECTIONS))]
    sections = tuple(name for name in SECTIONS if name in chosen)
    return ClientView(summary, notes, sections, by, to, new.run), errors


def _written(text: str) -> str:
    """Normalize line ends and remove trailing blanks."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join(line.rstrip() for line in lines).strip("\n")


def _too_long(most: int) -> str:
    return Filled(later("It may have at most %(most)s characters."), most=most)


def link(service: Service, caller: Caller, report_id: int) -> LinkView:
    """Return the link of a report. Raises NotFound."""
    require(caller, READ)
    with service.store.read() as session:
        return _link(service, session, owned(session, caller, report_id))


def _link(service: Service, session: Session, row: ReportRow) -> LinkView:
    terms = _presentation(session, row)
    return LinkView(row.id, row.public_id, terms.last_day, terms.is_listed, viewed(service, session, row).etag)


def set_terms(service: Service, caller: Caller, report_id: int, terms: TermChanges, if_match: str | None = None) -> LinkView:
    """Set the end of guest access, and whether search engines may list the report.

    Raises NotFound, ValidationFailed, PreconditionFailed.
    """
    require(caller, WRITE)
    moment = now()
    columns: dict[str, int | None] = {}
    errors: dict[str, list[str]] = {}
    if terms.until is not UNSET:
        columns["link_expires_at"] = None if terms.until is None else _end_of(terms.until)
        if terms.until is not None and not moment.date() <= terms.until <= MAX_DAY:
            errors["until"] = [later("The day must be today or later.")]
    with service.store.write() as session:
        row = owned(session, caller, report_id)
        require_match(service, session, row, if_match)
        if terms.listed is not UNSET:
            columns["listed"] = int(terms.listed)
            if terms.listed and row.privacy != Privacy.PUBLIC:
                errors["listed"] = [later("Search engines may list public reports only.")]
        if errors:
            raise ValidationFailed(errors)
        if columns:
            session.reports.change(row.id, int(moment.timestamp()), **columns)
        return _link(service, session, owned(session, caller, report_id))


def _end_of(day: date) -> int:
    return int(datetime.combine(min(day, MAX_DAY) + timedelta(days=1), time(), UTC).timestamp())


def renew(service: Service, caller: Caller, report_id: int, if_match: str | None = None) -> LinkView:
    """Replace the link. The old one and its unlocked sessions end at once. Raises NotFound, PreconditionFailed."""
    require(caller, WRITE)
    public_id = secrets.token_urlsafe(PUBLIC_ID_BYTES)
    with service.store.write() as session:
        row = owned(session, caller, report_id)
        require_match(service, session, row, if_match)
        version = row.password_version + 1
        session.reports.change(row.id, int(now().timestamp()), public_id=public_id, password_version=version)
        return _link(service, session, owned(session, caller, report_id))
