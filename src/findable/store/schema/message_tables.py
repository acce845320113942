"""Tables of events and their deliveries."""

from sqlalchemy import Column, Index, Integer, LargeBinary, Text, UniqueConstraint

from findable.store.schema.table_parts import Bytewise, Seconds, numbered_table, references, table, where

webhook = numbered_table(
    "webhook",
    references("account", nullable=False, index=True),
    references("project", index=True),  # null: every project
    Column("name", Text, nullable=False),
    Column("kind", Text, nullable=False),  # format of the body
    Column("events", Text, nullable=False),  # types, separated by spaces; empty for all
    Column("target", LargeBinary, nullable=False),  # URL and secrets, encrypted JSON
    Column("created_at", Seconds, nullable=False),
    Column("updated_at", Seconds, nullable=False),
    Column("disabled_at", Seconds),
    Column("disabled_why", Text),
    Column("failing_since", Seconds),  # first failed attempt since the last success
    Column("language", Text),  # language of chat messages; null for English
)

event = numbered_table(
    "event",
    Column("uid", Bytewise, nullable=False, unique=True),
    references("account", nullable=False),
    references("project", index=True),
    Column("type", Text, nullable=False),
    Column("cause", Bytewise, nullable=False),
    Column("at", Seconds, nullable=False, index=True),
    Column("data", Text, nullable=False),  # JSON: values of the event
    UniqueConstraint("account_id", "type", "cause"),
)

delivery = numbered_table(
    "delivery",
    references("account", nullable=False, index=True),
    references("event", index=True),  # null: an email without an event
    references("webhook"),  # null for an email
    references("person", index=True),  # recipient of an email; null: a webhook, or a recipient without an account
    Column("mail", LargeBinary),  # recipient and values of an email, encrypted JSON; null: a webhook
    Column("state", Text, nullable=False),
    Column("run_at", Seconds, nullable=False),
    Column("created_at", Seconds, nullable=False),
    Column("attempt", Integer, nullable=False, default=0, server_default="0"),
    Column("failures", Integer, nullable=False, default=0, server_default="0"),
    Column("worker", Text),
    # time of the last attempt
    Column("tried_at", Seconds),
    Column("took_ms", Integer),
    Column("status", Integer),  # status code of the response
    Column("response", Text),  # beginning of the response
    Column("error", Text),  # error code
    Column("ended_at", Seconds),
    Index("ix_delivery_queued", "run_at", "id", **where("state = 'ready'")),
    Index("ix_delivery_running", "id", **where("state = 'running'")),
    Index("ix_delivery_webhook", "webhook_id", "id"),
    Index("ix_delivery_ended", "ended_at"),
)

subscription = table(
    "subscription",  # subscription of a person to emails about the alerts of a project
    references("person", primary_key=True),
    references("project", primary_key=True, index=True),
    Column("created_at", Seconds, nullable=False),
    sqlite_with_rowid=False,
)

mail_choice = table(
    "mail_choice",  # email preferences of a person; the defaults apply without a row
    references("person", primary_key=True),
    Column("digest", Text, nullable=False),  # none, daily or weekly
    Column("digest_at", Seconds),  # end of the time that the last digest covered
)

feed = numbered_table(
    "feed",
    references("account", nullable=False, index=True),
    references("person", nullable=False, index=True),  # person whose permissions the feed has
    references("project", index=True),  # null: every project that the person may see
    references("saved_view", index=True),  # saved view that the feed lists; null: alerts, or the list of projects or reports
    Column("name", Text, nullable=False),
    Column("token_hash", LargeBinary, nullable=False, unique=True),
    Column("created_at", Seconds, nullable=False),
    Column("last_used_at", Seconds),
)

recipient = numbered_table(
    "recipient",  # recipient of the monthly report of a project
    references("project", nullable=False),
    Column("email", Text, nullable=False),
    Column("language", Text, nullable=False),
    Column("created_at", Seconds, nullable=False),
    Column("stopped_at", Seconds),  # time of the unsubscription
    Column("sent_month", Text),  # last month whose report was sent, like 2026-11
    UniqueConstraint("project_id", "email"),
)
