"""Tables of reports, their runs and findings."""

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

report = Table(
    "report",
    metadata,
    key(),
    *shared_by_link(),
    Column("created_at", Seconds, nullable=False),
    Column("updated_at", Seconds, nullable=False),
    Column("runs", Integer, nullable=False, default=0, server_default="0"),
    # columns of the shown run, copied so that lists read this table only
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
    # sort keys, never null, so that missing values come last in both directions
    Column("generated_up", Seconds, nullable=False),
    Column("generated_down", Seconds, nullable=False),
    Column("result_up", SmallInteger, nullable=False),  # rating for filters, 1 is bad; 4 without a rating
    Column("result_down", SmallInteger, nullable=False),  # rating and score, highest for the best; 0 without a score
    Column("worst_down", SmallInteger, nullable=False, default=0, server_default="0"),  # highest for the worst; 0 without a score
    Column("accepted_end", Seconds),  # first end of an acceptance that affects the shown run
    Column("listed", SmallInteger, nullable=False, default=0, server_default="0"),  # 1: search engines may index the public page
    Column("link_expires_at", Seconds),  # end of guest access; null: never
    Column("client", Text),  # the owner's note for the client, JSON; null for none
    Column("is_page", SmallInteger, nullable=False, default=1, server_default="1"),  # 1: the newest report of its URL
    Column("merged_into", Id),  # report of the same URL that replaced it; null for none
    # JSON: checks with new problems or warnings since the previous run, and fixed ones; null without a comparable run
    Column("new_findings", Text),
    Column("fixed_findings", Text),
    Column("cap", SmallInteger),  # lowest score limit of the shown run; null for none
    Column("browser", Text),  # browser mode of its runs; null: the project's setting
    **AUTOINCREMENT,
)
# The set of checks is part of these two indexes, so that passed reports are counted without reading the table.
Index("ix_report_account", report.c.account_id, report.c.id, report.c.check_set)
Index("ix_report_generated_up", report.c.account_id, report.c.generated_up, report.c.id)
Index("ix_report_generated_down", report.c.account_id, report.c.generated_down, report.c.id)
Index("ix_report_url", report.c.account_id, report.c.url, report.c.id)
Index("ix_report_result_up", report.c.account_id, report.c.result_up, report.c.id)
Index("ix_report_result_down", report.c.account_id, report.c.result_down, report.c.id)
Index("ix_report_worst_down", report.c.account_id, report.c.worst_down, report.c.id)
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
DUPLICATE: ColumnElement[bool] = literal_column("is_page = 0")
"""Condition for reports that do not represent their page, written literally so that the planner can use the index."""
Index(
    "ix_report_duplicate",
    report.c.account_id,
    report.c.project_id,
    report.c.result_up,
    sqlite_where=DUPLICATE,
    postgresql_where=DUPLICATE,
)
_MERGED = report.c.merged_into.is_not(None)
Index("ix_report_merged", report.c.merged_into, sqlite_where=_MERGED, postgresql_where=_MERGED)
Index("ix_report_updated", report.c.account_id, report.c.updated_at)
_ENDS = report.c.accepted_end.is_not(None)
Index("ix_report_accepted_end", report.c.accepted_end, sqlite_where=_ENDS, postgresql_where=_ENDS)
Index("ix_report_project", report.c.project_id, report.c.id, report.c.check_set)
Index("ix_report_project_generated", report.c.project_id, report.c.generated_down, report.c.id)
Index("ix_report_project_url", report.c.project_id, report.c.url, report.c.id)
Index("ix_report_project_result_up", report.c.project_id, report.c.result_up, report.c.id)
Index("ix_report_project_result_down", report.c.project_id, report.c.result_down, report.c.id)
Index("ix_report_project_worst_down", report.c.project_id, report.c.worst_down, report.c.id)

report_merge = Table(
    "report_merge",
    metadata,
    key(),
    references("report", nullable=False, index=True),  # report into which the others were merged
    Column("created_at", Seconds, nullable=False, index=True),
    Column("undo", Text, nullable=False),  # JSON: changes of the merge, to undo them
    **AUTOINCREMENT,
)

run = Table(
    "run",
    metadata,
    key(),
    references("report", nullable=False),
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
    Column("failed", SmallInteger),  # number of problems and warnings
    Column("warned", SmallInteger),
    Column("icon", LargeBinary),  # hashes of images
    Column("card", LargeBinary),
    Column("phone", LargeBinary),  # screenshots
    Column("desktop", LargeBinary),
    Column("filmstrip", LargeBinary),
    UniqueConstraint("report_id", "number"),
    **AUTOINCREMENT,
)
Index("ix_run_history", run.c.account_id, run.c.url, run.c.profile, run.c.id)
_SAVED = run.c.saved_hash.is_not(None)
Index("ix_run_saved", run.c.saved_hash, sqlite_where=_SAVED, postgresql_where=_SAVED)
_ICON, _CARD = run.c.icon.is_not(None), run.c.card.is_not(None)
Index("ix_run_icon", run.c.icon, sqlite_where=_ICON, postgresql_where=_ICON)
Index("ix_run_card", run.c.card, sqlite_where=_CARD, postgresql_where=_CARD)
_PHONE, _DESKTOP = run.c.phone.is_not(None), run.c.desktop.is_not(None)
Index("ix_run_phone", run.c.phone, sqlite_where=_PHONE, postgresql_where=_PHONE)
Index("ix_run_desktop", run.c.desktop, sqlite_where=_DESKTOP, postgresql_where=_DESKTOP)
_FILMSTRIP = run.c.filmstrip.is_not(None)
Index("ix_run_filmstrip", run.c.filmstrip, sqlite_where=_FILMSTRIP, postgresql_where=_FILMSTRIP)
Index("ix_run_saved_age", run.c.finished_at, sqlite_where=_SAVED, postgresql_where=_SAVED)
Index("ix_run_finished", run.c.finished_at)

check_name = Table("check_name", metadata, key(), Column("name", Text, nullable=False, unique=True))

check_set = Table(
    "check_set",
    metadata,
    key(),
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
    references("report", primary_key=True),
    Column("check_id", Id, primary_key=True),
    Column("account_id", Id, nullable=False),
    Column("verdict", SmallInteger, nullable=False),
    Column("result", SmallInteger),  # rating in the report, as its position in RESULTS from 1; only for failed and warned findings
    Column("is_accepted", SmallInteger, nullable=False, default=0, server_default="0"),
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
    key(),
    references("account", nullable=False),
    Column("source", Text, nullable=False),  # URL of the sitemap; empty for a list of URLs
    Column("members", Integer, nullable=False),
    Column("left_out", Integer, nullable=False),  # URLs beyond the limit
    Column("created_at", Seconds, nullable=False),
    Column("duplicates", Integer, nullable=False, default=0, server_default="0"),  # number of repeated URLs
    Column("fed", Integer, nullable=False, default=0, server_default="0"),  # number of members, from the first one, that have reports
    Column("schedule_id", Id),  # schedule that created the batch, whose URLs get new runs of their reports; null: a person
    # settings of the new reports
    Column("privacy", SmallInteger, nullable=False, default=0, server_default="0"),
    Column("password_hash", Text),
    Column("makes_new", SmallInteger, nullable=False, default=0, server_default="0"),  # 1: create new reports also for URLs that have one
    Column("browser", Text),  # browser mode of its reports; null: the setting of the report or project
    **AUTOINCREMENT,
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
    Column("refused", Text),  # reason why the URL has no report; null if it has one
    Column("scheme_guessed", SmallInteger, nullable=False, default=0, server_default="0"),
    sqlite_with_rowid=False,
)
