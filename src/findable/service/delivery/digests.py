"""Digests: one email per person about new, fixed and open problems in all projects whose alerts the person gets."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, time, timedelta, tzinfo

import msgspec
from msgspec import Struct

from findable.clock import now
from findable.monitor.alert_states import Phase
from findable.monitor.site_alert_conditions import CrawlFacts
from findable.notify.email_blocks import Action, Block, Entry, Letter
from findable.service.accounts.callers import caller_of, client_brand, grants_of
from findable.service.accounts.permissions import may
from findable.service.accounts.time_zones import zone_of
from findable.service.alerts.alert_watch import state_of
from findable.service.delivery.email_lists import alert_entries, list_blocks
from findable.service.delivery.email_preferences import DAILY, DEFAULT_DIGEST, WEEKLY
from findable.service.delivery.unsubscribe_links import DIGEST, NO_DIGEST, EmailSeries, unsubscribe_url
from findable.service.projects.change_overview import AwayView, ChangedView, changed_pages
from findable.service.runtime.background_work import each_row, others_continue
from findable.service.runtime.outbox import queue_email, with_brand
from findable.service.runtime.service import Service
from findable.service.values.caller import VIEWER, Caller
from findable.service.values.presentation import BrandView, client_wording
from findable.store.alert_statements import AlertRow
from findable.store.rows import PersonRow
from findable.store.setback_statements import ChangeScope
from findable.store.store_protocol import Session
from findable.wording import later

SENT_AT = time(7)
"""Local time at which a digest ends and is sent, on Mondays or every day."""
READ_PEOPLE = 200
READ_ALERTS = 500
_MONDAY = 0


class Digest(Struct, frozen=True):
    """Alerts and regressions in the projects of a person since the last digest."""

    opened_alerts: tuple[AlertRow, ...]
    closed_alerts: tuple[AlertRow, ...]
    still_open: tuple[AlertRow, ...]
    worse: tuple[ChangedView, ...]
    away: tuple[AwayView, ...] = ()
    """Pages that were away for a time and are available again."""
    titles: Mapping[str, str] = {}
    """Display names of their projects, by host."""
    brand: BrandView = BrandView()
    """Brand of the projects of a client; empty for other people."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing happened and nothing is open that nobody acknowledged."""
        return not (self.opened_alerts or self.closed_alerts or self.worse or self.away or self.still_open)


def send_due(service: Service) -> None:
    """Queue the digests that are due. Each covers the time since the last one; empty digests are not sent."""
    if not service.settings.smtp_url:
        return
    moment = now()
    for person, choice, digest_at in each_row(
        service, lambda session, after: session.mails.readers(after, READ_PEOPLE), lambda row: row[0].id
    ):
        end = end_of(choice or DEFAULT_DIGEST, moment, zone_of(person.time_zone))
        if end is not None and (digest_at or 0) < int(end.timestamp()) and person.created_at < int(end.timestamp()):
            with others_continue("the digest of person %d failed", person.id):
                _send(service, person.id, moment)
    service.events.publish_queued()


def end_of(choice: str, moment: datetime, zone: tzinfo) -> datetime | None:
    """Return the end of the latest digest period before a time; None for people without digests."""
    if choice == NO_DIGEST:
        return None
    local = moment.astimezone(zone)
    day = local.date() - timedelta(days=(local.weekday() - _MONDAY) if choice == WEEKLY else 0)
    end = datetime.combine(day, SENT_AT, zone)
    if end > local:
        end = datetime.combine(day - _period(choice), SENT_AT, zone)
    return end.astimezone(UTC)


def _period(choice: str) -> timedelta:
    return timedelta(days=1 if choice == DAILY else 7)


def _send(service: Service, person_id: int, moment: datetime) -> None:
    """Queue the digest of a person, only once even with concurrent workers."""
    with service.store.write() as session:
        person = session.people.by_id(person_id)  # locks the account
        if person is None:
            return
        choice, digest_at = session.mails.choice(person_id) or (DEFAULT_DIGEST, None)
        end = end_of(choice, moment, zone_of(person.time_zone))
        if end is None or (digest_at or 0) >= int(end.timestamp()):
            return
        since = digest_at or int((end - _period(choice)).timestamp())
        reader = caller_of(person, grants_of(session, person))
        digest = digest_of(session, reader, since, int(end.timestamp()))
        if not digest.is_empty:
            letter = with_brand(session, _digest_email(service, person, digest), digest.brand)
            queue_email(service, session, person.account_id, letter, person.id)
        session.mails.choose(person_id, choice, int(end.timestamp()))


def digest_of(session: Session, caller: Caller, since: int, until: int) -> Digest:
    """Return the events in the projects whose alerts the caller gets and may see.

    A project counts from its subscription on, and its crawls from the base on, which is the first one since it is watched.
    """
    scope = ChangeScope(caller.account_id, None, caller.only_projects_of, caller.user_id)
    mine = [row for row in session.alerts.select(scope, READ_ALERTS) if may(caller, VIEWER, row.project_id)]
    alerts = sorted(mine, key=lambda row: not state_of(row).is_urgent)  # lists are cut
    opened = tuple(row for row in alerts if since < (row.opened_at or 0) <= until)
    changed = changed_pages(session, scope, since, until)
    begins = {
        name: (begun, msgspec.json.decode(crawl, type=CrawlFacts).base_at if crawl else 0)
        for name, begun, crawl in session.mails.followed(caller.user_id)
    }
    worse = tuple(
        one for one in changed.worse if one.at.timestamp() > (max(begins[one.project]) if one.is_site else begins[one.project][0])
    )
    return Digest(
        opened_alerts=opened,
        closed_alerts=tuple(row for row in alerts if row.closed_at is not None and since < row.closed_at <= until and row not in opened),
        still_open=tuple(
            row for row in alerts if row.closed_at is None and (row.opened_at or 0) <= since and row.phase != Phase.ACKNOWLEDGED
        ),
        worse=worse,
        away=changed.away,
        brand=client_brand(session, caller),
        titles=session.projects.titles(caller.account_id, {*(one.project for one in worse), *(one.project for one in changed.away)}),
    )


def _digest_email(service: Service, person: PersonRow, digest: Digest) -> Letter:
    brand = digest.brand
    say, base_url = client_wording(person.language or "en", brand.rating_words), service.settings.base_url
    sender = brand.name or "Findable"
    zone, titles = zone_of(person.time_zone), digest.titles

    def entry(row: ChangedView | AwayView) -> Entry:
        """Return the entry of a page or site, with the display name of its project if it has one."""
        words = row.words(say, zone)
        return Entry(f"{titles[row.project]}: {words}" if row.project in titles else words, f"{base_url}{row.path}")

    lists: Sequence[tuple[str, Sequence[Entry]]] = (
        (later("New alerts"), alert_entries(digest.opened_alerts, say)),
        (later("Pages and sites that got worse"), [entry(row) for row in digest.worse]),
        (later("Available again"), [entry(row) for row in digest.away]),
        (later("Resolved alerts"), alert_entries(digest.closed_alerts, say)),
        (later("Still open"), alert_entries(digest.still_open, say)),
    )
    blocks: list[Block] = []
    for title, entries in lists:
        blocks += list_blocks(title, entries, say)
    blocks.append(Action(say(later("Open %(name)s"), name=sender), base_url))
    new = say.plural("%(count)s new alert", "%(count)s new alerts", len(digest.opened_alerts))
    subject = f"{sender}: {new if digest.opened_alerts else say(later('summary'))}"
    why = say(later("You get this summary because you watch sites."))
    return Letter(person.email, say.code, subject, tuple(blocks), why, unsubscribe_url(service, EmailSeries(DIGEST, person.id, 0)))
