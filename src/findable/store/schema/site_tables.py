"""Tables of crawls and of watched sites."""

from sqlalchemy import (
    Column,
    ColumnElement,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
    literal_column,
)

from findable.store.schema.table_parts import AUTOINCREMENT, Bytewise, Id, Seconds, key, metadata, references, shared_by_link

schedule = Table(
    "schedule",
    metadata,
    key(),
    references("account", nullable=False),
    references("project", nullable=False, index=True),
    Column("what", Text, nullable=False),  # reports or crawl
    Column("every", Text, nullable=False),
    Column("at", Text, nullable=False),
    Column("time_zone", Text, nullable=False),
    Column("settings", Text, nullable=False),  # JSON
    Column("created_at", Seconds, nullable=False),
    Column("planned_at", Seconds, nullable=False),  # next time by the rule
    Column("due_at", Seconds, nullable=False),  # planned_at plus the jitter; during a run, the end of the lease
    # time of the last run
    Column("last_at", Seconds),
    Column("last_is_late", SmallInteger, nullable=False, default=0, server_default="0"),
    Column("last_batch", Id),
    Column("last_crawl", Id),
    Column("last_problem", Text),  # reason code if nothing was run
    **AUTOINCREMENT,
)
Index("ix_schedule_due", schedule.c.due_at, schedule.c.id)
Index("ix_schedule_account", schedule.c.account_id, schedule.c.id)

page_watch = Table(
    "page_watch",
    metadata,
    Column("report_id", Id, ForeignKey("report.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("account_id", Id, nullable=False),
    Column("project_id", Id, nullable=False),
    Column("facts", Text),  # JSON: values to compare later runs with; null until the page was loaded
    Column("seen_at", Seconds, nullable=False),
    Column("is_reached", SmallInteger, nullable=False),  # 1: the host responded at the last run
    Column("again_at", Seconds),  # time of the run that confirms a change
    Column("fingerprint", LargeBinary),  # fingerprint of the last full run; null if it is not comparable
    Column("full_at", Seconds),  # time of the last full run
)

unchanged_run = Table(
    "unchanged_run",
    metadata,
    Column("report_id", Id, ForeignKey("report.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("at", Seconds, primary_key=True, autoincrement=False),
    sqlite_with_rowid=False,
)
Index("ix_page_watch_project", page_watch.c.account_id, page_watch.c.project_id, page_watch.c.seen_at)
_AGAIN = page_watch.c.again_at.is_not(None)
Index("ix_page_watch_again", page_watch.c.again_at, page_watch.c.report_id, sqlite_where=_AGAIN, postgresql_where=_AGAIN)

site_watch = Table(
    "site_watch",
    metadata,
    Column("project_id", Id, ForeignKey("project.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("facts", Text),  # JSON: values to compare later runs with
    Column("crawl_id", Id),
    Column("crawl", Text),  # JSON: values to compare later crawls with
)

alert = Table(
    "alert",
    metadata,
    key(),
    references("account", nullable=False),
    references("project", index=True),  # null: the network of the service
    Column("rule", Text, nullable=False),
    Column("cause", Text, nullable=False),
    Column("phase", Text, nullable=False),
    Column("state", Text, nullable=False),  # JSON
    Column("details", Text, nullable=False),  # JSON: values of the message
    Column("created_at", Seconds, nullable=False),
    Column("opened_at", Seconds),
    Column("closed_at", Seconds),
    Column("next_at", Seconds),  # time of the next possible notification; null for never
    Column("pages_count", Integer, nullable=False, default=0, server_default="0"),  # highest number of affected subjects at one time
    Column("examples", Text, nullable=False),  # JSON list of URLs
    Column("is_over", SmallInteger, nullable=False, default=0, server_default="0"),
    **AUTOINCREMENT,
)
_LIVE = alert.c.is_over == literal_column("0")
Index(
    "uq_alert_live",
    alert.c.account_id,
    alert.c.project_id,
    alert.c.rule,
    alert.c.cause,
    unique=True,
    sqlite_where=_LIVE,
    postgresql_where=_LIVE,
)
Index("ix_alert_account", alert.c.account_id, alert.c.id)
_TELLS = alert.c.next_at.is_not(None)
Index("ix_alert_next", alert.c.next_at, alert.c.id, sqlite_where=_TELLS, postgresql_where=_TELLS)

alert_subject = Table(
    "alert_subject",
    metadata,
    Column("alert_id", Id, ForeignKey("alert.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("subject_id", Id, primary_key=True, autoincrement=False),  # id of a report; 0 for the site
    Column("phase", Text, nullable=False),
    Column("runs", SmallInteger, nullable=False),
    sqlite_with_rowid=False,
)
Index("ix_alert_subject_subject", alert_subject.c.subject_id, alert_subject.c.alert_id)

crawl = Table(
    "crawl",
    metadata,
    key(),
    *shared_by_link(),
    Column("is_stopping", SmallInteger, nullable=False, default=0, server_default="0"),
    Column("created_at", Seconds, nullable=False),
    Column("updated_at", Seconds, nullable=False),
    Column("started_at", Seconds),
    Column("finished_at", Seconds),
    Column("deleted_at", Seconds),  # time of the deletion; the store is deleted next
    Column("settings", Text, nullable=False),  # JSON, without the list of URLs
    Column("listed", LargeBinary),  # packed JSON list of URLs; null for none
    # results so far
    Column("ended_by", Text),
    Column("error", Text),
    Column("result", Text),
    Column("score", SmallInteger),
    Column("provisional", SmallInteger, nullable=False, default=0, server_default="0"),
    Column("coverage", SmallInteger),  # requested share of the found URLs, in per cent
    Column("requests", Integer, nullable=False, default=0, server_default="0"),  # number of requested URLs
    Column("size_bytes", Seconds, nullable=False, default=0, server_default="0"),  # size of the crawl store
    Column("counts", Text),  # JSON
    Column("findings", Text),  # JSON: number of findings by verdict
    Column("report", LargeBinary),  # packed JSON of the site report
    Column("previous_crawl", Id),
    Column("is_listed", SmallInteger, nullable=False, default=0, server_default="0"),  # 1: search engines may index the public page
    Column("link_expires_at", Seconds),  # end of guest access; null: never
    Column("client", Text),  # the owner's note for the client, JSON; null for none
    **AUTOINCREMENT,
)
_STORED = crawl.c.deleted_at.is_(None)
Index("ix_crawl_account", crawl.c.account_id, crawl.c.id, sqlite_where=_STORED, postgresql_where=_STORED)
Index("ix_crawl_project", crawl.c.project_id, crawl.c.id)
SITE_SCORE: ColumnElement[bool] = literal_column(
    "(crawl.score IS NOT NULL AND crawl.provisional = 0 AND crawl.ended_by IN ('complete', 'trap') "
    "AND crawl.listed IS NULL AND crawl.deleted_at IS NULL)"
)
"""Condition: the crawl is complete, and its score is that of the site. Written literally so that the planner can use the index."""
_SITE_SCORE: ColumnElement[bool] = literal_column(str(SITE_SCORE).replace("crawl.", ""))
Index("ix_crawl_site_score", crawl.c.project_id, crawl.c.id, sqlite_where=_SITE_SCORE, postgresql_where=_SITE_SCORE)
Index("ix_crawl_deleted", crawl.c.deleted_at, sqlite_where=~_STORED, postgresql_where=~_STORED)

setback = Table(
    "setback",
    metadata,
    key(),
    references("account", nullable=False),
    references("project", nullable=False),
    references("report", index=True),  # null: the row belongs to a crawl
    references("crawl", index=True),  # null: the row belongs to a report
    Column("url", Bytewise, nullable=False),
    Column("is_site", SmallInteger, nullable=False),
    Column("at", Seconds, nullable=False),  # time of the last regression; 0 for never
    Column("better_at", Seconds, nullable=False, default=0, server_default="0"),  # time of the last fix; 0 for never
    Column("findings", Text, nullable=False),  # JSON: recent scores, and findings with the times of their changes
    UniqueConstraint("project_id", "is_site", "url"),
    **AUTOINCREMENT,
)
Index("ix_setback_account", setback.c.account_id, setback.c.at, setback.c.id)
Index("ix_setback_better", setback.c.account_id, setback.c.better_at, setback.c.id)
Index("ix_setback_project", setback.c.project_id, setback.c.at, setback.c.id)
Index("ix_setback_project_better", setback.c.project_id, setback.c.better_at, setback.c.id)
