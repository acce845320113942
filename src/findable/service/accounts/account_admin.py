"""Accounts, and their administration by the operator."""

import re

from msgspec import structs

from findable.errors import NotFound, ValidationFailed, require_found
from findable.service.accounts.callers import caller_of
from findable.service.runtime import audit_log
from findable.service.runtime.service import Service
from findable.service.values.account_values import AccountView
from findable.service.values.audit_log_values import AuditAction
from findable.service.values.caller import OWNER, Caller
from findable.service.values.views import view_of
from findable.store.rows import AccountRow, PersonRow
from findable.store.store_protocol import Session as Transaction
from findable.wording import later

_MAX_EMAIL_CHARS = 254
_MAX_NAME_CHARS = 200


def create_account(service: Service, email: str, name: str = "") -> AccountView:
    """Create an account with its first person. Raises ValidationFailed on ``email`` (not an email address, or taken)."""
    address = email_of(email)
    with service.store.write() as session:
        require_free(session, address)
        display_name = name_of(name)
        session.accounts.add(address, display_name or address.partition("@")[0], session.moment, display_name)
        row = require_found(session.accounts.by_email(address))
        return _view(service, row)


def email_of(text: str, field: str = "email") -> str:
    """Return a normalized email address. Raises ValidationFailed for the field if it is not one."""
    address = text.strip().lower()
    if not re.fullmatch(r"(?!.*=\?)[^\s@<>,;]+@[^\s@<>,;]+", address) or len(address) > _MAX_EMAIL_CHARS or not address.isprintable():
        raise ValidationFailed({field: [later("The email must be a valid email address.")]})
    return address


def name_of(text: str) -> str:
    """Return a normalized name: one line, truncated."""
    return "".join(mark for mark in " ".join(text.split()) if mark.isprintable())[:_MAX_NAME_CHARS]


def require_free(session: Transaction, address: str) -> None:
    """Raise ValidationFailed if the email address is taken."""
    if session.people.by_email(address) or session.accounts.by_email(address):
        raise ValidationFailed({"email": [later("There is already an account with that email address.")]})


def find_account(service: Service, email: str) -> AccountView | None:
    """Return the account with the email address, None if there is none."""
    with service.store.read() as session:
        row = session.accounts.by_email(email.strip().lower())
    return _view(service, row) if row else None


def all_people(service: Service) -> list[tuple[str, PersonRow]]:
    """Return everyone who can sign in, with the names of their accounts, by account; for the operator."""
    with service.store.read() as session:
        return [(account, person) for account, person in session.people.all_accounts() if person.disabled_at is None]


def set_operator(service: Service, email: str, *, is_operator: bool) -> None:
    """Grant a person the operator role, or remove it. Raises NotFound."""
    with service.store.write() as session:
        person = active_person(session, email)
        session.people.change(person.id, is_operator=int(is_operator))
        said = "yes" if is_operator else "no"
        audit_log.write(session, person.account_id, None, AuditAction.OPERATOR_CHANGED, person.email, operator=said)


def owner_caller(service: Service, email: str | None) -> Caller:
    """Return an owner for commands of the operator: the person with that email address, or the first owner of the only account.

    Raises NotFound for an unknown person, ValidationFailed if no person is given and there are several accounts.
    """
    with service.store.read() as session:
        if email is not None:
            return caller_of(active_person(session, email), {})
        owners = [row for _, row in session.people.all_accounts() if row.disabled_at is None and row.role == OWNER]
    if not owners:
        raise ValidationFailed({"to": [later("There is no account yet. Create one first.")]})
    if len({row.account_id for row in owners}) > 1:
        raise ValidationFailed({"to": [later("There are several accounts: name an owner.")]})
    return caller_of(owners[0], {})


def has_accounts(service: Service) -> bool:
    """Return whether there is an account; at the first start there is none."""
    with service.store.read() as session:
        return session.accounts.any()


def info(service: Service, caller: Caller) -> AccountView:
    """Return the caller's account with limits, and the usage that the caller may see."""
    with service.store.read() as session:
        row = require_found(session.accounts.by_id(caller.account_id))
        if caller.only_projects_of is not None:
            seen = (session.projects.by_id(caller.account_id, number) for number in caller.grants)
            known = [project for project in seen if project is not None]
            row = structs.replace(row, reports=sum(project.reports for project in known), projects=len(known))
    return _view(service, row)


def active_person(session: Transaction, email: str) -> PersonRow:
    """Return the person with that email address, who can sign in. Raises NotFound."""
    row = session.people.by_email(email.strip().lower())
    if row is None or row.disabled_at is not None:
        raise NotFound(f"There is no account of {email}.")
    return row


def _view(service: Service, row: AccountRow) -> AccountView:
    limit = service.settings.rate_limit
    return view_of(
        AccountView,
        row,
        reports_count=row.reports,
        projects_count=row.projects,
        limits={"requests_per_minute": limit, "reports_in_queue": service.settings.queue_limit if limit else 0},
    )
