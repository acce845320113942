"""Preferences of a person for digests and emails about alerts, and a test email."""

import secrets
from typing import Literal

from msgspec import Struct

from findable.clock import now
from findable.errors import ValidationFailed, require_found
from findable.notify.email_blocks import Action, Letter, Paragraph
from findable.notify.email_mime import message_of
from findable.notify.smtp_client import MailRefused, send
from findable.service.accounts.owned_projects import find_project
from findable.service.accounts.people import current_person
from findable.service.accounts.permissions import reading, require, require_person, writing
from findable.service.delivery.unsubscribe_links import NO_DIGEST
from findable.service.runtime.attempt_limits import FREE_TRIES, count_try
from findable.service.runtime.outbox import mail_server
from findable.service.runtime.service import Service
from findable.service.values.caller import OWNER, WRITE, Caller
from findable.store.rows import PersonRow
from findable.store.store_protocol import Session
from findable.wording import later, wording

DAILY, WEEKLY = "daily", "weekly"
DIGESTS = (NO_DIGEST, DAILY, WEEKLY)
DEFAULT_DIGEST = WEEKLY
TOO_MANY_TESTS = later("Too many test messages were sent.")


class MailsShape(Struct, frozen=True, kw_only=True):
    """Email preferences of a person."""

    object: Literal["mails"] = "mails"
    email: str
    digest: str
    """none, daily or weekly."""
    projects: tuple[str, ...]
    """Projects whose alerts are sent immediately."""
    sending: bool
    """Whether this service sends emails."""


class EmailTestOutcome(Struct, frozen=True):
    """Outcome of a test email."""

    is_sent: bool
    response: str
    """Last response of the mail server, or the connection error."""


def preferences_of(service: Service, caller: Caller) -> MailsShape:
    """Return the email preferences of the caller; for a key, those of the person who created it."""
    with reading(service, caller) as session:
        return _preferences(service, session, current_person(session, caller))


def _preferences(service: Service, session: Session, person: PersonRow) -> MailsShape:
    digest, _ = session.mails.choice(person.id) or (DEFAULT_DIGEST, None)
    names = tuple(name for _, name in session.mails.subscriptions(person.id))
    return MailsShape(email=person.email, digest=digest, projects=names, sending=bool(service.settings.smtp_url))


def choose_digest(service: Service, caller: Caller, digest: str) -> MailsShape:
    """Set the digest interval of the caller. Raises ValidationFailed."""
    require(caller, WRITE)
    if digest not in DIGESTS:
        raise ValidationFailed({"digest": [later("Choose how often the summary is sent.")]})
    with service.store.write() as session:
        person = current_person(session, caller)
        before, digest_at = session.mails.choice(person.id) or ("", None)
        if digest_at is None or before == NO_DIGEST:  # digests do not cover the time in which they were off
            digest_at = session.moment
        session.mails.choose(person.id, digest, digest_at)
        return _preferences(service, session, person)


def subscribe(service: Service, caller: Caller, project: str, *, is_subscribed: bool = True) -> MailsShape:
    """Subscribe the caller to the alerts of a project, or unsubscribe them. Raises ValidationFailed for an unknown project."""
    with writing(service, caller) as session:
        person, row = current_person(session, caller), find_project(session, caller, project)
        if row is None:
            raise ValidationFailed({"project": [later("There is no such project.")]})
        if is_subscribed:
            session.mails.subscribe(person.id, row.id, session.moment)
        else:
            session.mails.unsubscribe(person.id, row.id)
        return _preferences(service, session, person)


def send_test(service: Service, caller: Caller) -> EmailTestOutcome:
    """Send a test email to the caller, and return the response of the mail server. Raises NotFound without a server, RateLimited."""
    require_person(caller, OWNER)
    server = require_found(mail_server(service.settings))
    with service.store.write() as session:
        person = current_person(session, caller)
        count_try(session, {f"mail:person:{person.id}": FREE_TRIES}, TOO_MANY_TESTS)
    say = wording(person.language or "en")
    subject = say(later("Test email from Findable"))
    text = say(later("Emails from this service reach this address."))
    letter = Letter(person.email, say.code, subject, (Paragraph(text), Action(say(later("Open Findable")), service.settings.base_url)))
    try:
        words = send(server, message_of(letter, service.settings.mail_from, f"test.{secrets.token_hex(12)}@findable", now(), say))
    except MailRefused as error:
        return EmailTestOutcome(is_sent=False, response=error.words)
    return EmailTestOutcome(is_sent=True, response=words)
