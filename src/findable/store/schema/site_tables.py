"""Tables of crawls and of what is watched between them."""

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

from findable.store.schema.table_parts import KEPT_IDS, Bytewise, Id, Seconds, key, metadata, shared_by_link, to

schedule = Table(
    "schedule",
    metadata,
    key(),
    to("account", nullable=False),
    to("project", nullable=False, index=True),
    Column("what", Text, nullable=False),  # reports or crawl
    Column("every", Text, nullable=False),
    Column("at", Text, nullable=False),
    Column("time_zone", Text, nullable=False),
    Column("settings", Text, nullable=False),  # JSON
    Column("created_at", Seconds, nullable=False),
    Column("planned_at", Seconds, nullable=False),  # next moment of the rule
    Column("due_at", Seconds, nullable=False),  # that moment and the jitter; the end of the lease while the schedule is run
    # of the last turn
    Column("last_at", Seconds),
    Column("last_is_late", SmallInteger, nullable=False, default=0, server_default="0"),
    Column("last_batch", Id),
    Column("last_crawl", Id),
    Column("last_problem", Text),  # code of the reason why nothing was run
    **KEPT_IDS,
)
Index("ix_schedule_due", schedule.c.due_at, schedule.c.id)
Index("ix_schedule_account", schedule.c.account_id, schedule.c.id)

page_watch = Table(
    "page_watch",
    metadata,
    Column("report_id", Id, ForeignKey("report.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("account_id", Id, nullable=False),
    Column("project_id", Id, nullable=False),
    Column("facts", Text),  # JSON, which later runs are compared with; null before the page was loaded
    Column("seen_at", Seconds, nullable=False),
    Column("is_reached", SmallInteger, nullable=False),  # whether its host responded at the last run
    Column("again_at", Seconds),  # when it is run again to confirm what was seen
    Column("fingerprint", LargeBinary),  # of the last full run; null if it cannot be compared
    Column("full_at", Seconds),  # last full run
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
    Column("facts", Text),  # JSON, which later runs are compared with
    Column("crawl_id", Id),
    Column("crawl", Text),  # JSON, which later crawls are compared with
)

alert = Table(
    "alert",
    metadata,
    key(),
    to("account", nullable=False),
    to("project", index=True),  # null: the network of this service
    Column("rule", Text, nullable=False),
    Column("cause", Text, nullable=False),
    Column("phase", Text, nullable=False),
    Column("state", Text, nullable=False),  # JSON
    Column("details", Text, nullable=False),  # JSON: values of the message
    Column("created_at", Seconds, nullable=False),
    Column("opened_at", Seconds),
    Column("closed_at", Seconds),
    Column("next_at", Seconds),  # when there may be something to tell; null for never
    Column("pages_count", Integer, nullable=False, default=0, server_default="0"),  # most subjects at one time
    Column("examples", Text, nullable=False),  # JSON list of URLs
    Column("is_over", SmallInteger, nullable=False, default=0, server_default="0"),
    **KEPT_IDS,
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
    Column("subject_id", Id, primary_key=True, autoincrement=False),  # of a report; 0 for the site
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
    to("account", nullable=False),
    to("project", nullable=False),
    to("report", index=True),  # null: a crawl
    to("crawl", index=True),  # null: a report
    Column("url", Bytewise, nullable=False),
    Column("is_site", SmallInteger, nullable=False),
    Column("at", Seconds, nullable=False),  # when it got worse last; 0 for never
    Column("better_at", Seconds, nullable=False, default=0, server_default="0"),  # when a problem was fixed last; 0 for never
    Column("findings", Text, nullable=False),  # JSON: recent scores and findings with the moments at which they changed
    UniqueConstraint("project_id", "is_site", "url"),
    **KEPT_IDS,
)
Index("ix_setback_account", setback.c.account_id, setback.c.at, setback.c.id)
Index("ix_setback_better", setback.c.account_id, setback.c.better_at, setback.c.id)
Index("ix_setback_project", setback.c.project_id, setback.c.at, setback.c.id)
Index("ix_setback_project_better", setback.c.project_id, setback.c.better_at, setback.c.id)
