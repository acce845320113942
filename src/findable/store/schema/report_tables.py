"""Tables of reports, their runs and findings."""

from sqlalchemy import (
    Column,
    ColumnElement,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    SmallInteger,
    Text,
    UniqueConstraint,
    literal_column,
)

from findable.store.schema.table_parts import Bytewise, Id, Seconds, key, numbered_table, of_result, references, table, where

report = numbered_table(
    "report",
    *of_result(),
    Column("subject", Bytewise, nullable=False, default="", server_default=""),  # urls.subject_key: the page, whatever the form of its URL
    Column("runs", Integer, nullable=False, default=0, server_default="0"),
    # columns of the shown run, copied so that lists read this table only
    Column("run", Integer),
    Column("generated_at", Seconds),
    Column("check_set", Integer),
    Column("summary", Text),
    Column("last_error", Text),
    Column("previous_report", Id),
    Column("previous_run", Integer),
    Column("previous_result", Text),
    Column("previous_score", SmallInteger),
    # sort keys, never null, so that missing values come last in both directions
    Column("generated_up", Seconds, nullable=False),
    Column("generated_down", Seconds, nullable=False),
    Column("result_up", SmallInteger, nullable=False),  # rating for filters, 1 is bad; 4 without a rating
    Column("result_down", SmallInteger, nullable=False),  # rating and score, highest for the best; 0 without a score
    Column("worst_down", SmallInteger, nullable=False, default=0, server_default="0"),  # highest for the worst; 0 without a score
    Column("accepted_end", Seconds),  # first end of an acceptance that affects the shown run
    Column("is_page", SmallInteger, nullable=False, default=1, server_default="1"),  # 1: the newest report of its page
    # JSON: checks with new problems or warnings since the previous run, and fixed ones; null without a comparable run
    Column("new_findings", Text),
    Column("fixed_findings", Text),
    Column("cap", SmallInteger),  # lowest score limit of the shown run; null for none
    Column("browser", Text),  # browser mode of its runs; null: the project's setting
    # This index and ix_report_project contain the set of checks, so that passed reports are counted without reading the table.
    Index("ix_report_account", "account_id", "id", "check_set"),
    Index("ix_report_generated_up", "account_id", "generated_up", "id"),
    Index("ix_report_generated_down", "account_id", "generated_down", "id"),
    Index("ix_report_url", "account_id", "url", "id"),
    Index("ix_report_result_up", "account_id", "result_up", "id"),
    Index("ix_report_result_down", "account_id", "result_down", "id"),
    Index("ix_report_worst_down", "account_id", "worst_down", "id"),
    Index("ix_report_unfinished", "account_id", "status", "id", **where("status != 'done'")),
    Index("ix_report_unfinished_url", "account_id", "status", "url", "id", **where("status != 'done'")),
    Index("ix_report_duplicate", "account_id", "project_id", "result_up", **where("is_page = 0")),
    Index("ix_report_updated", "account_id", "updated_at"),
    Index("ix_report_accepted_end", "accepted_end", **where("accepted_end IS NOT NULL")),
    Index("ix_report_failed_last", "verdict_since", **where("last_error IS NOT NULL AND score > 0")),
    Index("ix_report_project", "project_id", "id", "check_set"),
    Index("ix_report_project_subject", "project_id", "subject", "id"),
    Index("ix_report_project_generated", "project_id", "generated_down", "id"),
    Index("ix_report_project_url", "project_id", "url", "id"),
    Index("ix_report_project_result_up", "project_id", "result_up", "id"),
    Index("ix_report_project_result_down", "project_id", "result_down", "id"),
    Index("ix_report_project_worst_down", "project_id", "worst_down", "id"),
)
UNFINISHED = report.c.status != literal_column("'done'")
"""Condition for unfinished reports, written literally so that the planner can use partial indexes."""
FAILED_LAST: ColumnElement[bool] = literal_column("last_error IS NOT NULL AND score > 0")
"""Condition for reports whose newest run failed and whose score is not 0, written literally so that the planner can use the index."""
DUPLICATE: ColumnElement[bool] = literal_column("is_page = 0")
"""Condition for reports that do not represent their page, written literally so that the planner can use the index."""

run = numbered_table(
    "run",
    references("report", nullable=False),
    Column("number", Integer, nullable=False),
    Column("account_id", Id, nullable=False),
    Column("url", Bytewise, nullable=False),
    Column("subject", Bytewise, nullable=False, default="", server_default=""),  # urls.subject_key: runs of one page are one history
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
    Column("failed", SmallInteger),  # numbers of problems (failed) and warnings (warned)
    Column("warned", SmallInteger),
    Column("icon", LargeBinary),  # hashes of the images of the page
    Column("card", LargeBinary),
    Column("phone", LargeBinary),  # hashes of the screenshots
    Column("desktop", LargeBinary),
    Column("filmstrip", LargeBinary),
    UniqueConstraint("report_id", "number"),
    Index("ix_run_history", "account_id", "subject", "id"),
    Index("ix_run_saved", "saved_hash", **where("saved_hash IS NOT NULL")),
    Index("ix_run_icon", "icon", **where("icon IS NOT NULL")),
    Index("ix_run_card", "card", **where("card IS NOT NULL")),
    Index("ix_run_phone", "phone", **where("phone IS NOT NULL")),
    Index("ix_run_desktop", "desktop", **where("desktop IS NOT NULL")),
    Index("ix_run_filmstrip", "filmstrip", **where("filmstrip IS NOT NULL")),
    Index("ix_run_saved_age", "finished_at", **where("saved_hash IS NOT NULL")),
    Index("ix_run_finished", "finished_at"),
)

check_name = table("check_name", key(), Column("name", Text, nullable=False, unique=True))

check_set = table(
    "check_set",
    key(),
    Column("digest", LargeBinary, nullable=False, unique=True),
    Column("not_asked", Text, nullable=False),
)

check_set_member = table(
    "check_set_member",
    Column("check_id", Id, ForeignKey("check_name.id"), primary_key=True),
    Column("set_id", Id, ForeignKey("check_set.id"), primary_key=True),
)

finding = table(
    "finding",
    references("report", primary_key=True),
    Column("check_id", Id, primary_key=True),
    Column("account_id", Id, nullable=False),
    Column("verdict", SmallInteger, nullable=False),
    Column("result", SmallInteger),  # rating in the report, as its position in RESULTS from 1; only for failed and warned findings
    Column("is_accepted", SmallInteger, nullable=False, default=0, server_default="0"),
    Index("ix_finding_verdict", "account_id", "check_id", "verdict", "report_id"),
    Index("ix_finding_result", "account_id", "check_id", "verdict", "result", "report_id", **where("result IS NOT NULL")),
    sqlite_with_rowid=False,
)

blob = table(
    "blob",
    Column("hash", LargeBinary, primary_key=True),
    Column("data", LargeBinary, nullable=False),
    Column("created_at", Seconds, nullable=False),
)

picture = table(
    "picture",
    Column("hash", LargeBinary, primary_key=True),  # SHA-256 of data
    Column("data", LargeBinary, nullable=False),  # a small PNG encoded by Findable
    Column("width_px", Integer, nullable=False),
    Column("height_px", Integer, nullable=False),
    Column("created_at", Seconds, nullable=False),
)

batch = numbered_table(
    "batch",
    references("account", nullable=False),
    Column("source", Text, nullable=False),  # URL of the sitemap; empty for a list of URLs
    Column("members", Integer, nullable=False),
    Column("left_out", Integer, nullable=False),  # URLs beyond the limit
    Column("created_at", Seconds, nullable=False),
    Column("duplicates", Integer, nullable=False, default=0, server_default="0"),  # number of repeated URLs
    Column("fed", Integer, nullable=False, default=0, server_default="0"),  # number of members, from the first one, that have reports
    Column("schedule_id", Id),  # schedule that created the batch, whose URLs get new runs of their reports; null: a person
    Column("person_id", Id),  # person who requested it, with whose roles its reports are created
    Column("project_id", Id),  # project to which its URLs must belong; null: any project where the person may write
    # settings of the new reports
    Column("privacy", SmallInteger, nullable=False, default=0, server_default="0"),
    Column("password_hash", Text),
    Column("makes_new", SmallInteger, nullable=False, default=0, server_default="0"),  # 1: create new reports also for URLs that have one
    Column("browser", Text),  # browser mode of its reports; null: the setting of the report or project
    Index("ix_batch_account", "account_id", "id"),
    Index("ix_batch_waiting", "account_id", "id", **where("fed < members")),
)
WAITING: ColumnElement[bool] = literal_column("fed < members")

batch_member = table(
    "batch_member",
    references("batch", primary_key=True),
    Column("place", Integer, primary_key=True),
    Column("url", Bytewise, nullable=False),
    Column("report_id", Id, ForeignKey("report.id", ondelete="SET NULL"), index=True),
    Column("refused", Text),  # reason why the URL has no report; null if it has one
    Column("scheme_guessed", SmallInteger, nullable=False, default=0, server_default="0"),
    sqlite_with_rowid=False,
)
