"""Invitations of people to an account, and to one of its projects."""

import secrets
from datetime import UTC, datetime, timedelta

from msgspec import Struct

from findable.errors import ValidationFailed, collected_in, require_found, require_valid
from findable.service.accounts import sessions
from findable.service.accounts.account_admin import email_of, name_of, require_free
from findable.service.accounts.people import NOT_A_ROLE, require_current_role, valid_address
from findable.service.accounts.permissions import require_person
from findable.service.accounts.sessions import SignInClient
from findable.service.accounts.sign_in_emails import queue_invitation_email
from findable.service.runtime import audit_log
from findable.service.runtime.service import Service
from findable.service.runtime.signing_secret import sign
from findable.service.values.account_values import InvitationView, Session
from findable.service.values.audit_log_values import AuditAction
from findable.service.values.caller import OWNER, PROJECTS, ROLES, Caller
from findable.service.values.presentation import brand_of
from findable.store.rows import InvitationRow, ProjectRow
from findable.store.store_protocol import Session as Transaction
from findable.urls import project_words
from findable.wording import later

INVITATION_LIFE = timedelta(days=7)
MAX_INVITATIONS = 100
"""Maximum number of open invitations of an account."""


class NewInvitation(Struct, frozen=True):
    """Invitation with its link, which appears only once."""

    url: str
    invitation: InvitationView
    is_mailed: bool
    """Whether the link was sent by email."""


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
        require_current_role(session, caller, OWNER)
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
    address = valid_address(offered.email or email, password, name) if has_password else email_of(offered.email or email)
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
    link = session.links.of("project", project.id) if project else None
    return InvitationView(
        id=_invitation_id(service, row),
        role=row.role,
        email=row.email or "",
        project=project_words(project.name, project.title) if project else "",
        project_id=row.project_id,
        brand=brand_of(link),
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
