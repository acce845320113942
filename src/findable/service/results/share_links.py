"""Settings of an owner for the link of a report or crawl: texts for the client, expiry, search engine listing, renewal, access."""

import secrets
from datetime import UTC, date, datetime, time, timedelta

from msgspec import UNSET, Struct, UnsetType

from findable.checks.engine import all_checks
from findable.clock import now
from findable.errors import collected_in, require_found, require_valid
from findable.service.accounts.permissions import reading, require, writing
from findable.service.results.access_settings import PUBLIC_ID_BYTES, access_changes, new_password_hash
from findable.service.results.shareable import Shareable, Shared, require_match
from findable.service.runtime import audit_log
from findable.service.runtime.service import Service
from findable.service.values.caller import WRITE, Caller
from findable.service.values.presentation import ClientView, Presentation, client_json, presentation_of
from findable.store.store_protocol import Session
from findable.vocabulary import Privacy
from findable.wording import Message, later

SUMMARY_CHARS = 10_000
NOTE_CHARS = 2_000
PERSON_CHARS = 200
NOTES_CHARS = 100_000
"""Maximum length of all notes of a report together."""
MAX_DAY = date(2999, 12, 31)


class TermChanges(Struct, frozen=True):
    """Changes of the end date and the search engine listing of a link; fields that were not sent stay unchanged."""

    until: date | UnsetType | None = UNSET
    """Last day (UTC) of guest access; None for no end."""
    listed: bool | UnsetType = UNSET


NO_TERMS = TermChanges()


class LinkView(Struct, frozen=True):
    """Link of a report or a crawl."""

    id: int
    """Id of the report or crawl."""
    public_id: str
    until: date | None
    """Last day (UTC) of guest access; None for no end."""
    is_listed: bool
    """Whether search engines may index it."""
    etag: str
    """ETag of the report or crawl."""


def presentation(service: Service, caller: Caller, target: Shareable[Shared], number: int) -> Presentation:
    """Return the texts and choices for the client. Raises NotFound."""
    with reading(service, caller) as session:
        return _presentation(session, target.get_owned(session, caller, number), target)


def _presentation(session: Session, row: Shared, target: Shareable[Shared]) -> Presentation:
    return presentation_of(require_found(target.link(session, row.id)), target.sections)


def _matching_row(
    service: Service, session: Session, caller: Caller, number: int, if_match: str | None, target: Shareable[Shared]
) -> Shared:
    """Return the caller's object. Raises NotFound, and PreconditionFailed if ``If-Match`` contains only other versions."""
    row = target.get_owned(session, caller, number)
    require_match(target.etag(service, session, row), if_match)
    return row


def write(
    service: Service, caller: Caller, target: Shareable[Shared], number: int, new: ClientView, if_match: str | None = None
) -> ClientView:
    """Replace the texts and choices for the client; an empty note is removed. Raises NotFound, ValidationFailed, PreconditionFailed."""
    require(caller, WRITE)
    client, errors = _valid_client(new, target.sections)
    with collected_in(errors):
        target.require_valid_summary(client.summary)
    with service.store.write() as session:
        row = _matching_row(service, session, caller, number, if_match, target)
        if client.run is not None and not target.has_run(session, row.id, client.run):
            errors["run"] = [later("The run must be one of this report that has a result.")]
        require_valid(errors)
        target.change(session, row.id, client=client_json(client, target.sections))
        audit_log.record(session, caller, target.changed, row.url, fields="client")
    return client


def _valid_client(new: ClientView, choices: tuple[str, ...]) -> tuple[ClientView, dict[str, list[str]]]:
    errors: dict[str, list[str]] = {}
    summary = _normalize(new.summary)
    notes = {check: text for check, sent in new.notes.items() if (text := _normalize(sent))}
    by, to = " ".join(new.prepared_by.split()), " ".join(new.prepared_for.split())
    for name, text, most in (("summary", summary, SUMMARY_CHARS), ("prepared_by", by, PERSON_CHARS), ("prepared_for", to, PERSON_CHARS)):
        if len(text) > most:
            errors[name] = [_too_long(most)]
    if any(len(text) > NOTE_CHARS for text in notes.values()):
        errors["notes"] = [_too_long(NOTE_CHARS)]
    elif sum(map(len, notes.values())) > NOTES_CHARS:
        errors["notes"] = [Message(later("All notes together may have at most %(most)s characters."), most=NOTES_CHARS)]
    unknown = sorted(check for check in new.notes if check not in all_checks())
    if unknown:
        errors["notes"] = [Message(later("There is no check called %(name)s."), name=unknown[0][:80])]
    chosen = set(new.sections)
    if chosen - set(choices):
        errors["sections"] = [Message(later("The sections must be among: %(names)s."), names=", ".join(choices))]
    sections = tuple(name for name in choices if name in chosen)
    return ClientView(summary, notes, by, to, sections, new.run), errors


def _normalize(text: str) -> str:
    """Normalize line ends and remove trailing blanks."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join(line.rstrip() for line in lines).strip("\n")


def _too_long(most: int) -> str:
    return Message(later("At most %(most)s characters are allowed."), most=most)


def link(service: Service, caller: Caller, target: Shareable[Shared], number: int) -> LinkView:
    """Return the link of a report or a crawl. Raises NotFound."""
    with reading(service, caller) as session:
        return _link(service, session, target.get_owned(session, caller, number), target)


def _link(service: Service, session: Session, row: Shared, target: Shareable[Shared]) -> LinkView:
    terms = _presentation(session, row, target)
    return LinkView(row.id, row.public_id, terms.last_day, terms.is_listed, target.etag(service, session, row))


def set_terms(
    service: Service, caller: Caller, target: Shareable[Shared], number: int, terms: TermChanges, if_match: str | None = None
) -> LinkView:
    """Set the end of guest access, and whether search engines may index the page.

    Raises NotFound, ValidationFailed, PreconditionFailed.
    """
    with writing(service, caller) as session:
        row = _matching_row(service, session, caller, number, if_match, target)
        _set_terms(session, caller, row, terms, target)
        return _link(service, session, target.get_owned(session, caller, number), target)


def _set_terms(session: Session, caller: Caller, row: Shared, terms: TermChanges, target: Shareable[Shared]) -> None:
    """Set the terms that were sent. Raises ValidationFailed."""
    columns: dict[str, int | None] = {}
    errors: dict[str, list[str]] = {}
    if terms.until is not UNSET:
        columns["link_expires_at"] = None if terms.until is None else _midnight_after(terms.until)
        if terms.until is not None and not now().date() <= terms.until <= MAX_DAY:
            errors["until"] = [later("The day must be today or later.")]
    if terms.listed is not UNSET:
        columns["is_listed"] = int(terms.listed)
        if terms.listed and row.privacy != Privacy.PUBLIC:
            errors["listed"] = [later("Search engines may list public reports only.")]
    require_valid(errors)
    if columns:
        target.change(session, row.id, **columns)
        listed = None if terms.listed is UNSET else str(bool(terms.listed)).lower()
        until = None if terms.until is UNSET else terms.until or "none"
        audit_log.record(session, caller, target.shared, row.url, until=until, listed=listed)


def _midnight_after(day: date) -> int:
    return int(datetime.combine(min(day, MAX_DAY) + timedelta(days=1), time(), UTC).timestamp())


def renew(service: Service, caller: Caller, target: Shareable[Shared], number: int, if_match: str | None = None) -> LinkView:
    """Replace the link. The old link and its unlock cookies become invalid immediately. Raises NotFound, PreconditionFailed."""
    require(caller, WRITE)
    public_id = secrets.token_urlsafe(PUBLIC_ID_BYTES)
    with service.store.write() as session:
        row = _matching_row(service, session, caller, number, if_match, target)
        target.change(session, row.id, public_id=public_id, password_version=row.password_version + 1)
        audit_log.record(session, caller, target.shared, row.url, link="new")
        return _link(service, session, target.get_owned(session, caller, number), target)


def set_access(
    service: Service,
    caller: Caller,
    target: Shareable[Shared],
    number: int,
    privacy: Privacy,
    password: str | None,
    terms: TermChanges = NO_TERMS,
) -> LinkView:
    """Change the access and the terms together; without a password the stored one stays. Raises NotFound, ValidationFailed."""
    require(caller, WRITE)
    hashed = new_password_hash(service, caller, privacy, password)
    with service.store.write() as session:
        row = target.get_owned(session, caller, number)
        if changed := access_changes(row, privacy, hashed):
            target.change(session, row.id, **changed)
            audit_log.record(session, caller, target.shared, row.url, privacy=privacy.name.lower())
        _set_terms(session, caller, target.get_owned(session, caller, number), terms, target)
        return _link(service, session, target.get_owned(session, caller, number), target)
