"""Webhooks of an account: URL, format and event types."""

import secrets
from collections.abc import Sequence
from datetime import timedelta
from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from findable import urls
from findable.errors import NotFound, ValidationFailed, require_valid
from findable.fetch.egress_guard import Guard
from findable.fetch.ip_addresses import parse_address
from findable.notify.chat_messages import WebhookKind
from findable.notify.outgoing_event import EventType
from findable.notify.standard_webhooks import INVALID_SECRET, is_secret, secret_of
from findable.service.accounts.owned_projects import named_project
from findable.service.accounts.permissions import may, reading, require, require_role, writing
from findable.service.runtime import audit_log
from findable.service.runtime.sealed_values import Unreadable, of_account, seal, unseal
from findable.service.runtime.service import Service
from findable.service.values.audit_log_values import AuditAction
from findable.service.values.caller import OWNER, READ, VIEWER, WRITE, Caller
from findable.service.values.views import view_of
from findable.service_urls import ServiceUrls
from findable.store.outbox_rows import WebhookRow
from findable.store.store_protocol import Session
from findable.urls import MAX_URL_CHARS
from findable.values import NEEDED, DateTime, Discreet
from findable.wording import LANGUAGES, Message, later

MAX_WEBHOOKS = 50
"""Maximum number of webhooks per account."""
MAX_NAME_CHARS = 80
SECRET_BYTES = 32
OVERLAP = timedelta(hours=24)
"""Time for which messages are also signed with the old secret after a new one was created."""
DISABLED_BY_OWNER, DISABLED_GONE, DISABLED_FAILING = "owner", "gone", "failing"
"""Reasons why a webhook is disabled: an owner, the receiver's 410, three days without a successful delivery."""
_EVENTS = Meta(max_length=len(EventType), description="Event types to send. Default: all. In a form: repeat the field.")
_NAME = Meta(max_length=MAX_NAME_CHARS)
_URL = Meta(max_length=MAX_URL_CHARS)
_PURPOSE = "target of a webhook"
_TOO_MANY = later("An account has at most %(most)s webhooks.")
_NEEDS_HTTPS = later("The URL must begin with https://.")


class Target(Discreet, frozen=True):
    """URL and secrets of a webhook, which are stored encrypted."""

    hidden: ClassVar[frozenset[str]] = frozenset({"url", "secrets"})
    url: str
    secrets: tuple[str, ...] = ()
    """The current secret, and the old one for `OVERLAP`; empty for a chat."""
    old_until: int = 0
    """Seconds since 1970 until which messages are also signed with the old secret."""

    def secrets_at(self, moment: int) -> tuple[str, ...]:
        """Return the secrets that sign a message sent at that time: after a change, also the old one for a day."""
        return self.secrets if moment < self.old_until else self.secrets[:1]


class WebhookLinks(Struct, frozen=True):
    """URLs of a webhook."""

    self: str
    html: str
    deliveries: str


class WebhookShape(Struct, frozen=True, kw_only=True):
    """Webhook. `secret` is present only in the response to its creation."""

    id: int
    object: Literal["webhook"] = "webhook"
    name: str
    kind: WebhookKind
    url: str
    """URL; for a chat only the host, because the path is secret."""
    events: tuple[EventType, ...]
    project: str | None
    language: str | None
    created_at: DateTime
    updated_at: DateTime
    disabled_at: DateTime | None
    disabled_why: str | None
    """owner, gone (the receiver returned 410) or failing (for three days)."""
    failing_since: DateTime | None
    secret: str | UnsetType = UNSET
    links: WebhookLinks

    @property
    def display_name(self) -> str:
        """Name of the webhook, or its URL without a name."""
        return self.name or self.url


class WebhookCreate(Struct, frozen=True):
    """URL, events and format of a new webhook."""

    url: Annotated[str, _URL, NEEDED] = ""
    """URL that receives the messages, with https; for ntfy, the URL of the topic."""
    kind: WebhookKind = WebhookKind.STANDARD
    """standard: signed JSON by Standard Webhooks. Other values: messages for that chat service, sent to its incoming webhook."""
    name: Annotated[str, _NAME] = ""
    """Display name."""
    events: Annotated[list[EventType], _EVENTS] = []
    project: str = ""
    """Name or number of the project whose events are sent. Default: all projects."""
    language: str = ""
    """Language of chat messages: en or de."""
    secret: str = ""
    """Secret that the receiver already uses: whsec_ and 24 to 64 bytes in base64. Default: a new one."""


class WebhookUpdate(Struct, frozen=True):
    """Changes of a webhook. Only fields that are sent change."""

    url: Annotated[str, _URL] | UnsetType = UNSET
    """URL that receives the messages."""
    name: Annotated[str, _NAME] | UnsetType = UNSET
    """Display name."""
    events: Annotated[list[EventType], _EVENTS] | UnsetType = UNSET
    project: str | UnsetType = UNSET
    """Name or number of a project; empty for all."""
    language: str | UnsetType = UNSET
    """Language of chat messages."""
    disabled: Literal[0, 1] | UnsetType = UNSET
    """1: send nothing. 0: send again, also after the service disabled it."""
    new_secret: Literal[0, 1] = 0
    """1: create a new secret and return it; for a day, messages are also signed with the old one."""


def find(service: Service, caller: Caller) -> tuple[WebhookShape, ...]:
    """Return the webhooks of the account, oldest first.

    Empty for people with access to single projects, because webhooks report on all projects.
    """
    require(caller, READ)
    if not may(caller, VIEWER):
        return ()
    with service.store.read() as session:
        return tuple(_view(service, session, row) for row in session.webhooks.of_account(caller.account_id))


def get(service: Service, caller: Caller, webhook_id: int) -> WebhookShape:
    """Return one webhook. Raises NotFound."""
    with reading(service, caller) as session:
        return _view(service, session, owned_webhook(session, caller, webhook_id))


def create(service: Service, caller: Caller, new: WebhookCreate) -> WebhookShape:
    """Create a webhook; only this view contains its secret. Raises ValidationFailed."""
    require(caller, WRITE)
    require_role(caller)
    wrong = _url_errors(service.guard, new.url) | _text_errors(new.name, new.language)
    if new.secret and not is_secret(new.secret):
        wrong["secret"] = [INVALID_SECRET]
    require_valid(wrong)
    secret = None if new.kind is not WebhookKind.STANDARD else new.secret or secret_of(secrets.token_bytes(SECRET_BYTES))
    target = Target(_normalized_url(new.url), (secret,) if secret else ())
    with service.store.write() as session:
        if len(session.webhooks.of_account(caller.account_id)) >= MAX_WEBHOOKS:
            raise ValidationFailed({"url": [Message(_TOO_MANY, most=MAX_WEBHOOKS)]})
        values = {
            "account_id": caller.account_id,
            "project_id": _project_id(session, caller, new.project),
            "name": new.name.strip(),
            "kind": new.kind.value,
            "events": _stored_events(new.events),
            "target": _encrypted_target(service, caller.account_id, target),
            "language": new.language or None,
            "created_at": session.moment,
            "updated_at": session.moment,
        }
        row = owned_webhook(session, caller, session.webhooks.add(values))
        audit_log.record(session, caller, AuditAction.WEBHOOK_MADE, row.name, kind=row.kind)
        return msgspec.structs.replace(_view(service, session, row), secret=secret or UNSET)


def update(service: Service, caller: Caller, webhook_id: int, changes: WebhookUpdate) -> WebhookShape:
    """Change a webhook. With ``new_secret`` the view contains the new secret, and the old one stays valid for a day.

    Raises NotFound, ValidationFailed.
    """
    require(caller, WRITE)
    require_role(caller)
    wrong = {} if changes.url is UNSET else _url_errors(service.guard, changes.url)
    wrong |= _text_errors("" if changes.name is UNSET else changes.name, "" if changes.language is UNSET else changes.language)
    require_valid(wrong)
    with service.store.write() as session:
        session.outbox.lock_account(caller.account_id)  # lock the webhooks: a concurrent change must not restore replaced values
        row = owned_webhook(session, caller, webhook_id)
        target = _readable_target(service, row)
        if not target.url and changes.url is UNSET:
            raise ValidationFailed({"url": [later("The URL cannot be decrypted, because the secret key changed: enter it again.")]})
        if changes.url is not UNSET:
            target = msgspec.structs.replace(target, url=_normalized_url(changes.url))
        secret = None
        if row.kind == WebhookKind.STANDARD and (changes.new_secret or not target.secrets):
            secret = secret_of(secrets.token_bytes(SECRET_BYTES))
            until = session.moment + int(OVERLAP.total_seconds())
            target = msgspec.structs.replace(target, secrets=(secret, *target.secrets[:1]), old_until=until)
        values: dict[str, object] = {"updated_at": session.moment, "target": _encrypted_target(service, caller.account_id, target)}
        if changes.name is not UNSET:
            values["name"] = changes.name.strip()
        if changes.events is not UNSET:
            values["events"] = _stored_events(changes.events)
        if changes.project is not UNSET:
            values["project_id"] = _project_id(session, caller, changes.project)
        if changes.language is not UNSET:
            values["language"] = changes.language or None
        if changes.disabled is not UNSET and changes.disabled != (row.disabled_at is not None):
            if changes.disabled:
                disable(session, row.id, DISABLED_BY_OWNER)
            else:
                session.webhooks.change(row.id, disabled_at=None, disabled_why=None, failing_since=None)
        session.webhooks.change(row.id, **values)
        sent = [
            name
            for name in changes.__struct_fields__
            if getattr(changes, name) is not UNSET and (name != "new_secret" or changes.new_secret)
        ]
        audit_log.record(session, caller, AuditAction.WEBHOOK_CHANGED, row.name, fields=", ".join(sent))
        return msgspec.structs.replace(_view(service, session, owned_webhook(session, caller, webhook_id)), secret=secret or UNSET)


def delete(service: Service, caller: Caller, webhook_id: int) -> None:
    """Delete a webhook; its queued messages are not sent. Raises NotFound."""
    with writing(service, caller, OWNER) as session:
        row = owned_webhook(session, caller, webhook_id)
        session.webhooks.remove(row.id)
        audit_log.record(session, caller, AuditAction.WEBHOOK_DELETED, row.name, kind=row.kind)


# --- parts ------------------------------------------------------------------------------------------------------------


def owned_webhook(session: Session, caller: Caller, webhook_id: int) -> WebhookRow:
    """Return a webhook of the caller's account. Raises NotFound."""
    row = session.webhooks.by_id(webhook_id)
    if row is None or row.account_id != caller.account_id or not may(caller, VIEWER):
        raise NotFound
    return row


def target_of(service: Service, row: WebhookRow) -> Target:
    """Return URL and secrets of a webhook. Raises Unreadable."""
    plain = unseal(service.secret, _PURPOSE, of_account(row.account_id), row.target)
    return msgspec.json.decode(plain, type=Target)


def _readable_target(service: Service, row: WebhookRow) -> Target:
    """Return URL and secrets; empty values if they were encrypted with another secret key."""
    try:
        return target_of(service, row)
    except Unreadable:
        return Target("")


def disable(session: Session, webhook_id: int, reason: str) -> None:
    """Disable a webhook, and end its queued deliveries."""
    session.webhooks.change(webhook_id, disabled_at=session.moment, disabled_why=reason)
    session.outbox.fail_queued(webhook_id, session.moment, "disabled")


def _encrypted_target(service: Service, account_id: int, target: Target) -> bytes:
    return seal(service.secret, _PURPOSE, of_account(account_id), msgspec.json.encode(target))


def _view(service: Service, session: Session, row: WebhookRow) -> WebhookShape:
    project = session.projects.by_id(row.account_id, row.project_id) if row.project_id is not None else None
    at = ServiceUrls(service.settings.base_url)
    return view_of(
        WebhookShape,
        row,
        url=_display_url(WebhookKind(row.kind), _readable_target(service, row).url),
        events=tuple(map(EventType, row.events.split())) or tuple(kind for kind in EventType if kind is not EventType.WEBHOOK_TEST),
        project=project.name if project else None,
        links=WebhookLinks(at.webhook(row.id), at.webhook_page(row.id), f"{at.webhook(row.id)}/deliveries"),
    )


def _display_url(kind: WebhookKind, url: str) -> str:
    parsed = urls.parse(url)
    return url if kind is WebhookKind.STANDARD or parsed is None else f"{parsed.origin}/…"


def _normalized_url(url: str) -> str:
    parsed = urls.parse(url.strip())
    return urls.without_fragment(parsed.href) if parsed else url


def _url_errors(guard: Guard, text: str) -> dict[str, list[str]]:
    """Return the reason why messages cannot be sent to the URL, by the name of the field."""
    url = text.strip()
    parsed = urls.parse(url)
    refusal = guard.check_url(url)
    if len(url) > MAX_URL_CHARS:
        return {"url": [Message(later("At most %(most)s characters are allowed."), most=MAX_URL_CHARS)]}
    if refusal is not None or parsed is None:
        return {"url": [refusal.words if refusal else _NEEDS_HTTPS]}
    address = parse_address(parsed.host)
    if parsed.scheme != "https" and not any(entry.covers(parsed.host, parsed.port, address) for entry in guard.allow_targets):
        return {"url": [_NEEDS_HTTPS]}
    return {}


def _text_errors(name: str, language: str) -> dict[str, list[str]]:
    wrong: dict[str, list[str]] = {}
    if len(name.strip()) > MAX_NAME_CHARS or not name.strip().isprintable():
        wrong["name"] = [Message(later("The name must be at most %(most)s characters without control characters."), most=MAX_NAME_CHARS)]
    if language and language not in LANGUAGES:
        wrong["language"] = [later("This language is not available.")]
    return wrong


def _stored_events(events: Sequence[EventType]) -> str:
    return " ".join(kind.value for kind in EventType if kind in events and kind is not EventType.WEBHOOK_TEST)


def _project_id(session: Session, caller: Caller, name: str) -> int | None:
    row = named_project(session, caller, name)
    return None if row is None else row.id
