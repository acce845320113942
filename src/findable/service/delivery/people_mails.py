"""E-mails to the people of an account: preferences, alerts, notices, and a test."""

import secrets

from msgspec import Struct

from findable.clock import now
from findable.errors import ValidationFailed, require_found
from findable.notify.email_messages import Action, Entries, Entry, Letter, Paragraph, message_of
from findable.notify.event_messages import page_of
from findable.notify.event_words import words_of
from findable.notify.outgoing_event import Event
from findable.notify.smtp_client import MailRefused, send
from findable.service.accounts.callers import reading, require, require_person, writing
from findable.service.accounts.failed_attempts import FREE_TRIES, count_try
from findable.service.delivery.unsubscribing import ALERTS, NO_DIGEST, MailSeries, unsubscribe_url
from findable.service.reports.report_lists import find_project
from findable.service.runtime.outbox import mail_server, write_mail
from findable.service.runtime.service import Service
from findable.service.values.caller import OWNER, WRITE, Caller
from findable.store.outbox_rows import WebhookRow
from findable.store.rows import PersonRow
from findable.store.store_protocol import Session
from findable.wording import later, wording

DAILY, WEEKLY = "daily", "weekly"
DIGESTS = (NO_DIGEST, DAILY, WEEKLY)
DEFAULT_DIGEST = WEEKLY
TOO_MANY_TESTS = later("Too many test messages were sent.")


class MailChoices(Struct, frozen=True):
    """E-mail preferences of a person."""

    email: str
    digest: str
    """Interval: ``none``, ``daily`` or ``weekly``."""
    projects: tuple[str, ...]
    """Names of the projects whose alerts are sent immediately."""
    is_sending: bool
    """Whether this service sends e-mails."""


class MailTest(Struct, frozen=True):
    """Outcome of a test e-mail."""

    is_sent: bool
    response: str
    """Last response of the mail server, or the connection error."""


def choices(service: Service, caller: Caller) -> MailChoices:
    """Return the e-mail preferences of the caller; for a key, those of the person who created it."""
    with reading(service, caller) as session:
        return _choices(service, session, _person(session, caller))


def _choices(service: Service, session: Session, person: PersonRow) -> MailChoices:
    digest, _ = session.mails.choice(person.id) or (DEFAULT_DIGEST, None)
    names = tuple(name for _, name in session.mails.subscriptions(person.id))
    return MailChoices(person.email, digest, names, bool(service.settings.smtp_url))


def choose_digest(service: Service, caller: Caller, digest: str) -> MailChoices:
    """Set the digest interval of the caller. Raises ValidationFailed."""
    require(caller, WRITE)
    if digest not in DIGESTS:
        raise ValidationFailed({"digest": [later("Choose how often the summary is sent.")]})
    with service.store.write() as session:
        person = _person(session, caller)
        before, digest_at = session.mails.choice(person.id) or ("", None)
        if digest_at is None or before == NO_DIGEST:  # digests do not cover the time in which they were off
            digest_at = int(now().timestamp())
        session.mails.choose(person.id, digest, digest_at)
        return _choices(service, session, person)


def subscribe(service: Service, caller: Caller, project: str, *, is_subscribed: bool = True) -> MailChoices:
    """Subscribe the caller to the alerts of a project, or unsubscribe them. Raises ValidationFailed for an unknown project."""
    with writing(service, caller) as session:
        person, row = _person(session, caller), find_project(session, caller, project)
        if row is None:
            raise ValidationFailed({"project": [later("There is no such project.")]})
        if is_subscribed:
            session.mails.subscribe(person.id, row.id, int(now().timestamp()))
        else:
            session.mails.unsubscribe(person.id, row.id)
        return _choices(service, session, person)


def send_test(service: Service, caller: Caller) -> MailTest:
    """Send a test e-mail to the caller, and return the response of the mail server. Raises NotFound without a server, RateLimited."""
    require_person(caller, OWNER)
    server = require_found(mail_server(service.settings))
    with service.store.write() as session:
        person = _person(session, caller)
        count_try(session, {f"mail:person:{person.id}": FREE_TRIES}, int(now().timestamp()), TOO_MANY_TESTS)
    say = wording(person.language or "en")
    subject = say(later("Test e-mail from Findable"))
    text = say(later("E-mails from this service reach this address."))
    letter = Letter(person.email, say.code, subject, (Paragraph(text), Action(say(later("Open Findable")), service.settings.base_url)))
    try:
        words = send(server, message_of(letter, service.settings.mail_from, f"test.{secrets.token_hex(12)}@findable", now(), say))
    except MailRefused as error:
        return MailTest(is_sent=False, response=error.words)
    return MailTest(is_sent=True, response=words)


# --- e-mails ------------------------------------------------------------------------------------------------------------


def alert_mail(service: Service, event: Event, person: PersonRow) -> Letter:
    """Return the e-mail about an alert for a subscriber."""
    say = wording(person.language or "en")
    words = words_of(event, say)
    url = unsubscribe_url(service, MailSeries(ALERTS, person.id, event.project_id or 0))
    subject = f"{event.project}: {words.headline}" if event.project else words.headline
    details = (Entries(tuple(map(Entry, words.details))),) if words.details else ()
    blocks = (Paragraph(words.headline), *details, Action(say(later("Open in Findable")), page_of(event, service.settings.base_url)))
    why = say(later("You get this e-mail because you subscribed to the alerts of %(project)s."), project=event.project)
    return Letter(person.email, say.code, subject, blocks, why, url)


def notify_owners_of_disabled(service: Service, session: Session, webhook: WebhookRow, *, is_gone: bool) -> None:
    """Queue an e-mail to the owners of the account about a disabled webhook."""
    for person in session.accounts.people_of(webhook.account_id):
        if person.role == OWNER and person.disabled_at is None:
            write_mail(service, session, webhook.account_id, _disabled_mail(service, webhook, person, is_gone=is_gone), person.id)


def _disabled_mail(service: Service, webhook: WebhookRow, person: PersonRow, *, is_gone: bool) -> Letter:
    say = wording(person.language or "en")
    name = webhook.name or say(later("Webhook"))
    reason = later("Its receiver returned 410 (Gone).") if is_gone else later("No message arrived for three days.")
    subject = say(later("The webhook %(name)s is disabled"), name=name)
    link = Action(say(later("See its messages")), f"{service.settings.base_url}/account/webhooks/{webhook.id}")
    then = say(later("Nothing is sent to it until you enable it again."))
    why = say(later("You get this e-mail because you are an owner of the account."))
    return Letter(person.email, say.code, subject, (Paragraph(say(reason)), Paragraph(then), link), why)


def _person(session: Session, caller: Caller) -> PersonRow:
    return require_found(session.accounts.person(caller.user_id))
