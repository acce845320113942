"""One-time links to sign in: printed for the operator, or sent by email."""

import secrets
from datetime import UTC, datetime, timedelta

from findable.service.accounts.account_admin import active_person
from findable.service.accounts.sessions import UNKNOWN_CLIENT, SignInClient, begin
from findable.service.runtime import audit_log
from findable.service.runtime.service import Service
from findable.service.runtime.signing_secret import sign
from findable.service.values.account_values import Session, SignInLink
from findable.service.values.audit_log_values import AuditAction
from findable.store.rows import PersonRow
from findable.store.store_protocol import Session as Transaction

LINK_LIFE = timedelta(minutes=15)
MAILED_LINK_LIFE = timedelta(hours=1)


def create(service: Service, email: str) -> SignInLink:
    """Create a one-time sign-in link of 15 minutes: ``BASE_URL/sign-in/TOKEN``. Raises NotFound."""
    with service.store.write() as session:
        person = active_person(session, email)
        link = add(service, session, person, LINK_LIFE)
        audit_log.write(session, person.account_id, None, AuditAction.LINK_MADE, person.email)
    return link


def add(service: Service, session: Transaction, person: PersonRow, life: timedelta) -> SignInLink:
    """Store a new one-time link of the person."""
    token, expires_at = secrets.token_urlsafe(32), datetime.fromtimestamp(session.moment, UTC) + life
    session.sign_in_links.add(sign(service.secret, "link", token), person.id, session.moment, int(expires_at.timestamp()))
    return SignInLink(f"{service.settings.base_url}/sign-in/{token}", expires_at)


def redeem(service: Service, token: str, client: SignInClient = UNKNOWN_CLIENT) -> Session | None:
    """Sign in with a one-time link; return None if it is unknown, used or expired.

    While a new link is valid, the person may choose a password without the current one, which may be lost.
    """
    with service.store.write() as session:
        until = session.moment + int(LINK_LIFE.total_seconds())
        person_id = session.sign_in_links.use(sign(service.secret, "link", token), session.moment, until)
        person = session.people.by_id(person_id) if person_id is not None else None
        if person is None or person.disabled_at is not None:
            return None
        return begin(service, session, person, client, method="link")
