"""People of an account: their settings, and the actions of owners on other people."""

import secrets
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from msgspec import Struct
from msgspec.structs import replace

from findable.errors import NotFound, ValidationFailed, collected_in, require_found, require_valid
from findable.service.accounts import sessions, time_zones
from findable.service.accounts.account_admin import email_of, name_of, require_free
from findable.service.accounts.callers import session_hash
from findable.service.accounts.permissions import may, require_person, require_role
from findable.service.accounts.sessions import SignInClient
from findable.service.accounts.sign_in_emails import queue_invitation_email
from findable.service.runtime import audit_log
from findable.service.runtime.guessing_limits import FREE_TRIES, count_try
from findable.service.runtime.passwords import problem_of
from findable.service.runtime.service import Service
from findable.service.runtime.signing_secret import sign
from findable.service.values.account_values import InvitationView, Session
from findable.service.values.audit_log_values import AuditAction
from findable.service.values.caller import OWNER, PROJECTS, ROLES, VIEWER, Caller
from findable.service.values.presentation import BrandView, brand_of
from findable.service.values.views import moment as moment_of
from findable.service.values.views import view_of
from findable.store.rows import InvitationRow, PersonRow, ProjectRow
from findable.store.store_protocol import Session as Transaction
from findable.urls import project_words
from findable.wording import LANGUAGES, later

INVITATION_LIFE = timedelta(days=7)
MAX_INVITATIONS = 100
"""Maximum number of open invitations of an account."""
WRONG_PASSWORD = later("The current password is wrong.")
NOT_A_ROLE = later("The role must be owner, member, viewer or projects.")
LAST_OWNER = later("An account needs an owner. Make another person an owner first.")


class PersonView(Struct, frozen=True):
    """Person in an account."""

    id: int
    email: str
    name: str
    role: str
    """Role in the account, one of `caller.ROLES`."""
    language: str | None
    """Key of `wording.LANGUAGES`; None for the browser's language."""
    time_zone: str | None
    """IANA name; None for UTC."""
    has_password: bool
    joined_at: datetime
    is_caller: bool
    is_last_owner: bool

    @property
    def display_name(self) -> str:
        """Name of the person, or the email address if there is no name."""
        return self.name or self.email


class NewInvitation(Struct, frozen=True):
    """Invitation with its link, which appears only once."""

    url: str
    invitation: InvitationView
    is_mailed: bool
    """Whether the link was sent by email."""


# --- own settings -----------------------------------------------------------------------------------------------------


def myself(service: Service, caller: Caller) -> PersonView:
    """Return the calling person."""
    require_person(caller)
    with service.store.read() as session:
        return next(person for person in _everybody(session, caller) if person.is_caller)


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
        person = _current_person(session, caller)
        if address != person.email:
            require_free(session, address)
            _change_address(session, person, address)
            audit_log.record(session, caller, AuditAction.EMAIL_CHANGED, address, before=person.email)


def needs_no_password(service: Service, caller: Caller, token: str) -> bool:
    """Return whether the caller may set a password without the current one: because there is none, or because of a one-time link."""
    require_person(caller)
    with service.store.read() as session:
        return _needs_no_password(service, session, _current_person(session, caller), token)


def change_password(service: Service, caller: Caller, token: str, client: SignInClient, *, present: str, password: str) -> Session:
    """Set the password and end every session; the current browser gets a new one.

    Raises ValidationFailed (``present``, ``password``), RateLimited, and NotFound if sign-in by password is turned off.
    """
    require_person(caller)
    if not service.settings.sign_in_password:
        raise NotFound
    with service.store.read() as session:
        person = _current_person(session, caller)
        is_free = _needs_no_password(service, session, person, token)
    if problem := problem_of(password, person.email, person.name):
        raise ValidationFailed({"password": [problem]})
    if not is_free:
        _require_password(service, caller, present, "present")
    hashed = service.passwords.hash(password)
    with service.store.write() as session:
        person = _current_person(session, caller)
        return _set_password(service, session, person, hashed, client)


def welcome(service: Service, caller: Caller, token: str, client: SignInClient, *, name: str, email: str, password: str) -> Session:
    """Set name, email address and password of a person who used a one-time link. Every other session ends.

    Raises ValidationFailed (``email``, ``password``), and NotFound if the current password is required.
    """
    require_person(caller)
    address = _valid_address(email, password, name)
    hashed = service.passwords.hash(password)
    with service.store.write() as session:
        person = _current_person(session, caller)
        if not _needs_no_password(service, session, person, token):
            raise NotFound
        _name_account(session, person, name_of(name))
        if address != person.email:
            require_free(session, address)
            _change_address(session, person, address)
        session.people.change(person.id, name=name_of(name))
        return _set_password(service, session, person, hashed, client)


def _valid_address(email: str, password: str, name: str) -> str:
    """Return the normalized email address. Raises ValidationFailed for it and for the password at once."""
    address, wrong = "", dict[str, list[str]]()
    with collected_in(wrong):
        address = email_of(email)
    if problem := problem_of(password, address, name):
        wrong["password"] = [problem]
    require_valid(wrong)
    return address


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
        person = _current_person(session, caller)
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


def _require_current_role(session: Transaction, caller: Caller, role: str) -> None:
    """Check the caller's role again, because it may have changed meanwhile. Raises NotFound, Forbidden."""
    require_role(replace(caller, role=_current_person(session, caller).role), role)


def _current_person(session: Transaction, caller: Caller) -> PersonRow:
    return require_found(session.people.by_id(caller.user_id))


# --- other people -----------------------------------------------------------------------------------------------------


def list_people(service: Service, caller: Caller) -> tuple[PersonView, ...]:
    """Return the people of the caller's account, oldest first; for people with roles in single projects, only themselves."""
    require_person(caller)
    with service.store.read() as session:
        found = _everybody(session, caller)
    return found if may(caller, VIEWER) else tuple(person for person in found if person.is_caller)


def change_role(service: Service, caller: Caller, person_id: int, role: str) -> None:
    """Set the role of a person. Raises NotFound, and ValidationFailed if no owner would remain."""
    require_person(caller, OWNER)
    if role not in ROLES:
        raise ValidationFailed({"role": [NOT_A_ROLE]})
    with service.store.write() as session:
        _require_current_role(session, caller, OWNER)
        person = _with_id(_everybody(session, caller), person_id)
        if person.is_last_owner and role != OWNER:
            raise ValidationFailed({"role": [LAST_OWNER]})
        session.people.change(person.id, role=role)
        audit_log.record(session, caller, AuditAction.ROLE_CHANGED, person.email, role=role, before=person.role)
        if role != OWNER:
            session.invitations.withdraw_by(person.id)


def remove(service: Service, caller: Caller, person_id: int) -> None:
    """Remove a person from the account: their sessions and keys end immediately. Everyone may remove themselves.

    Raises NotFound, and ValidationFailed if no owner would remain.
    """
    require_person(caller)
    if person_id != caller.user_id:
        require_person(caller, OWNER)
    with service.store.write() as session:
        _require_current_role(session, caller, PROJECTS if person_id == caller.user_id else OWNER)
        person = _with_id(_everybody(session, caller), person_id)
        if person.is_last_owner:
            raise ValidationFailed({"role": [LAST_OWNER]})
        audit_log.record(session, caller, AuditAction.REMOVED, person.email)
        session.people.remove(person.id)
        account = session.accounts.by_id(caller.account_id)
        if account is not None and account.email == person.email:
            heir = next(other for other in _everybody(session, caller) if other.role == OWNER)
            session.accounts.change(account.id, email=heir.email)


def delete_account(service: Service, caller: Caller, password: str) -> None:
    """Delete the account: nobody can sign in and its reports disappear immediately; the rows are deleted in the background.

    Raises ValidationFailed (``password``), RateLimited.
    """
    require_person(caller, OWNER)
    _require_password(service, caller, password)
    with service.store.write() as session:
        _require_current_role(session, caller, OWNER)
        for person in _everybody(session, caller):
            session.people.remove(person.id)
        for project_id in session.projects.all_of(caller.account_id):
            session.projects.mark_deleted(caller.account_id, project_id, session.moment)
        session.accounts.change(caller.account_id, email=f"deleted:{caller.account_id}", name="")
    service.events.publish_queued()  # wake up the housekeeping


def _everybody(session: Transaction, caller: Caller) -> tuple[PersonView, ...]:
    rows = session.people.of_account(caller.account_id)
    owners = sum(row.role == OWNER for row in rows)
    return tuple(
        view_of(
            PersonView,
            row,
            has_password=row.password_hash is not None,
            joined_at=moment_of(row.created_at),
            is_caller=row.id == caller.user_id,
            is_last_owner=row.role == OWNER and owners == 1,
        )
        for row in rows
    )


def _with_id(people: Iterable[PersonView], person_id: int) -> PersonView:
    return require_found(next((person for person in people if person.id == person_id), None))


# --- invitations ------------------------------------------------------------------------------------------------------


def invite(service: Service, caller: Caller, *, role: str, email: str, project_id: int | None = None) -> NewInvitation:
    """Create a link for one person to join within seven days. It can be limited to an email address and to one project.

    Raises ValidationFailed (``role``, ``email``), RateLimited.
    """
    require_person(caller, OWNER)
    wrong: dict[str, list[str]] = {}
    address = ""
    if role not in ROLES or role == PROJECTS:
        wrong["role"] = [NOT_A_ROLE]
    with collected_in(wrong):
        address = email_of(email) if email.strip() else ""
    require_valid(wrong)
    token = secrets.token_urlsafe(32)
    hashed = _invitation_hash(service, token)
    with service.store.write() as session:
        if address:
            require_free(session, address)
        _require_current_role(session, caller, OWNER)
        if len(session.invitations.of_account(caller.account_id, session.moment)) >= MAX_INVITATIONS:
            raise ValidationFailed({"email": [later("There are too many open invitations. Withdraw some first.")]})
        session.invitations.add(
            {
                "token_hash": hashed,
                "account_id": caller.account_id,
                "role": role,
                "email": address or None,
                "invited_by": caller.user_id,
                "project_id": project_id,
                "created_at": session.moment,
                "expires_at": session.moment + int(INVITATION_LIFE.total_seconds()),
            }
        )
        row = require_found(session.invitations.open(hashed, session.moment))
        audit_log.record(session, caller, AuditAction.INVITED, address, role=role, project=_project_name(session, row))
        shown, url = _invitation_view(service, session, row), f"{service.settings.base_url}/invitation/{token}"
        is_mailed = False
        if address:
            is_mailed = queue_invitation_email(service, session, caller, shown, url)
    service.events.publish_queued()
    return NewInvitation(url, shown, is_mailed)


def invitations(service: Service, caller: Caller) -> tuple[InvitationView, ...]:
    """Return the open invitations of the account, newest first."""
    require_person(caller, OWNER)
    with service.store.read() as session:
        rows = session.invitations.of_account(caller.account_id, session.moment)
        return tuple(_invitation_view(service, session, row) for row in rows)


def withdraw(service: Service, caller: Caller, invitation_id: str) -> None:
    """Withdraw an open invitation. Raises NotFound."""
    require_person(caller, OWNER)
    with service.store.write() as session:
        rows = session.invitations.of_account(caller.account_id, session.moment)
        row = require_found(next((row for row in rows if _invitation_id(service, row) == invitation_id), None))
        session.invitations.remove(row.token_hash)
        audit_log.record(session, caller, AuditAction.INVITATION_WITHDRAWN, row.email or "", role=row.role)


def invitation(service: Service, token: str) -> InvitationView | None:
    """Return the invitation of a link; None if it was accepted, withdrawn or has expired."""
    with service.store.read() as session:
        row = session.invitations.open(_invitation_hash(service, token), session.moment)
        return None if row is None else _invitation_view(service, session, row)


def join(service: Service, token: str, client: SignInClient, *, name: str, email: str, password: str) -> Session | None:
    """Accept an invitation and sign in; None if it is no longer valid.

    The email address of an invitation that was sent by email cannot be changed.

    If sign-in by password is turned off, no password is set: the provider or proxy identifies the person by the email address. Raises
    ValidationFailed (``email``, ``password``).
    """
    offered = invitation(service, token)
    if offered is None:
        return None
    has_password = service.settings.sign_in_password
    address = _valid_address(offered.email or email, password, name) if has_password else email_of(offered.email or email)
    hashed = service.passwords.hash(password) if has_password else None
    with service.store.write() as session:
        row = session.invitations.open(_invitation_hash(service, token), session.moment)
        if row is None:
            return None
        require_free(session, address)
        person_id = session.people.add(
            {
                "account_id": row.account_id,
                "email": address,
                "name": name_of(name),
                "role": row.role if row.project_id is None else PROJECTS,
                "password_hash": hashed,
                "created_at": session.moment,
            }
        )
        if row.project_id is not None:
            session.roles.grant(row.project_id, person_id, row.role, session.moment)
        session.invitations.remove(row.token_hash)
        person = session.people.by_id(person_id)
        if person is None:
            return None
        project = _project_name(session, row)
        audit_log.write(session, row.account_id, person_id, AuditAction.JOINED, person.email, role=row.role, project=project)
        return sessions.begin(service, session, person, client, method="invitation")


def _invitation_view(service: Service, session: Transaction, row: InvitationRow) -> InvitationView:
    account = session.accounts.by_id(row.account_id)
    inviter = session.people.by_id(row.invited_by) if row.invited_by is not None else None
    project = _project_of(session, row)
    link = session.links.of_project(project.id) if project else None
    return InvitationView(
        id=_invitation_id(service, row),
        role=row.role,
        email=row.email or "",
        project=project_words(project.name, project.title) if project else "",
        project_id=row.project_id,
        brand=brand_of(link) if link else BrandView(),
        account=account.name if account else "",
        invited_by=(inviter.name or inviter.email) if inviter else "",
        expires_at=datetime.fromtimestamp(row.expires_at, UTC),
    )


def _project_of(session: Transaction, row: InvitationRow) -> ProjectRow | None:
    return None if row.project_id is None else session.projects.by_id(row.account_id, row.project_id)


def _project_name(session: Transaction, row: InvitationRow) -> str:
    project = _project_of(session, row)
    return project.name if project else ""


def _invitation_hash(service: Service, token: str) -> bytes:
    return sign(service.secret, "invitation", token)


def _invitation_id(service: Service, row: InvitationRow) -> str:
    return sign(service.secret, "invitation-id", row.token_hash.hex()).hex()[:16]
