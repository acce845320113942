"""Signed links to unsubscribe from emails without signing in, also by one click in a mail program (RFC 8058)."""

import base64
import hmac
import re

from msgspec import Struct

from findable.errors import NotFound, require_found
from findable.service.runtime.service import Service
from findable.service.runtime.signing_secret import sign
from findable.store.recipient_statements import RecipientRow
from findable.store.rows import PersonRow
from findable.store.store_protocol import Session

ALERTS, DIGEST, MONTHLY = "alerts", "digest", "monthly"
"""Kinds of email: alerts of a project for a person, digest of a person, monthly report of a project for a recipient."""
NO_DIGEST = "none"
_TOKEN = re.compile(rf"({ALERTS}|{DIGEST}|{MONTHLY})-(\d{{1,15}})-(\d{{1,15}})-([A-Za-z0-9_-]{{22}})")
_SIGNATURE_BYTES = 16


class EmailSeries(Struct, frozen=True):
    """Series of emails that a link unsubscribes from."""

    kind: str
    receiver_id: int
    """Id of the person, or of the recipient of a monthly report."""
    project_id: int
    """Id of the project; 0 for a digest."""


class UnsubscribeView(Struct, frozen=True):
    """Series of emails for the page of the link."""

    kind: str
    email: str
    project: str
    """Name of the project; empty for a digest."""


def unsubscribe_url(service: Service, series: EmailSeries) -> str:
    """Return the link. It never expires, so that it works in old emails, and it reveals nothing."""
    return f"{service.settings.base_url}/unsubscribe/{series.kind}-{series.receiver_id}-{series.project_id}-{_signature(service, series)}"


def series_of(service: Service, token: str) -> EmailSeries:
    """Return the series of a link. Raises NotFound if the link is not from this service."""
    found = require_found(_TOKEN.fullmatch(token))
    series = EmailSeries(found[1], int(found[2]), int(found[3]))
    if not hmac.compare_digest(_signature(service, series), found[4]):
        raise NotFound
    return series


def view(service: Service, token: str) -> UnsubscribeView:
    """Return the series of a link for its page. Raises NotFound."""
    series = series_of(service, token)
    with service.store.read() as session:
        return _view(session, series)


def unsubscribe(service: Service, token: str) -> UnsubscribeView:
    """Unsubscribe from the series of a link; repeating it changes nothing. Raises NotFound."""
    series = series_of(service, token)
    with service.store.write() as session:
        shown = _view(session, series)
        if series.kind == ALERTS:
            session.mails.unsubscribe(series.receiver_id, series.project_id)
        elif series.kind == MONTHLY:
            session.recipients.stop(series.receiver_id, session.moment)
        else:
            _, digest_at = session.mails.choice(series.receiver_id) or ("", None)
            session.mails.choose(series.receiver_id, NO_DIGEST, digest_at or 0)
    return shown


def _view(session: Session, series: EmailSeries) -> UnsubscribeView:
    receiver: RecipientRow | PersonRow
    if series.kind == MONTHLY:
        receiver = require_found(session.recipients.by_id(series.receiver_id))
    else:
        receiver = require_found(session.people.by_id(series.receiver_id))
    project = session.projects.by_id(receiver.account_id, series.project_id) if series.project_id else None
    return UnsubscribeView(series.kind, receiver.email, project.name if project else "")


def _signature(service: Service, series: EmailSeries) -> str:
    signed = sign(service.secret, "unsubscribe", series.kind, series.receiver_id, series.project_id)
    return base64.urlsafe_b64encode(signed[:_SIGNATURE_BYTES]).decode().rstrip("=")
