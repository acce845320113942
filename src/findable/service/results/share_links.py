"""Settings of an owner for the link of a report or crawl: expiry, search engine listing, renewal, access."""

import secrets
from datetime import UTC, date, datetime, time, timedelta

from msgspec import UNSET, Struct, UnsetType

from findable.clock import now
from findable.errors import require_found, require_valid
from findable.service.accounts.permissions import reading, require, writing
from findable.service.results.access_settings import PUBLIC_ID_BYTES, access_changes, new_password_hash
from findable.service.results.shareable import Shareable, Shared, matching_row
from findable.service.runtime import audit_log
from findable.service.runtime.service import Service
from findable.service.values.caller import WRITE, Caller
from findable.service.values.presentation import presentation_of
from findable.store.share_link_statements import LinkRow
from findable.store.store_protocol import Session
from findable.vocabulary import Privacy
from findable.wording import later

MAX_DAY = date(2999, 12, 31)


class TermChanges(Struct, frozen=True):
    """Changes of the end date and the search engine listing of a link; fields that were not sent stay unchanged."""

    until: date | UnsetType | None = UNSET
    """Last day (UTC) of guest access; None for no end."""
    listed: bool | UnsetType = UNSET


NO_TERMS = TermChanges()


def is_expired(link: LinkRow) -> bool:
    """Return whether guest access has ended."""
    return link.expires_at is not None and link.expires_at <= int(now().timestamp())


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


def link(service: Service, caller: Caller, target: Shareable[Shared], number: int) -> LinkView:
    """Return the link of a report or a crawl. Raises NotFound."""
    with reading(service, caller) as session:
        return _link(service, session, target.get_owned(session, caller, number), target)


def _link(service: Service, session: Session, row: Shared, target: Shareable[Shared]) -> LinkView:
    terms = presentation_of(require_found(session.links.of(target.kind, row.id)), target.sections)
    return LinkView(row.id, row.public_id, terms.last_day, terms.is_listed, target.etag(service, session, row))


def set_terms(
    service: Service, caller: Caller, target: Shareable[Shared], number: int, terms: TermChanges, if_match: str | None = None
) -> LinkView:
    """Set the end of guest access, and whether search engines may index the page.

    Raises NotFound, ValidationFailed, PreconditionFailed.
    """
    with writing(service, caller) as session:
        row = matching_row(service, session, caller, number, if_match, target)
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
        row = matching_row(service, session, caller, number, if_match, target)
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
