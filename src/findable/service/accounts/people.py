"""People of an account, their roles and removal."""

from collections.abc import Iterable
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from findable.errors import ValidationFailed, collected_in, require_found, require_valid
from findable.service.accounts.account_admin import email_of
from findable.service.accounts.permissions import may, require_person, require_role
from findable.service.runtime import audit_log
from findable.service.runtime.passwords import problem_of
from findable.service.runtime.service import Service
from findable.service.values.audit_log_values import AuditAction
from findable.service.values.caller import OWNER, PROJECTS, ROLES, VIEWER, Caller
from findable.service.values.views import moment as moment_of
from findable.service.values.views import view_of
from findable.store.rows import PersonRow
from findable.store.store_protocol import Session as Transaction
from findable.wording import later

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


def myself(service: Service, caller: Caller) -> PersonView:
    """Return the calling person."""
    require_person(caller)
    with service.store.read() as session:
        return next(person for person in everybody(session, caller) if person.is_caller)


def valid_address(email: str, password: str, name: str) -> str:
    """Return the normalized email address. Raises ValidationFailed for it and for the password at once."""
    address, wrong = "", dict[str, list[str]]()
    with collected_in(wrong):
        address = email_of(email)
    if problem := problem_of(password, address, name):
        wrong["password"] = [problem]
    require_valid(wrong)
    return address


def require_current_role(session: Transaction, caller: Caller, role: str) -> None:
    """Check the caller's role again, because it may have changed meanwhile. Raises NotFound, Forbidden."""
    require_role(replace(caller, role=current_person(session, caller).role), role)


def current_person(session: Transaction, caller: Caller) -> PersonRow:
    """Return the calling person. Raises NotFound."""
    return require_found(session.people.by_id(caller.user_id))


def list_people(service: Service, caller: Caller) -> tuple[PersonView, ...]:
    """Return the people of the caller's account, oldest first; for people with roles in single projects, only themselves."""
    require_person(caller)
    with service.store.read() as session:
        found = everybody(session, caller)
    return found if may(caller, VIEWER) else tuple(person for person in found if person.is_caller)


def change_role(service: Service, caller: Caller, person_id: int, role: str) -> None:
    """Set the role of a person. Raises NotFound, and ValidationFailed if no owner would remain."""
    require_person(caller, OWNER)
    if role not in ROLES:
        raise ValidationFailed({"role": [NOT_A_ROLE]})
    with service.store.write() as session:
        require_current_role(session, caller, OWNER)
        person = _with_id(everybody(session, caller), person_id)
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
        require_current_role(session, caller, PROJECTS if person_id == caller.user_id else OWNER)
        person = _with_id(everybody(session, caller), person_id)
        if person.is_last_owner:
            raise ValidationFailed({"role": [LAST_OWNER]})
        audit_log.record(session, caller, AuditAction.REMOVED, person.email)
        session.people.remove(person.id)
        account = session.accounts.by_id(caller.account_id)
        if account is not None and account.email == person.email:
            heir = next(other for other in everybody(session, caller) if other.role == OWNER)
            session.accounts.change(account.id, email=heir.email)


def everybody(session: Transaction, caller: Caller) -> tuple[PersonView, ...]:
    """Return all people of the caller's account, oldest first."""
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
