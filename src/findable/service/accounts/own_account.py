"""Settings of the signed-in person: profile, email address, password, and deletion of the account."""

from findable.errors import NotFound, ValidationFailed, require_valid
from findable.service.accounts import sessions, time_zones
from findable.service.accounts.account_admin import email_of, name_of, require_free
from findable.service.accounts.callers import session_hash
from findable.service.accounts.people import current_person, everybody, require_current_role, valid_address
from findable.service.accounts.permissions import require_person
from findable.service.accounts.sessions import SignInClient
from findable.service.runtime import audit_log
from findable.service.runtime.attempt_limits import FREE_TRIES, count_try
from findable.service.runtime.passwords import problem_of
from findable.service.runtime.service import Service
from findable.service.values.account_values import Session
from findable.service.values.audit_log_values import AuditAction
from findable.service.values.caller import OWNER, Caller
from findable.store.rows import PersonRow
from findable.store.store_protocol import Session as Transaction
from findable.wording import LANGUAGES, later

WRONG_PASSWORD = later("The current password is wrong.")


def change_profile(service: Service, caller: Caller, *, name: str, language: str, time_zone: str) -> None:
    """Set the caller's name, language and time zone; an empty language selects the browser's language.

    Raises ValidationFailed for an unknown language or time zone.
    """
    require_person(caller)
    wrong: dict[str, list[str]] = {}
    if language and language not in LANGUAGES:
        wrong["language"] = [later("This language is not available.")]
    if time_zone and not time_zones.is_known(time_zone):
        wrong["time_zone"] = [later("This time zone is unknown.")]
    require_valid(wrong)
    with service.store.write() as session:
        session.people.change(caller.user_id, name=name_of(name), language=language or None, time_zone=time_zone or None)


def change_email(service: Service, caller: Caller, *, email: str, password: str) -> None:
    """Set the email address for the caller's sign-in.

    Raises ValidationFailed (``email``, ``password``), RateLimited.
    """
    require_person(caller)
    address = email_of(email)
    _require_password(service, caller, password)
    with service.store.write() as session:
        person = current_person(session, caller)
        if address != person.email:
            require_free(session, address)
            _change_address(session, person, address)
            audit_log.record(session, caller, AuditAction.EMAIL_CHANGED, address, before=person.email)


def needs_no_password(service: Service, caller: Caller, token: str) -> bool:
    """Return whether the caller may set a password without the current one: because there is none, or because of a one-time link."""
    require_person(caller)
    with service.store.read() as session:
        return _needs_no_password(service, session, current_person(session, caller), token)


def change_password(service: Service, caller: Caller, token: str, client: SignInClient, *, present: str, password: str) -> Session:
    """Set the password and end every session; the current browser gets a new one.

    Raises ValidationFailed (``present``, ``password``), RateLimited, and NotFound if sign-in by password is turned off.
    """
    require_person(caller)
    if not service.settings.sign_in_password:
        raise NotFound
    with service.store.read() as session:
        person = current_person(session, caller)
        is_free = _needs_no_password(service, session, person, token)
    if problem := problem_of(password, person.email, person.name):
        raise ValidationFailed({"password": [problem]})
    if not is_free:
        _require_password(service, caller, present, "present")
    hashed = service.passwords.hash(password)
    with service.store.write() as session:
        person = current_person(session, caller)
        return _set_password(service, session, person, hashed, client)


def welcome(service: Service, caller: Caller, token: str, client: SignInClient, *, name: str, email: str, password: str) -> Session:
    """Set name, email address and password of a person who used a one-time link. Every other session ends.

    Raises ValidationFailed (``email``, ``password``), and NotFound if the current password is required.
    """
    require_person(caller)
    address = valid_address(email, password, name)
    hashed = service.passwords.hash(password)
    with service.store.write() as session:
        person = current_person(session, caller)
        if not _needs_no_password(service, session, person, token):
            raise NotFound
        _name_account(session, person, name_of(name))
        if address != person.email:
            require_free(session, address)
            _change_address(session, person, address)
        session.people.change(person.id, name=name_of(name))
        return _set_password(service, session, person, hashed, client)


def _name_account(session: Transaction, person: PersonRow, name: str) -> None:
    """Rename an account that was named after an email address after its first person."""
    account = session.accounts.by_id(person.account_id)
    if name and account is not None and account.email == person.email and account.name == account.email.partition("@")[0]:
        session.accounts.change(account.id, name=name)


def _set_password(service: Service, session: Transaction, person: PersonRow, password_hash: str, client: SignInClient) -> Session:
    session.people.change(person.id, password_hash=password_hash)
    session.sessions.end_of(person.id)
    session.sign_in_links.delete_of(person.id)
    audit_log.write(session, person.account_id, person.id, AuditAction.PASSWORD_CHANGED, person.email)
    return sessions.begin(service, session, person, client, method="password")


def _needs_no_password(service: Service, session: Transaction, person: PersonRow, token: str) -> bool:
    if not service.settings.sign_in_password:
        return False
    return person.password_hash is None or session.sign_in_links.has_started(session_hash(service, token), session.moment)


def _require_password(service: Service, caller: Caller, password: str, field: str = "password") -> None:
    """Require the caller's password, in case someone else uses an unattended computer. Raises ValidationFailed, RateLimited."""
    bucket = f"password:person:{caller.user_id}"
    with service.store.write() as session:
        person = current_person(session, caller)
        count_try(session, {bucket: FREE_TRIES})
    if not service.passwords.is_right(person.password_hash, password):
        raise ValidationFailed({field: [WRONG_PASSWORD]})
    with service.store.write() as session:
        session.expiring.clear_bucket(bucket)


def _change_address(session: Transaction, person: PersonRow, address: str) -> None:
    """Change the email address of the person, and of the account if it had the same."""
    session.people.change(person.id, email=address)
    account = session.accounts.by_id(person.account_id)
    if account is not None and account.email == person.email:
        session.accounts.change(account.id, email=address)


def delete_account(service: Service, caller: Caller, password: str) -> None:
    """Delete the account: nobody can sign in and its reports disappear immediately; the rows are deleted in the background.

    Raises ValidationFailed (``password``), RateLimited.
    """
    require_person(caller, OWNER)
    _require_password(service, caller, password)
    with service.store.write() as session:
        require_current_role(session, caller, OWNER)
        for person in everybody(session, caller):
            session.people.remove(person.id)
        for project_id in session.projects.all_of(caller.account_id):
            session.projects.mark_deleted(caller.account_id, project_id, session.moment)
        session.accounts.change(caller.account_id, email=f"deleted:{caller.account_id}", name="")
    service.events.publish_queued()  # wake up the housekeeping
