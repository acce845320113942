"""SQL statements for the outbox: events and their deliveries, written in the transaction of the event and claimed by workers."""

from collections.abc import Collection
from typing import Any

from msgspec import structs
from sqlalchemy import ColumnElement, and_, bindparam, delete, exists, func, insert, or_, select, update

from findable.store import dialect, write_locks
from findable.store.engine_messages import DELIVERY, is_lost
from findable.store.outbox_rows import DONE, FAILED, READY, RUNNING, DeliveryJobRow, DeliveryRow, NewEvent
from findable.store.schema.account_tables import person
from findable.store.schema.message_tables import delivery, event, subscription, webhook
from findable.store.statements import Statements, columns

AT_ONCE_PER_WEBHOOK = 2
"""Maximum concurrent deliveries of a webhook, so that a slow receiver does not block others."""
_DUE = and_(delivery.c.state == READY, delivery.c.run_at <= bindparam("now"))
_ANY_DUE = select(delivery.c.id).where(_DUE).limit(1)
_BUSY = (
    select(delivery.c.webhook_id)
    .where(delivery.c.state == RUNNING, delivery.c.webhook_id.is_not(None))
    .group_by(delivery.c.webhook_id)
    .having(func.count() >= AT_ONCE_PER_WEBHOOK)
)
_MINE = and_(delivery.c.id == bindparam("of_id"), delivery.c.attempt == bindparam("of_attempt"), delivery.c.state == RUNNING)
_AGAIN: dict[str, Any] = {"state": READY, "worker": None}
_DELIVERY = select(*columns(DeliveryRow, delivery, data_json=event.c.data, uid=event.c.uid, type=event.c.type)).join(
    event, event.c.id == delivery.c.event_id
)


class Outbox(Statements):
    """SQL statements for events and deliveries, in one transaction."""

    def add_event(self, new: NewEvent, *, is_urgent: bool = False) -> int | None:
        """Queue an event for the webhooks that subscribe to its type, an urgent one also for the subscribers of its project; return its id.

        Returns None if there are no receivers, or if the account already has an event of this type and cause.
        """
        write_locks.lock_account(self._connection, new.account_id)
        of_project = or_(webhook.c.project_id.is_(None), webhook.c.project_id == new.project_id)
        taking = select(webhook.c.id, webhook.c.events).where(webhook.c.account_id == new.account_id, of_project)
        found = self._connection.execute(taking.where(webhook.c.disabled_at.is_(None)).order_by(webhook.c.id))
        webhooks = [webhook_id for webhook_id, events in found if not events or new.type in events.split(" ")]
        people: Collection[int] = ()
        if is_urgent and new.project_id is not None:
            joined = select(subscription.c.person_id).join(person, person.c.id == subscription.c.person_id)
            subscribers = joined.where(subscription.c.project_id == new.project_id, person.c.disabled_at.is_(None))
            people = self._connection.execute(subscribers.order_by(subscription.c.person_id)).scalars().all()
        return self.add_event_for(new, webhooks, people)

    def add_event_for(self, new: NewEvent, webhook_ids: Collection[int], person_ids: Collection[int] = ()) -> int | None:
        """Queue an event for these webhooks and people; return its id, or None like `add_event`."""
        event_id = self._insert(new) if webhook_ids or person_ids else None
        if event_id is not None:
            queued = {"account_id": new.account_id, "event_id": event_id, "state": READY, "run_at": 0, "created_at": new.at}
            rows = [queued | {"webhook_id": number, "person_id": None} for number in webhook_ids]
            self._connection.execute(insert(delivery), rows + [queued | {"webhook_id": None, "person_id": number} for number in person_ids])
        return event_id

    def add_email(self, account_id: int, person_id: int | None, mail: bytes, now: int) -> None:
        """Queue an email; its recipient and content are encrypted."""
        values = {"account_id": account_id, "person_id": person_id, "mail": mail, "state": READY, "run_at": 0, "created_at": now}
        self._connection.execute(insert(delivery), values)

    def _insert(self, new: NewEvent) -> int | None:
        """Insert the event and return its id; None if an event of this type and cause exists."""
        values = {name.removesuffix("_json"): value for name, value in structs.asdict(new).items()}
        statement = dialect.insert(self._connection.dialect.name, event).values(**values)
        statement = statement.on_conflict_do_nothing(index_elements=["account_id", "type", "cause"])
        event_id = self._connection.execute(statement.returning(event.c.id)).scalar_one_or_none()
        return None if event_id is None else int(event_id)

    def lock_account(self, account_id: int) -> None:
        """Lock the account, before a change of deliveries that other transactions of the account may change too."""
        write_locks.lock_account(self._connection, account_id)

    # --- work -------------------------------------------------------------------------------------------------------------

    def is_due(self, now: int) -> bool:
        """Return whether a delivery is due."""
        return self._connection.execute(_ANY_DUE, {"now": now}).first() is not None

    def claim(self, worker: str, *, now: int, limit: int) -> list[DeliveryJobRow]:
        """Claim up to ``limit`` due deliveries, those due longest first."""
        taken: list[DeliveryJobRow] = []
        while len(taken) < limit:
            busy = self._connection.execute(_BUSY).scalars().all()
            next_one = (
                select(delivery.c.id).where(_DUE).order_by(delivery.c.run_at, delivery.c.id).limit(1).with_for_update(skip_locked=True)
            )
            if busy:
                next_one = next_one.where(or_(delivery.c.webhook_id.is_(None), delivery.c.webhook_id.not_in(busy)))
            chosen = self._connection.execute(next_one, {"now": now}).scalar_one_or_none()
            if chosen is None:
                break
            claimed = {"state": RUNNING, "attempt": delivery.c.attempt + 1, "worker": worker}
            statement = update(delivery).where(delivery.c.id == chosen).values(claimed).returning(*columns(DeliveryJobRow, delivery))
            taken += self._all(DeliveryJobRow, statement)
        return taken

    def event_data(self, event_id: int) -> tuple[str, str] | None:
        """Return (uid, JSON) of an event; None if it does not exist."""
        row = self._connection.execute(select(event.c.uid, event.c.data).where(event.c.id == event_id)).first()
        return (str(row[0]), str(row[1])) if row else None

    def belongs_to_attempt(self, delivery_id: int, attempt: int) -> bool:
        """Return whether the delivery still belongs to the attempt."""
        values = {"of_id": delivery_id, "of_attempt": attempt}
        return self._connection.execute(select(delivery.c.id).where(_MINE), values).first() is not None

    def begin(self, delivery_id: int, attempt: int, worker: str) -> DeliveryJobRow | None:
        """Record which worker sends a delivery that the engine delivered; None if another attempt owns it."""
        statement = update(delivery).where(_MINE).values(worker=worker).returning(*columns(DeliveryJobRow, delivery))
        return self._first(DeliveryJobRow, statement, {"of_id": delivery_id, "of_attempt": attempt})

    def hand_back(self, delivery_id: int, attempt: int) -> bool:
        """Queue the delivery as if it had not been claimed."""
        return self._change(_MINE, delivery_id, attempt, **_AGAIN)

    def try_later(self, delivery_id: int, attempt: int, run_at: int, **columns: Any) -> bool:
        """Queue the next attempt after a failed one; ``columns`` are further columns to set."""
        return self._change(_MINE, delivery_id, attempt, **_AGAIN, run_at=run_at, failures=delivery.c.failures + 1, **columns)

    def end(self, delivery_id: int, attempt: int, now: int, *, is_done: bool, **columns: Any) -> bool:
        """End the delivery. Returns False if it no longer belongs to this attempt. The content of an email is deleted."""
        state = DONE if is_done else FAILED
        return self._change(_MINE, delivery_id, attempt, **_AGAIN | {"state": state}, ended_at=now, mail=None, **columns)

    def _change(self, where: ColumnElement[bool], delivery_id: int, attempt: int, **values: Any) -> bool:
        values_of = {"of_id": delivery_id, "of_attempt": attempt}
        return self._connection.execute(update(delivery).where(where).values(**values), values_of).rowcount == 1

    def requeue_lost(self, lost_after_s: int, at_work: Collection[int]) -> int:
        """Requeue deliveries of lost workers, except those with the ids ``at_work``; return their number."""
        lost = and_(delivery.c.state == RUNNING, delivery.c.id.not_in(at_work), is_lost(self._connection, DELIVERY, lost_after_s))
        return self._connection.execute(update(delivery).where(lost).values(**_AGAIN)).rowcount

    # --- lists ------------------------------------------------------------------------------------------------------------

    def of_webhook(self, webhook_id: int, *, before: int | None, limit: int) -> list[DeliveryRow]:
        """Return deliveries of a webhook, newest first, with smaller ids than ``before``."""
        statement = _DELIVERY.where(delivery.c.webhook_id == webhook_id).order_by(delivery.c.id.desc()).limit(limit)
        if before is not None:
            statement = statement.where(delivery.c.id < before)
        return self._all(DeliveryRow, statement)

    def one(self, webhook_id: int, delivery_id: int) -> DeliveryRow | None:
        """Return one delivery of a webhook; None if there is none."""
        return self._first(DeliveryRow, _DELIVERY.where(delivery.c.webhook_id == webhook_id, delivery.c.id == delivery_id))

    def send_again(self, delivery_id: int, now: int) -> bool:
        """Queue a finished or waiting delivery now. Returns False if it is being sent."""
        mine = and_(delivery.c.id == delivery_id, delivery.c.state != RUNNING)
        values = _AGAIN | {"run_at": now, "failures": 0, "ended_at": None}
        return self._connection.execute(update(delivery).where(mine).values(**values)).rowcount == 1

    def fail_queued(self, webhook_id: int, now: int, error: str) -> None:
        """End all queued deliveries of a webhook that was disabled."""
        queued = and_(delivery.c.webhook_id == webhook_id, delivery.c.state == READY)
        self._connection.execute(update(delivery).where(queued).values(state=FAILED, error=error, ended_at=now))

    def delete_ended(self, before: int, limit: int) -> int:
        """Delete some deliveries that ended before the moment, and events without deliveries; return the number of deleted deliveries."""
        old = select(delivery.c.id).where(delivery.c.ended_at < before).order_by(delivery.c.ended_at).limit(limit)
        deleted_count = self._connection.execute(delete(delivery).where(delivery.c.id.in_(old))).rowcount
        used = exists(select(delivery.c.id).where(delivery.c.event_id == event.c.id))
        done = select(event.c.id).where(event.c.at < before, ~used).order_by(event.c.at).limit(limit)
        self._connection.execute(delete(event).where(event.c.id.in_(done)))
        return deleted_count
