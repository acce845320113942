"""Write events and emails to the outbox, in the transaction of the action."""

import secrets

import msgspec
from msgspec.structs import replace

from findable.fetch.trust import system_bundle
from findable.notify.email_blocks import Letter
from findable.notify.outgoing_event import DATA_TYPES, AlertData, Event
from findable.notify.smtp_client import MailServer
from findable.service.runtime.sealed_values import of_account, seal, unseal
from findable.service.runtime.service import Service
from findable.service.values.brand import accents
from findable.service.values.presentation import BrandView, brand_of
from findable.settings import Settings
from findable.store.outbox_rows import NewEvent
from findable.store.store_protocol import Session

_UID_BYTES = 18
_PURPOSE = "email"


def write_event(session: Session, event: Event) -> bool:
    """Queue the event for webhooks, an urgent alert also for people. It is sent only after the transaction is committed.

    Returns False if there are no subscribers, or if the account has an event of this type and cause; then nothing is written. Call
    `Service.events.publish_queued` after the commit to send it immediately.
    """
    is_urgent = isinstance(event.data, AlertData) and event.data.urgent == 1
    return session.outbox.add_event(new_event(event), is_urgent=is_urgent) is not None


def new_event(event: Event) -> NewEvent:
    """Return the row of an event with a new ``webhook-id``. Raises TypeError for data of another event type."""
    if type(event.data) is not DATA_TYPES[event.type]:
        raise TypeError(f"{event.type} takes {DATA_TYPES[event.type].__name__}, not {type(event.data).__name__}")
    uid = f"msg_{secrets.token_urlsafe(_UID_BYTES)}"
    data_json = msgspec.json.encode(event).decode()
    return NewEvent(uid, event.account_id, event.project_id, event.type.value, event.cause, event.at, data_json)


# --- email -----------------------------------------------------------------------------------------------------------


def mail_server(settings: Settings) -> MailServer | None:
    """Return the operator's mail server; None if no email is sent."""
    if not settings.smtp_url:
        return None
    return MailServer.from_url(settings.smtp_url, (system_bundle(), *([settings.ca_file] if settings.ca_file else [])))


def queue_email(service: Service, session: Session, account_id: int, letter: Letter, person_id: int | None = None) -> bool:
    """Queue an email; it is stored encrypted and deleted once it is sent.

    Returns False if this service sends no emails.

    ``person_id``: recipient with an account; deleting the person deletes the email. None for other recipients.
    """
    if not service.settings.smtp_url:
        return False
    sealed_value = seal(service.secret, _PURPOSE, of_account(account_id), msgspec.json.encode(letter))
    session.outbox.add_email(account_id, person_id, sealed_value, session.moment)
    return True


def branded(session: Session, letter: Letter, project_id: int) -> Letter:
    """Return an email about a project with the name, colour, logo and address for replies of its brand."""
    return with_brand(session, letter, brand_of(session.links.of("project", project_id)))


def with_brand(session: Session, letter: Letter, brand: BrandView) -> Letter:
    """Return an email with the parts of a brand that are set."""
    return replace(
        letter,
        sender_name=brand.name,
        reply_to=brand.reply_to,
        accent=accents(brand.color).on_white if brand.color else letter.accent,
        logo=session.images.data(brand.logo) or b"",
    )


def letter_of(service: Service, account_id: int, sealed_value: bytes) -> Letter:
    """Decrypt an email that `queue_email` stored. Raises Unreadable."""
    return msgspec.json.decode(unseal(service.secret, _PURPOSE, of_account(account_id), sealed_value), type=Letter)
