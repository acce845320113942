"""Tables of queued jobs, and of data that workers share."""

from sqlalchemy import Column, Index, Integer, LargeBinary, SmallInteger, Text

from findable.store.schema.table_parts import Bytewise, Id, Seconds, numbered_table, references, table

job = numbered_table(
    "job",
    Column("kind", Text, nullable=False),
    references("report", unique=True),  # null for a crawl
    Column("account_id", Id, nullable=False),
    Column("host", Bytewise, nullable=False),
    Column("priority", SmallInteger, nullable=False),
    Column("fresh_site", SmallInteger, nullable=False),
    Column("is_scheduled", SmallInteger, nullable=False, default=0, server_default="0"),  # 1: only a schedule requested this run
    Column("browser", Text),  # browser mode of this run, whose result without a browser is shown first; null: as the report or project sets
    Column("state", Text, nullable=False),
    Column("run_at", Seconds, nullable=False),
    Column("created_at", Seconds, nullable=False),
    Column("started_at", Seconds),
    Column("attempt", Integer, nullable=False, default=0, server_default="0"),
    Column("failures", Integer, nullable=False, default=0, server_default="0"),  # points of losses and waits since the last progress
    Column("worker", Text),
    Column("progress", Text),
    Column("reason", Text),  # reason why the job was queued again; null on the first attempt
    references("crawl", unique=True),  # null for a report
    Column("person_id", Id),  # person who requested the work, with whose role it runs; null: it belongs to the project
    Index("ix_job_turn", "state", "priority", "account_id", "id"),
    Index("ix_job_host", "state", "priority", "account_id", "host", "id"),
)

turn = table(
    "turn",
    references("account", primary_key=True),
    Column("active", Integer, nullable=False),
    Column("served", Id, nullable=False, index=True),
)

pause = table(
    "pause",
    Column("origin", Bytewise, primary_key=True),
    Column("host", Bytewise, nullable=False),  # host, like job.host
    Column("until_at", Seconds, nullable=False),
)

site_answer = numbered_table(
    "site_answer",
    Column("site", Bytewise, nullable=False),  # account and origin
    Column("data", LargeBinary, nullable=False),  # site capture, or responses of the links
    Column("made_at", Seconds, nullable=False),
    Index("ix_site_answer_site", "site", "id"),
    Index("ix_site_answer_made", "made_at"),
)

idempotency = table(
    "idempotency",
    Column("owner", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("payload_hash", Text, nullable=False),
    Column("report_id", Id, nullable=False),
    Column("created_at", Seconds, nullable=False),
    Column("held_until", Seconds, nullable=False),
    Column("reply", LargeBinary),
    Index("ix_idempotency_created", "created_at"),
)

rate_bucket = table(
    "rate_bucket",
    Column("name", Text, primary_key=True),
    Column("count", Integer, nullable=False),
    Column("blocked_until", Seconds, nullable=False),
    Column("expires_at", Seconds, nullable=False),
    Index("ix_rate_bucket_expires", "expires_at"),
)
