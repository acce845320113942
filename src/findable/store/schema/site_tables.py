"""Tables of crawls and of watched sites."""

from sqlalchemy import (
    Column,
    ColumnElement,
    Index,
    Integer,
    LargeBinary,
    SmallInteger,
    Text,
    UniqueConstraint,
    literal_column,
)

from findable.store.schema.table_parts import Bytewise, Id, Seconds, numbered_table, of_result, references, table, where

schedule = numbered_table(
    "schedule",
    references("account", nullable=False),
    references("project", nullable=False, index=True),
    Column("person_id", Id, nullable=False),  # person who saved it last, with whose roles it runs
    Column("what", Text, nullable=False),  # reports or crawl
    Column("every", Text, nullable=False),
    Column("at", Text, nullable=False),
    Column("time_zone", Text, nullable=False),
    Column("settings", Text, nullable=False),  # JSON
    Column("created_at", Seconds, nullable=False),
    Column("planned_at", Seconds, nullable=False),  # next time by the schedule's rule, without jitter
    Column("due_at", Seconds, nullable=False),  # planned_at plus the jitter; during a run, the end of the lease
    # time of the last run
    Column("last_at", Seconds),
    Column("last_is_late", SmallInteger, nullable=False, default=0, server_default="0"),
    Column("last_batch", Id),
    Column("last_crawl", Id),
    Column("last_problem", Text),  # reason code if nothing was run
    Index("ix_schedule_due", "due_at", "id"),
    Index("ix_schedule_account", "account_id", "id"),
)

page_watch = table(
    "page_watch",
    references("report", primary_key=True),
    Column("account_id", Id, nullable=False),
    Column("project_id", Id, nullable=False),
    Column("facts", Text),  # JSON: values to compare later runs with; null until the page was loaded
    Column("seen_at", Seconds, nullable=False),
    Column("is_reached", SmallInteger, nullable=False),  # 1: the host responded at the last run
    Column("again_at", Seconds),  # time of the run that confirms a change
    Column("fingerprint", LargeBinary),  # fingerprint of the last full run; null if it is not comparable
    Column("full_at", Seconds),  # time of the last full run
    Index("ix_page_watch_project", "account_id", "project_id", "seen_at"),
    Index("ix_page_watch_again", "again_at", "report_id", **where("again_at IS NOT NULL")),
)

unchanged_run = table(
    "unchanged_run",
    references("report", primary_key=True),
    Column("at", Seconds, primary_key=True),
    sqlite_with_rowid=False,
)

site_watch = table(
    "site_watch",
    references("project", primary_key=True),
    Column("facts", Text),  # JSON: values to compare later runs with
    Column("crawl_id", Id),
    Column("crawl", Text),  # JSON: values to compare later crawls with
)

alert = numbered_table(
    "alert",
    references("account", nullable=False),
    references("project", index=True),  # null: the network of the service
    Column("rule", Text, nullable=False),
    Column("cause", Text, nullable=False),
    Column("phase", Text, nullable=False),
    Column("state", Text, nullable=False),  # JSON: state of the alert's rule
    Column("details", Text, nullable=False),  # JSON: values of the message
    Column("created_at", Seconds, nullable=False),
    Column("opened_at", Seconds),
    Column("closed_at", Seconds),
    Column("next_at", Seconds),  # time of the next possible notification; null for never
    Column("pages_count", Integer, nullable=False, default=0, server_default="0"),  # highest number of affected pages at one time
    Column("examples", Text, nullable=False),  # JSON list of URLs
    Column("is_over", SmallInteger, nullable=False, default=0, server_default="0"),
    Index("uq_alert_live", "account_id", "project_id", "rule", "cause", unique=True, **where("is_over = 0")),
    Index("ix_alert_account", "account_id", "id"),
    Index("ix_alert_next", "next_at", "id", **where("next_at IS NOT NULL")),
)

alert_subject = table(
    "alert_subject",
    references("alert", primary_key=True),
    Column("subject_id", Id, primary_key=True),  # id of a report; 0 for the site
    Column("phase", Text, nullable=False),
    Column("runs", SmallInteger, nullable=False),
    Index("ix_alert_subject_subject", "subject_id", "alert_id"),
    sqlite_with_rowid=False,
)

SITE_SCORE: ColumnElement[bool] = literal_column("(crawl.score IS NOT NULL AND crawl.verdict <> 'narrower' AND crawl.deleted_at IS NULL)")
"""Condition: the score of the crawl is that of the site. Written literally so that the planner can use the index."""
SITE_VERDICT: ColumnElement[bool] = literal_column("(crawl.verdict <> 'narrower' AND crawl.deleted_at IS NULL)")
"""Condition: the verdict of the crawl is about the site."""

crawl = numbered_table(
    "crawl",
    *of_result(),
    Column("is_stopping", SmallInteger, nullable=False, default=0, server_default="0"),
    Column("started_at", Seconds),
    Column("finished_at", Seconds),
    Column("deleted_at", Seconds),  # time of the deletion; the store is deleted next
    Column("settings", Text, nullable=False),  # JSON, without the list of URLs
    Column("listed", LargeBinary),  # packed JSON list of URLs; null for none
    # results so far
    Column("ended_by", Text),
    Column("provisional", SmallInteger, nullable=False, default=0, server_default="0"),
    Column("requests", Integer, nullable=False, default=0, server_default="0"),  # number of requested URLs
    Column("size_bytes", Seconds, nullable=False, default=0, server_default="0"),  # size of the crawl store
    # `SearchVerdict` of the crawl: code (null until it has ended), and JSON of its cause and values
    Column("verdict", Text),
    Column("verdict_values", Text),
    Column("counts", Text),  # JSON: counts of URLs and pages
    Column("findings", Text),  # JSON: number of findings by verdict, of a site for search and of one that is not
    Column("report", LargeBinary),  # packed JSON of the site report
    Column("previous_crawl", Id),
    Index("ix_crawl_account", "account_id", "id", **where("deleted_at IS NULL")),
    Index("ix_crawl_project", "project_id", "id"),
    Index("ix_crawl_site_score", "project_id", "id", **where(str(SITE_SCORE).replace("crawl.", ""))),
    Index("ix_crawl_site_verdict", "project_id", "id", **where(str(SITE_VERDICT).replace("crawl.", ""))),
    Index("ix_crawl_deleted", "deleted_at", **where("deleted_at IS NOT NULL")),
)

setback = numbered_table(
    "setback",
    references("account", nullable=False),
    references("project", nullable=False),
    references("report", index=True),  # null: the row belongs to a crawl
    references("crawl", index=True),  # null: the row belongs to a report
    Column("url", Bytewise, nullable=False),
    Column("subject", Bytewise, nullable=False),  # urls.subject_key of the page or start page
    Column("is_site", SmallInteger, nullable=False),
    Column("at", Seconds, nullable=False),  # time of the last regression; 0 for never
    Column("better_at", Seconds, nullable=False, default=0, server_default="0"),  # time of the last fix; 0 for never
    Column("findings", Text, nullable=False),  # JSON: recent scores, and findings with the times of their changes
    UniqueConstraint("project_id", "is_site", "subject"),
    Index("ix_setback_account", "account_id", "at", "id"),
    Index("ix_setback_better", "account_id", "better_at", "id"),
    Index("ix_setback_project", "project_id", "at", "id"),
    Index("ix_setback_project_better", "project_id", "better_at", "id"),
)
