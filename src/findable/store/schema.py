"""Current tables. Older databases are migrated by migrations/."""

from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
    literal_column,
)
from sqlalchemy.types import BigInteger

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

Id = BigInteger().with_variant(Integer, "sqlite")
"""Type of ids: SQLite only counts up in a column of type INTEGER."""
Seconds = BigInteger
Bytewise = Text().with_variant(Text(collation="C"), "postgresql")
"""Text compared byte by byte, so that lists have the same order on every database."""

KEPT_IDS: Any = {"sqlite_autoincrement": True}
"""Option that never reuses an id, not even after the newest row was deleted."""


def _key() -> Column[int]:
    return Column("id", Id, primary_key=True)


def _to(table: str, **options: Any) -> Column[int]:
    return Column(f"{table}_id", Id, ForeignKey(f"{table}.id", ondelete="CASCADE"), **options)


def _shared_by_link() -> tuple[Column[Any], ...]:
    """Return the columns of what belongs to a project and is shared by a link."""
    return (
        Column("public_id", Bytewise, nullable=False, unique=True),
        _to("account", nullable=False),
        _to("project", nullable=False),
        Column("url", Bytewise, nullable=False),
        Column("scheme_guessed", SmallInteger, nullable=False),
        Column("privacy", SmallInteger, nullable=False),
        Column("password_hash", Text),
        Column("password_version", Integer, nullable=False, default=0, server_default="0"),
        Column("status", Text, nullable=False),
        Column("version", Integer, nullable=False, default=1, server_default="1"),
    )


account = Table(
    "account",
    metadata,
    _key(),
    Column("email", Text, nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("created_at", Seconds, nullable=False),
    Column("reports", Integer, nullable=False, default=0, server_default="0"),
    Column("good", Integer, nullable=False, default=0, server_default="0"),
    Column("decent", Integer, nullable=False, default=0, server_default="0"),
    Column("bad", Integer, nullable=False, default=0, server_default="0"),
    Column("projects", Integer, nullable=False, default=0, server_default="0"),
    **KEPT_IDS,
)

person = Table(
    "person",
    metadata,
    _key(),
    _to("account", nullable=False, index=True),
    Column("email", Text, nullable=False, unique=True),
    Column("password_hash", Text),
    Column("created_at", Seconds, nullable=False),
    Column("disabled_at", Seconds),
    Column("name", Text, nullable=False, default="", server_default=""),
    Column("role", Text, nullable=False, default="owner", server_default="owner"),  # owner or member
    Column("language", Text),  # null: language of the browser
    Column("time_zone", Text),  # IANA name; null for UTC
    **KEPT_IDS,
)

session = Table(
    "session",
    metadata,
    Column("token_hash", LargeBinary, primary_key=True),
    _to("person", nullable=False, index=True),
    Column("created_at", Seconds, nullable=False),
    Column("expires_at", Seconds, nullable=False),
    Column("last_seen_at", Seconds),
    Column("user_agent", Text),
    Column("network", Text),  # of the IP address that signed in: /24 or /56
)

invitation = Table(
    "invitation",
    metadata,
    Column("token_hash", LargeBinary, primary_key=True),
    _to("account", nullable=False, index=True),
    Column("role", Text, nullable=False),
    Column("email", Text),  # null: anyone who has the link
    Column("invited_by", Id, ForeignKey("person.id", ondelete="SET NULL")),
    Column("created_at", Seconds, nullable=False),
    Column("expires_at", Seconds, nullable=False),
    Column("used_at", Seconds),
)

one_time_link = Table(
    "one_time_link",
    metadata,
    Column("token_hash", LargeBinary, primary_key=True),
    _to("person", nullable=False, index=True),
    Column("created_at", Seconds, nullable=False),
    Column("expires_at", Seconds, nullable=False),
    Column("used_at", Seconds),
)

api_key = Table(
    "api_key",
    metadata,
    _key(),
    _to("account", nullable=False, index=True),
    _to("person", nullable=False, index=True),
    Column("prefix", Text, nullable=False, unique=True),
    Column("token_hash", LargeBinary, nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("scopes", Text, nullable=False),
    Column("created_at", Seconds, nullable=False),
    Column("expires_at", Seconds),
    Column("revoked_at", Seconds),
    Column("last_used_at", Seconds),
    **KEPT_IDS,
)

project = Table(
    "project",
    metadata,
    _key(),
    _to("account", nullable=False),
    Column("name", Bytewise, nullable=False),
    Column("created_at", Seconds, nullable=False),
    Column("deleted_at", Seconds),
    Column("reports", Integer, nullable=False, default=0, server_default="0"),
    Column("good", Integer, nullable=False, default=0, server_default="0"),
    Column("decent", Integer, nullable=False, default=0, server_default="0"),
    Column("bad", Integer, nullable=False, default=0, server_default="0"),
    Column("not_for_search", Text),  # JSON list of patterns; null for none
    Column("brand_name", Text),
    Column("brand_color", Text),  # #rrggbb
    Column("brand_logo", LargeBinary),  # hash of an image
    Column("language", Text),  # of its reports; null: language of the reader
    Column("segments", Text),  # JSON of parts of the site by name; null for none
    Column("extractors", Text),  # JSON of the columns of its crawls by name; null for none
    Column("identity", LargeBinary),  # headers for requests to its own origin, encrypted JSON; null for none
    **KEPT_IDS,
)
_ALIVE = project.c.deleted_at.is_(None)
Index("uq_project_alive_name", project.c.account_id, project.c.name, unique=True, sqlite_where=_ALIVE, postgresql_where=_ALIVE)
Index("ix_project_created", project.c.account_id, project.c.created_at, project.c.id)
Index("ix_project_deleted", project.c.account_id, project.c.deleted_at, sqlite_where=~_ALIVE, postgresql_where=~_ALIVE)

report = Table(
    "report",
    metadata,
    _key(),
    *_shared_by_link(),
    Column("created_at", Seconds, nullable=False),
    Column("updated_at", Seconds, nullable=False),
    Column("runs", Integer, nullable=False, default=0, server_default="0"),
    # the shown run: copied, so that a list reads this table alone
    Column("run", Integer),
    Column("generated_at", Seconds),
    Column("result", Text),
    Column("score", SmallInteger),
    Column("coverage", SmallInteger),
    Column("check_set", Integer),
    Column("summary", Text),
    Column("error", Text),
    Column("last_error", Text),
    Column("previous_report", Id),
    Column("previous_run", Integer),
    Column("previous_result", Text),
    Column("previous_score", SmallInteger),
    # sort keys: never null, so that missing values come last in both directions
    Column("generated_up", Seconds, nullable=False),
    Column("generated_down", Seconds, nullable=False),
    Column("result_up", SmallInteger, nullable=False),
    Column("result_down", SmallInteger, nullable=False),
    Column("accepted_end", Seconds),  # when the first acceptance that affects the shown run ends
    Column("listed", SmallInteger, nullable=False, default=0, server_default="0"),  # search engines may list the public page
    Column("link_expires_at", Seconds),  # end of guest access; null: never
    Column("client", Text),  # the owner's note for the client, JSON; null for none
    **KEPT_IDS,
)
# The set of checks is part of these two indexes, so that passed reports are counted without reading the table.
Index("ix_report_account", report.c.account_id, report.c.id, report.c.check_set)
Index("ix_report_generated_up", report.c.account_id, report.c.generated_up, report.c.id)
Index("ix_report_generated_down", report.c.account_id, report.c.generated_down, report.c.id)
Index("ix_report_url", report.c.account_id, report.c.url, report.c.id)
Index("ix_report_result_up", report.c.account_id, report.c.result_up, report.c.id)
Index("ix_report_result_down", report.c.account_id, report.c.result_down, report.c.id)
UNFINISHED = report.c.status != literal_column("'done'")
"""Condition for unfinished reports, written literally so that the planner can use partial indexes."""
Index("ix_report_unfinished", report.c.account_id, report.c.status, report.c.id, sqlite_where=UNFINISHED, postgresql_where=UNFINISHED)
Index(
    "ix_report_unfinished_url",
    report.c.account_id,
    report.c.status,
    report.c.url,
    report.c.id,
    sqlite_where=UNFINISHED,
    postgresql_where=UNFINISHED,
)
Index("ix_report_updated", report.c.account_id, report.c.updated_at)
WORSE: ColumnElement[bool] = literal_column(
    "(score < previous_score OR (result = 'bad' AND previous_result IN ('decent', 'good')) "
    "OR (result = 'decent' AND previous_result = 'good'))"
)
"""Condition: the shown run has a lower score or rating than the previous one. Written literally so that the planner can use the index."""
Index("ix_report_worse", report.c.account_id, report.c.generated_down, report.c.id, sqlite_where=WORSE, postgresql_where=WORSE)
_ENDS = report.c.accepted_end.is_not(None)
Index("ix_report_accepted_end", report.c.accepted_end, sqlite_where=_ENDS, postgresql_where=_ENDS)
Index("ix_report_project", report.c.project_id, report.c.id, report.c.check_set)
Index("ix_report_project_generated", report.c.project_id, report.c.generated_down, report.c.id)
Index("ix_report_project_url", report.c.project_id, report.c.url, report.c.id)
Index("ix_report_project_result_up", report.c.project_id, report.c.result_up, report.c.id)
Index("ix_report_project_result_down", report.c.project_id, report.c.result_down, report.c.id)

run = Table(
    "run",
    metadata,
    _key(),
    _to("report", nullable=False),
    Column("number", Integer, nullable=False),
    Column("account_id", Id, nullable=False),
    Column("url", Bytewise, nullable=False),
    Column("profile", Text, nullable=False),
    Column("started_at", Seconds, nullable=False),
    Column("finished_at", Seconds, nullable=False),
    Column("result", Text),
    Column("score", SmallInteger),
    Column("coverage", SmallInteger),
    Column("engine", Text),
    Column("analysis", LargeBinary),
    Column("saved_hash", LargeBinary),
    Column("error", Text),
    Column("rescored_from", Integer),  # number of the run whose saved page was rescored
    Column("icon", LargeBinary),  # hashes of images
    Column("card", LargeBinary),
    UniqueConstraint("report_id", "number"),
    **KEPT_IDS,
)
Index("ix_run_history", run.c.account_id, run.c.url, run.c.profile, run.c.id)
_SAVED = run.c.saved_hash.is_not(None)
Index("ix_run_saved", run.c.saved_hash, sqlite_where=_SAVED, postgresql_where=_SAVED)
_ICON, _CARD = run.c.icon.is_not(None), run.c.card.is_not(None)
Index("ix_run_icon", run.c.icon, sqlite_where=_ICON, postgresql_where=_ICON)
Index("ix_run_card", run.c.card, sqlite_where=_CARD, postgresql_where=_CARD)
Index("ix_run_saved_age", run.c.finished_at, sqlite_where=_SAVED, postgresql_where=_SAVED)
Index("ix_run_finished", run.c.finished_at)

check_name = Table("check_name", metadata, _key(), Column("name", Text, nullable=False, unique=True))

check_set = Table(
    "check_set",
    metadata,
    _key(),
    Column("digest", LargeBinary, nullable=False, unique=True),
    Column("not_asked", Text, nullable=False),
)

check_set_member = Table(
    "check_set_member",
    metadata,
    Column("check_id", Id, ForeignKey("check_name.id"), primary_key=True),
    Column("set_id", Id, ForeignKey("check_set.id"), primary_key=True),
)

finding = Table(
    "finding",
    metadata,
    _to("report", primary_key=True),
    Column("check_id", Id, primary_key=True),
    Column("account_id", Id, nullable=False),
    Column("verdict", SmallInteger, nullable=False),
    Column("result", SmallInteger),  # of the report, by its position in RESULTS from 1; stored for failed and warned findings only
    sqlite_with_rowid=False,
)
Index("ix_finding_verdict", finding.c.account_id, finding.c.check_id, finding.c.verdict, finding.c.report_id)
_RATED = finding.c.result.is_not(None)
Index(
    "ix_finding_result",
    finding.c.account_id,
    finding.c.check_id,
    finding.c.verdict,
    finding.c.result,
    finding.c.report_id,
    sqlite_where=_RATED,
    postgresql_where=_RATED,
)

acceptance = Table(
    "acceptance",
    metadata,
    _key(),
    _to("project", nullable=False, index=True),
    _to("report", index=True),  # null: applies to the project's URLs that match the pattern, or to its crawls
    Column("of_crawls", SmallInteger, nullable=False, default=0, server_default="0"),  # applies to the crawls of the project
    Column("check_name", Text, nullable=False),
    Column("pattern", Text, nullable=False),
    Column("finding_key", Text, nullable=False),  # empty: any evidence
    Column("reason", Text, nullable=False),
    Column("until", Text, nullable=False),  # last day, ISO; empty for no end
    Column("accepted_by", Text, nullable=False),
    Column("person_id", Id, ForeignKey("person.id", ondelete="SET NULL")),
    Column("created_at", Seconds, nullable=False),
)

blob = Table(
    "blob",
    metadata,
    Column("hash", LargeBinary, primary_key=True),
    Column("data", LargeBinary, nullable=False),
    Column("created_at", Seconds, nullable=False),
)

picture = Table(
    "picture",
    metadata,
    Column("hash", LargeBinary, primary_key=True),  # SHA-256 of data
    Column("data", LargeBinary, nullable=False),  # a small PNG encoded by Findable
    Column("width_px", Integer, nullable=False),
    Column("height_px", Integer, nullable=False),
    Column("created_at", Seconds, nullable=False),
)

batch = Table(
    "batch",
    metadata,
    _key(),
    _to("account", nullable=False),
    Column("source", Text, nullable=False),  # URL of the sitemap; empty for a list of URLs
    Column("members", Integer, nullable=False),
    Column("left_out", Integer, nullable=False),  # URLs beyond the limit
    Column("created_at", Seconds, nullable=False),
    Column("duplicates", Integer, nullable=False, default=0, server_default="0"),  # URLs that occurred before
    Column("fed", Integer, nullable=False, default=0, server_default="0"),  # members before this position have reports
    # settings of the new reports
    Column("privacy", SmallInteger, nullable=False, default=0, server_default="0"),
    Column("password_hash", Text),
    **KEPT_IDS,
)
Index("ix_batch_account", batch.c.account_id, batch.c.id)
WAITING: ColumnElement[bool] = literal_column("fed < members")
Index("ix_batch_waiting", batch.c.account_id, batch.c.id, sqlite_where=WAITING, postgresql_where=WAITING)

batch_member = Table(
    "batch_member",
    metadata,
    Column("batch_id", Id, ForeignKey("batch.id", ondelete="CASCADE"), primary_key=True),
    Column("place", Integer, primary_key=True, autoincrement=False),
    Column("url", Bytewise, nullable=False),
    Column("report_id", Id, ForeignKey("report.id", ondelete="SET NULL"), index=True),
    Column("refused", Text),  # reason why it has no report; null if it has one
    Column("scheme_guessed", SmallInteger, nullable=False, default=0, server_default="0"),
    sqlite_with_rowid=False,
)

crawl = Table(
    "crawl",
    metadata,
    _key(),
    *_shared_by_link(),
    Column("is_stopping", SmallInteger, nullable=False, default=0, server_default="0"),
    Column("created_at", Seconds, nullable=False),
    Column("updated_at", Seconds, nullable=False),
    Column("started_at", Seconds),
    Column("finished_at", Seconds),
    Column("deleted_at", Seconds),  # its store is deleted next
    Column("settings", Text, nullable=False),  # JSON, without the list of URLs
    Column("listed", LargeBinary),  # packed JSON list of URLs; null for none
    # results so far
    Column("ended_by", Text),
    Column("error", Text),
    Column("result", Text),
    Column("score", SmallInteger),
    Column("provisional", SmallInteger, nullable=False, default=0, server_default="0"),
    Column("coverage", SmallInteger),  # per cent of the URLs found that were requested
    Column("requests", Integer, nullable=False, default=0, server_default="0"),  # URLs that were requested
    Column("size_bytes", Seconds, nullable=False, default=0, server_default="0"),  # of its store
    Column("counts", Text),  # JSON
    Column("findings", Text),  # JSON: number by verdict
    Column("report", LargeBinary),  # packed JSON of the site report
    Column("previous_crawl", Id),
    Column("is_listed", SmallInteger, nullable=False, default=0, server_default="0"),  # search engines may list the public page
    Column("link_expires_at", Seconds),  # end of guest access; null: never
    Column("client", Text),  # the owner's note for the client, JSON; null for none
    **KEPT_IDS,
)
_STORED = crawl.c.deleted_at.is_(None)
Index("ix_crawl_account", crawl.c.account_id, crawl.c.id, sqlite_where=_STORED, postgresql_where=_STORED)
Index("ix_crawl_project", crawl.c.project_id, crawl.c.id)
Index("ix_crawl_deleted", crawl.c.deleted_at, sqlite_where=~_STORED, postgresql_where=~_STORED)

job = Table(
    "job",
    metadata,
    _key(),
    Column("kind", Text, nullable=False),
    _to("report", unique=True),  # null for a crawl
    Column("account_id", Id, nullable=False),
    Column("host", Bytewise, nullable=False),
    Column("priority", SmallInteger, nullable=False),
    Column("fresh_site", SmallInteger, nullable=False),
    Column("state", Text, nullable=False),
    Column("run_at", Seconds, nullable=False),
    Column("created_at", Seconds, nullable=False),
    Column("started_at", Seconds),
    Column("attempt", Integer, nullable=False, default=0, server_default="0"),
    Column("failures", Integer, nullable=False, default=0, server_default="0"),
    Column("worker", Text),
    Column("lease_until", Seconds),
    Column("progress", Text),
    Column("reason", Text),  # reason why it is queued again; null for the first time
    _to("crawl", unique=True),  # null for a report
    **KEPT_IDS,
)
Index("ix_job_turn", job.c.state, job.c.priority, job.c.account_id, job.c.id)
Index("ix_job_host", job.c.state, job.c.priority, job.c.account_id, job.c.host, job.c.id)

turn = Table(
    "turn",
    metadata,
    Column("account_id", Id, ForeignKey("account.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("active", Integer, nullable=False),
    Column("served", Id, nullable=False),
)
Index("ix_turn_served", turn.c.served)

pause = Table(
    "pause",
    metadata,
    Column("origin", Bytewise, primary_key=True),
    Column("host", Bytewise, nullable=False),  # as in job
    Column("until_at", Seconds, nullable=False),
)

site_answer = Table(
    "site_answer",
    metadata,
    _key(),
    Column("site", Bytewise, nullable=False),  # account and origin
    Column("data", LargeBinary, nullable=False),  # site capture, or responses of its links
    Column("made_at", Seconds, nullable=False),
    **KEPT_IDS,
)
Index("ix_site_answer_site", site_answer.c.site, site_answer.c.id)
Index("ix_site_answer_made", site_answer.c.made_at)

idempotency = Table(
    "idempotency",
    metadata,
    Column("owner", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("payload_hash", Text, nullable=False),
    Column("report_id", Id, nullable=False),
    Column("created_at", Seconds, nullable=False),
    Column("held_until", Seconds, nullable=False),
    Column("reply", LargeBinary),
)
Index("ix_idempotency_created", idempotency.c.created_at)

rate_bucket = Table(
    "rate_bucket",
    metadata,
    Column("name", Text, primary_key=True),
    Column("count", Integer, nullable=False),
    Column("blocked_until", Seconds, nullable=False),
    Column("expires_at", Seconds, nullable=False),
)
Index("ix_rate_bucket_expires", rate_bucket.c.expires_at)
