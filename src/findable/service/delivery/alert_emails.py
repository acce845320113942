"""Emails about alerts to subscribers, and about disabled webhooks to owners."""

from findable.notify.email_blocks import Action, Entries, Entry, Letter, Paragraph
from findable.notify.event_words import words_of
from findable.notify.outgoing_event import Event
from findable.notify.webhook_bodies import page_of
from findable.service.accounts.callers import caller_of, client_brand, grants_of
from findable.service.delivery.unsubscribe_links import ALERTS, EmailSeries, unsubscribe_url
from findable.service.runtime.outbox import branded, queue_email
from findable.service.runtime.service import Service
from findable.service.values.caller import OWNER
from findable.service.values.presentation import client_wording
from findable.store.outbox_rows import WebhookRow
from findable.store.rows import PersonRow
from findable.store.store_protocol import Session
from findable.urls import project_words
from findable.wording import later, wording


def alert_email(service: Service, session: Session, event: Event, person: PersonRow) -> Letter:
    """Return the email about an alert for a subscriber."""
    brand = client_brand(session, caller_of(person, grants_of(session, person)))
    say = client_wording(person.language or "en", brand.rating_words)
    words = words_of(event, say)
    url = unsubscribe_url(service, EmailSeries(ALERTS, person.id, event.project_id or 0))
    project = project_words(event.project, event.project_title)
    subject = f"{project}: {words.headline}" if project else words.headline
    details = (Entries(tuple(map(Entry, words.details))),) if words.details else ()
    blocks = (Paragraph(words.headline), *details, Action(say(later("Open in Findable")), page_of(event, service.settings.base_url)))
    why = say(later("You get this email because you subscribed to the alerts of %(project)s."), project=project)
    letter = Letter(person.email, say.code, subject, blocks, why, url)
    return letter if event.project_id is None else branded(session, letter, event.project_id)


def notify_owners_of_disabled_webhook(service: Service, session: Session, webhook: WebhookRow, *, is_gone: bool) -> None:
    """Queue an email to the owners of the account about a disabled webhook."""
    for person in session.people.of_account(webhook.account_id):
        if person.role == OWNER and person.disabled_at is None:
            queue_email(service, session, webhook.account_id, _disabled_webhook_email(service, webhook, person, is_gone=is_gone), person.id)


def _disabled_webhook_email(service: Service, webhook: WebhookRow, person: PersonRow, *, is_gone: bool) -> Letter:
    say = wording(person.language or "en")
    name = webhook.name or say(later("Webhook"))
    reason = later("Its receiver returned 410 (Gone).") if is_gone else later("No message arrived for three days.")
    subject = say(later("The webhook %(name)s is disabled"), name=name)
    link = Action(say(later("See its messages")), f"{service.settings.base_url}/account/webhooks/{webhook.id}")
    then = say(later("Nothing is sent to it until you enable it again."))
    why = say(later("You get this email because you are an owner of the account."))
    return Letter(person.email, say.code, subject, (Paragraph(say(reason)), Paragraph(then), link), why)
