"""Feeds: secret URLs of alerts, the portfolio or a saved view for programs, with the permissions of the person who created them."""

import secrets
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from typing import Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from findable.clock import rfc3339
from findable.errors import NotFound, Unavailable, ValidationFailed
from findable.export.atom import FeedDocument, FeedEntry
from findable.notify.event_words import one_line
from findable.reports.recent_changes import RETENTION_S
from findable.service.accounts import saved_views
from findable.service.accounts.callers import TOUCH_AFTER_S, caller_of, grants_of
from findable.service.accounts.owned_projects import named_project
from findable.service.accounts.permissions import may, reading, require, require_access, require_role, writing
from findable.service.accounts.saved_views import ListName, SavedView
from findable.service.alerts.alert_sentences import sentence_of
from findable.service.projects.change_overview import changed_pages
from findable.service.runtime import audit_log
from findable.service.runtime.rate_limits import Rates
from findable.service.runtime.service import Service
from findable.service.runtime.signing_secret import sign
from findable.service.values.audit_log_values import AuditAction
from findable.service.values.caller import OWNER, VIEWER, WRITE, Caller
from findable.service.values.views import moment as moment_of
from findable.service.values.views import view_of
from findable.service_urls import ServiceUrls
from findable.store.alert_statements import AlertRow
from findable.store.feed_statements import FeedRow
from findable.store.setback_statements import ChangeScope
from findable.store.store_protocol import Session
from findable.values import DateTime
from findable.wording import Message, Translator, later, wording

MAX_FEEDS = 20
"""Maximum number of feeds per person."""
MAX_NAME_CHARS = 80
TOKEN_BYTES = 32
ENTRIES = 50
READS_PER_MINUTE = 60
"""Maximum number of reads of one feed."""
READ_ALERTS = 200


class Feed(Struct, frozen=True, kw_only=True):
    """Feed of alerts or of a view. `url` is present only in the response to its creation."""

    id: int
    object: Literal["feed"] = "feed"
    name: str
    project: str | None
    view: str | None
    """Name of the saved view."""
    created_at: DateTime
    last_used_at: DateTime | None
    url: str | UnsetType = UNSET


class OpenFeed(Struct, frozen=True):
    """Feed that is being read, with the permissions of its person."""

    row: FeedRow
    caller: Caller
    project: str
    """Name of the project; empty for none."""
    view: SavedView | None
    say: Translator


class FeedRates(Rates):
    """Reads of each feed."""

    def __init__(self) -> None:
        super().__init__(READS_PER_MINUTE)


def find(service: Service, caller: Caller) -> tuple[Feed, ...]:
    """Return the caller's feeds, and for owners those of everybody in the account."""
    with reading(service, caller) as session:
        return tuple(_view(session, row) for row in session.feeds.of_account(caller.account_id) if _may_see(caller, row))


def create(service: Service, caller: Caller, name: str, project: str, view_id: int | None = None) -> Feed:
    """Create a feed of a project, a saved view, or everything that the caller may see. Only this response contains its URL.

    Raises ValidationFailed.
    """
    require(caller, WRITE)
    if len(name.strip()) > MAX_NAME_CHARS or not name.strip().isprintable():
        problem = Message(later("The name must be at most %(most)s characters without control characters."), most=MAX_NAME_CHARS)
        raise ValidationFailed({"name": [problem]})
    view = _view_of(service, caller, view_id)
    if view is not None and view.list is ListName.QUESTIONS:
        raise ValidationFailed({"view": [later("A view of questions has no feed.")]})
    if view is not None and view.list is ListName.PAGES and not project.strip():
        raise ValidationFailed({"project": [later("A view of pages needs a project.")]})
    token = secrets.token_urlsafe(TOKEN_BYTES)
    with service.store.write() as session:
        mine = [row for row in session.feeds.of_account(caller.account_id) if row.person_id == caller.user_id]
        if len(mine) >= MAX_FEEDS:
            raise ValidationFailed({"name": [Message(later("A person has at most %(most)s feeds."), most=MAX_FEEDS)]})
        found = named_project(session, caller, project)
        if found is not None:
            require_access(caller, found.id, for_update=False)
        values = {
            "account_id": caller.account_id,
            "person_id": caller.user_id,
            "project_id": found.id if found else None,
            "saved_view_id": view.id if view else None,
            "name": name.strip(),
            "token_hash": _token_hash(service, token),
            "created_at": session.moment,
        }
        number = session.feeds.add(values)
        audit_log.record(
            session, caller, AuditAction.FEED_MADE, name.strip(), project=found.name if found else "", view=view.name if view else ""
        )
        row = next(row for row in session.feeds.of_account(caller.account_id) if row.id == number)
        return msgspec.structs.replace(_view(session, row), url=f"{service.settings.base_url}/feeds/{token}")


def delete(service: Service, caller: Caller, feed_id: int) -> None:
    """Delete a feed; owners may delete those of others. Its URL stops working immediately. Raises NotFound."""
    with writing(service, caller) as session:
        row = next((row for row in session.feeds.of_account(caller.account_id) if row.id == feed_id), None)
        if row is None or not _may_see(caller, row):
            raise NotFound
        if row.person_id != caller.user_id:
            require_role(caller, OWNER)
        session.feeds.remove(row.id)
        audit_log.record(session, caller, AuditAction.FEED_DELETED, row.name)


def open_feed(service: Service, token: str) -> OpenFeed:
    """Open the feed of a token.

    Raises RateLimited, and NotFound if it, its person, their access, its project or its view no longer exists.
    """
    hashed = _token_hash(service, token)
    with service.store.read() as session:
        row = session.feeds.by_hash(hashed)
        person = session.mails.receiver(row.person_id) if row is not None else None
        if row is None or person is None:
            raise NotFound
        service.memory(FeedRates).count(str(row.id))
        caller = caller_of(person, grants_of(session, person))
        project = session.projects.by_id(row.account_id, row.project_id) if row.project_id is not None else None
        if row.project_id is not None and (project is None or not may(caller, VIEWER, row.project_id)):
            raise NotFound
    view = saved_views.get(service, caller, row.saved_view_id) if row.saved_view_id is not None else None
    if row.last_used_at is None or session.moment - row.last_used_at >= TOUCH_AFTER_S:
        with suppress(Unavailable), service.store.write() as session:
            session.feeds.change(row.id, last_used_at=session.moment)
    return OpenFeed(row, caller, project.name if project else "", view, wording(person.language or "en"))


def alerts(service: Service, feed: OpenFeed) -> FeedDocument:
    """Return the newest alerts of a feed, and the pages and sites that are worse than 30 days ago or were away for a time."""
    row, caller = feed.row, feed.caller
    with service.store.read() as session:
        scope = ChangeScope(row.account_id, row.project_id, caller.only_projects_of)
        found = session.alerts.select(scope, READ_ALERTS)
        changed = changed_pages(session, scope, session.moment - RETENTION_S, session.moment)
    shown = [alert for alert in found if may(caller, VIEWER, alert.project_id)][:ENTRIES]
    base_url = service.settings.base_url
    entries = [
        *(_entry(alert, base_url, feed.say) for alert in shown),
        *(_changed_entry(one.path, "worse", one.at, one.words(feed.say), base_url) for one in changed.worse[:ENTRIES]),
        *(_changed_entry(one.path, "away", one.until, one.words(feed.say), base_url) for one in changed.away[:ENTRIES]),
    ]
    return document(service, feed, sorted(entries, key=lambda entry: entry.updated, reverse=True))


def document(service: Service, feed: OpenFeed, entries: Sequence[FeedEntry]) -> FeedDocument:
    """Return the feed document with the entries, under the name of the feed."""
    base_url = service.settings.base_url
    updated = max((entry.updated for entry in entries), default=rfc3339(moment_of(feed.row.created_at)))
    title = feed.row.name or (feed.view.name if feed.view else feed.say(later("Alerts of Findable")))
    return FeedDocument(f"{base_url}/feeds#{feed.row.id}", one_line(title), updated, base_url, feed.say.code, entries)


def _entry(alert: AlertRow, base_url: str, say: Translator) -> FeedEntry:
    sentence = sentence_of(alert, say)
    if alert.closed_at is not None:
        sentence = say(later("Resolved: %(alert)s"), alert=sentence)
    page = ServiceUrls(base_url).project_page(alert.project) if alert.project else base_url
    title = ": ".join(filter(None, (alert.project_words, sentence)))
    at = alert.closed_at if alert.closed_at is not None else alert.opened_at or alert.created_at
    examples = msgspec.json.decode(alert.examples_json, type=tuple[str, ...])
    opened = alert.opened_at or alert.created_at
    return FeedEntry(f"{base_url}/alerts#{alert.id}-{opened}", title, rfc3339(moment_of(at)), page, tuple(map(one_line, examples)))


def _changed_entry(path: str, kind: str, at: datetime, words: str, base_url: str) -> FeedEntry:
    page, updated = f"{base_url}{path}", rfc3339(at)
    return FeedEntry(f"{page}#{kind}-{updated}", one_line(words), updated, page)


def _view(session: Session, row: FeedRow) -> Feed:
    project = session.projects.by_id(row.account_id, row.project_id) if row.project_id is not None else None
    views = session.views.of_account(row.account_id) if row.saved_view_id is not None else []
    view = next((view.name for view in views if view.id == row.saved_view_id), None)
    return view_of(Feed, row, project=project.name if project else None, view=view)


def _view_of(service: Service, caller: Caller, view_id: int | None) -> SavedView | None:
    try:
        return None if view_id is None else saved_views.get(service, caller, view_id)
    except NotFound as error:
        raise ValidationFailed({"view": [later("There is no such saved view.")]}) from error


def _may_see(caller: Caller, row: FeedRow) -> bool:
    return row.person_id == caller.user_id or may(caller, OWNER)


def _token_hash(service: Service, token: str) -> bytes:
    return sign(service.secret, "feed", token)
