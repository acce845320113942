"""Project, access and password of new reports and crawls, and changes of access and password."""

from collections.abc import Iterable
from typing import Any

from findable.errors import Forbidden, ValidationFailed
from findable.service.accounts.permissions import may
from findable.service.results.shareable import Shared
from findable.service.runtime.passwords import MAX_PASSWORD_BYTES, is_too_long
from findable.service.runtime.service import Service
from findable.service.runtime.signing_secret import link_salt
from findable.service.values.caller import MEMBER, Caller
from findable.store.store_protocol import Session
from findable.urls import project_name
from findable.vocabulary import STRICTNESS, Privacy
from findable.wording import Message, later

NOT_THERE = later("You may make reports and crawls only in projects where you are a member.")
OTHER_PROJECT = later("The URL does not belong to this project.")
PASSWORD_NEEDED = later("The password field is required when privacy is 2.")
PASSWORD_TOO_LONG = Message(later("The password must not be longer than %(most)s bytes."), most=MAX_PASSWORD_BYTES)
PUBLIC_ID_BYTES = 16


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


def password_errors(privacy: Privacy | None, password: str | None) -> dict[str, list[str]]:
    """Return errors of the password for a new object."""
    if privacy is not Privacy.PASSWORD:
        return {}
    if not password:
        return {"password": [PASSWORD_NEEDED]}
    return {"password": [PASSWORD_TOO_LONG]} if is_too_long(password) else {}


def password_hash(service: Service, caller: Caller, privacy: Privacy | None, password: str | None) -> str | None:
    """Return the hash to store for the password of a new object."""
    if privacy is not Privacy.PASSWORD or not password:
        return None
    return service.passwords.hash(password, link_salt(service.secret, caller.account_id))


def new_password_hash(service: Service, caller: Caller, privacy: Privacy, password: str | None) -> str | None:
    """Return the hash of a new password; None if none was sent or needed. Raises ValidationFailed if it is too long."""
    if password and is_too_long(password):
        raise ValidationFailed({"password": [PASSWORD_TOO_LONG]})
    return password_hash(service, caller, privacy, password)


def access_changes(row: Shared, privacy: Privacy, password_hash: str | None) -> dict[str, Any]:
    """Return the columns that change. Raises ValidationFailed if a required password is missing."""
    if privacy is not Privacy.PASSWORD:
        password_hash = None
    elif password_hash is None:
        password_hash = row.password_hash
        if password_hash is None:
            raise ValidationFailed({"password": [PASSWORD_NEEDED]})
    if int(privacy) == row.privacy and password_hash == row.password_hash:
        return {}
    changed = {"privacy": int(privacy), "password_hash": password_hash, "password_version": row.password_version + 1}
    return changed if privacy is Privacy.PUBLIC else {**changed, "is_listed": 0}  # permanently: a report made public again is not listed
