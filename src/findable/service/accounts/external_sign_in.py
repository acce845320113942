"""Sign in people identified by an OpenID provider or a trusted proxy."""

from collections.abc import Iterable

from findable.errors import Forbidden, ValidationFailed
from findable.service.accounts import sessions
from findable.service.accounts.account_admin import email_of, name_of
from findable.service.accounts.sessions import EXTERNAL_SESSION_LIFE, SignInClient
from findable.service.runtime import audit_log
from findable.service.runtime.attempt_limits import count_try, network_of
from findable.service.runtime.service import Service
from findable.service.values.account_values import Identity, Session
from findable.service.values.audit_log_values import AuditAction
from findable.service.values.caller import OWNER, ROLES
from findable.store.rows import AccountRow, PersonRow
from findable.store.store_protocol import Session as Transaction
from findable.wording import later

PROXY = "proxy"
"""Issuer of people identified by a trusted proxy; their subject is the email address."""
RESPONSES_OF_NETWORK = 60
"""Responses of the provider that one network may deliver before rate limiting starts."""
NO_EMAIL = later("The provider did not confirm your email address.")
NO_ROLE = later("None of your groups may sign in here.")
NOT_KNOWN = later("Nobody here has your email address. An owner of the account can invite you.")
OTHER_IDENTITY = later("Your email address belongs to another person. Ask the operator.")
DISABLED = later("You may not sign in here.")


def count_response(service: Service, address: str) -> None:
    """Count a response of the provider from the IP address. Raises RateLimited."""
    refusal = later("Too many attempts to sign in.")
    with service.store.write() as session:
        count_try(session, {f"oidc:network:{network_of(address)}": RESPONSES_OF_NETWORK}, refusal)


def proxy_identity(email: str, groups: str) -> Identity | None:
    """Return the identity in the headers of a trusted proxy; None if they contain none."""
    try:
        address = email_of(email)
    except ValidationFailed:
        return None
    return Identity(PROXY, address, address, groups=tuple(group.strip() for group in groups.split(",") if group.strip()))


def role_of(entries: Iterable[str], groups: Iterable[str]) -> str | None:
    """Return the highest role that ``sign_in_roles`` gives to these groups; None if no group has one."""
    members = {*groups, "*"}
    roles = [role for group, _, role in (entry.rpartition("=") for entry in entries) if group in members]
    return max(roles, key=ROLES.index, default=None)


def sign_in(service: Service, identity: Identity, client: SignInClient, old_token: str = "") -> Session:
    """Sign in the person; an existing session of the browser (``old_token``) ends. Raises Forbidden.

    A new identity is linked to the person with its email address. Because addresses are not verified here, all previous credentials of
    that person are revoked: password, links, sessions and keys. Otherwise somebody could register another person's address in advance
    and keep access.
    """
    with service.store.write() as session:
        found = _person(service, session, identity)
        if isinstance(found, PersonRow):
            email, how = (identity.subject, PROXY) if identity.issuer == PROXY else (None, "provider")
            life = EXTERNAL_SESSION_LIFE
            return sessions.begin(service, session, found, client, method=how, life=life, old_token=old_token, proxied_email=email)
    raise Forbidden(found)


def _person(service: Service, session: Transaction, identity: Identity) -> PersonRow | str:
    """Return the person of an identity, or the reason for a refusal. A new identity is linked, or its person added."""
    settings = service.settings
    role = role_of(settings.sign_in_roles, identity.groups)
    known = session.people.of_identity(identity.issuer, identity.subject)
    if settings.sign_in_roles and role is None:
        if known is not None:
            session.sessions.end_of(known.id)
            session.keys.revoke_of(known.id, session.moment)
        return NO_ROLE
    joined = session.accounts.by_email(settings.sign_in_account.lower()) if settings.sign_in_account else session.accounts.oldest()
    found = known or _link_identity(session, identity, joined, role)
    if isinstance(found, str):
        return found
    return DISABLED if found.disabled_at is not None else _with_role(session, found, joined, role)


def _link_identity(session: Transaction, identity: Identity, joined: AccountRow | None, role: str | None) -> PersonRow | str:
    """Link a new identity to the person with its email address, or add a person to the account for new people.

    Return the person, whose previous credentials are revoked (see `sign_in`), or the reason for a refusal.
    """
    if not identity.email:
        return NO_EMAIL
    person = session.people.by_email(identity.email)
    if person is None:
        if role is None or joined is None:
            return NOT_KNOWN
        person_id = session.people.add(
            {
                "account_id": joined.id,
                "email": identity.email,
                "name": name_of(identity.name),
                "role": role,
                "created_at": session.moment,
            }
        )
        audit_log.write(session, joined.id, person_id, AuditAction.JOINED, identity.email, role=role)
    else:
        person_id = person.id
        if session.people.has_identity(person_id, identity.issuer):
            return OTHER_IDENTITY
        session.sessions.end_of(person_id)
        session.sign_in_links.delete_of(person_id)
        session.keys.revoke_of(person_id, session.moment)
        session.people.change(person_id, password_hash=None)
    session.people.add_identity(issuer=identity.issuer, subject=identity.subject, person_id=person_id, created_at=session.moment)
    return session.people.by_id(person_id) or NOT_KNOWN


def _with_role(session: Transaction, person: PersonRow, joined: AccountRow | None, role: str | None) -> PersonRow:
    """Set the role by the groups, in the account for new people; its last owner remains an owner."""
    if role is None or joined is None or person.account_id != joined.id or person.role == role:
        return person
    owners = [other.id for other in session.people.of_account(joined.id) if other.role == OWNER]
    if owners == [person.id]:
        return person
    session.people.change(person.id, role=role)
    audit_log.write(session, person.account_id, person.id, AuditAction.ROLE_CHANGED, person.email, role=role, before=person.role)
    if role != OWNER:
        session.invitations.withdraw_by(person.id)
    return person._replace(role=role)
