"""Crawls, alerts, e-mails, webhooks and schedules: everything that 0.2.0 did not have."""

import secrets
from typing import Any

from alembic import op
from sqlalchemy import Column, Index, Integer, LargeBinary, SmallInteger, Text, UniqueConstraint, text

from findable.store.engine_schema import make_engine_tables
from findable.store.schema.table_parts import AUTOINCREMENT, Bytewise, Id, Seconds, key, references, where
from findable.urls import subject_key

revision = "0045"
down_revision = "0010"
branch_labels = None
depends_on = None

SITE_SCORE = "(score IS NOT NULL AND verdict <> 'narrower' AND deleted_at IS NULL)"
SITE_VERDICT = "(verdict <> 'narrower' AND deleted_at IS NULL)"
PUBLIC_ID_BYTES = 16
CONVERSIONS = (
    # The newest report of a page represents it, whatever the form of its URL.
    """
    UPDATE report SET is_page = 0 WHERE EXISTS (
        SELECT 1 FROM report AS newer JOIN project ON project.id = newer.project_id
        WHERE newer.project_id = report.project_id AND newer.subject = report.subject AND newer.id > report.id
            AND project.deleted_at IS NULL)
    """,
    # The score of a project is that of its pages. A report has no limit (`cap`) before its next run.
    """
    UPDATE project SET page_scores = pages.total, scored_pages = pages.amount FROM (
        SELECT project_id, sum(score) AS total, count(*) AS amount FROM (
            SELECT project_id, score, row_number() OVER (PARTITION BY project_id, subject ORDER BY generated_down DESC, id DESC) AS place
            FROM report WHERE result IS NOT NULL AND score IS NOT NULL
        ) AS newest WHERE place = 1 GROUP BY project_id
    ) AS pages WHERE pages.project_id = project.id
    """,
    """
    INSERT INTO project_day (project_id, day, score) SELECT project.id, max(report.generated_at) / 86400, page_scores / scored_pages
    FROM project JOIN report ON report.project_id = project.id WHERE scored_pages > 0 AND report.generated_at IS NOT NULL
    GROUP BY project.id
    """,
    # Lists of reports by rating are ordered by the score within a rating.
    """
    UPDATE report SET result_down = result_down * 1000 + coalesce(score, 0),
        worst_down = (4 - result_down) * 1000 + 100 - coalesce(score, 0)
    WHERE result_down BETWEEN 1 AND 3
    """,
)


def upgrade() -> None:
    _create_account_tables()
    _create_crawl_tables()
    _create_message_tables()
    _create_project_tables()
    _create_alert_tables()
    _alter_account_tables()
    _alter_project()
    _alter_report_tables()
    _alter_job()
    for statement in CONVERSIONS:
        op.execute(statement)
    _create_indexes()
    make_engine_tables(op.get_bind())


def _create_account_tables() -> None:
    op.create_table(
        "identity",
        Column("issuer", Text, primary_key=True),
        Column("subject", Text, primary_key=True),
        references("person", nullable=False, index=True),
        Column("created_at", Seconds, nullable=False),
    )
    op.create_table(
        "saved_view",
        key(),
        references("account", nullable=False),
        Column("list", Text, nullable=False),
        Column("name", Text, nullable=False),
        Column("query", Text, nullable=False),
        Column("created_at", Seconds, nullable=False),
        UniqueConstraint("account_id", "list", "name"),
        **AUTOINCREMENT,
    )
    op.create_table(
        "audit_entry",
        key(),
        references("account", nullable=False),
        Column("at", Seconds, nullable=False, index=True),
        Column("actor", Text, nullable=False),
        Column("person_id", Id),
        Column("key_prefix", Text),
        Column("action", Text, nullable=False),
        Column("subject", Text, nullable=False),
        Column("details", Text, nullable=False),
        Column("network", Text),
        Index("ix_audit_entry_account_id_id", "account_id", "id"),
        **AUTOINCREMENT,
    )
    op.create_table(
        "project_role",
        references("person", primary_key=True),
        references("project", primary_key=True, index=True),
        Column("role", Text, nullable=False),
        Column("created_at", Seconds, nullable=False),
        sqlite_with_rowid=False,
    )


def _create_crawl_tables() -> None:
    op.create_table(
        "crawl",
        key(),
        Column("public_id", Bytewise, nullable=False, unique=True),
        references("account", nullable=False),
        references("project", nullable=False),
        Column("url", Bytewise, nullable=False),
        Column("scheme_guessed", SmallInteger, nullable=False),
        Column("privacy", SmallInteger, nullable=False),
        Column("password_hash", Text),
        Column("password_version", Integer, nullable=False, server_default="0"),
        Column("status", Text, nullable=False),
        Column("version", Integer, nullable=False, server_default="1"),
        Column("is_stopping", SmallInteger, nullable=False, server_default="0"),
        Column("created_at", Seconds, nullable=False),
        Column("updated_at", Seconds, nullable=False),
        Column("started_at", Seconds),
        Column("finished_at", Seconds),
        Column("deleted_at", Seconds),
        Column("settings", Text, nullable=False),
        Column("listed", LargeBinary),
        Column("ended_by", Text),
        Column("error", Text),
        Column("result", Text),
        Column("score", SmallInteger),
        Column("provisional", SmallInteger, nullable=False, server_default="0"),
        Column("coverage", SmallInteger),
        Column("requests", Integer, nullable=False, server_default="0"),
        Column("size_bytes", Seconds, nullable=False, server_default="0"),
        Column("verdict", Text),
        Column("verdict_since", Seconds),
        Column("verdict_values", Text),
        Column("counts", Text),
        Column("findings", Text),
        Column("report", LargeBinary),
        Column("previous_crawl", Id),
        Column("is_listed", SmallInteger, nullable=False, server_default="0"),
        Column("link_expires_at", Seconds),
        Column("client", Text),
        Index("ix_crawl_account", "account_id", "id", **where("deleted_at IS NULL")),
        Index("ix_crawl_deleted", "deleted_at", **where("deleted_at IS NOT NULL")),
        Index("ix_crawl_project", "project_id", "id"),
        Index("ix_crawl_site_score", "project_id", "id", **where(SITE_SCORE)),
        Index("ix_crawl_site_verdict", "project_id", "id", **where(SITE_VERDICT)),
        **AUTOINCREMENT,
    )
    op.create_table(
        "setback",
        key(),
        references("account", nullable=False),
        references("project", nullable=False),
        references("report", index=True),
        references("crawl", index=True),
        Column("url", Bytewise, nullable=False),
        Column("subject", Bytewise, nullable=False),
        Column("is_site", SmallInteger, nullable=False),
        Column("at", Seconds, nullable=False),
        Column("better_at", Seconds, nullable=False, server_default="0"),
        Column("findings", Text, nullable=False),
        UniqueConstraint("project_id", "is_site", "subject"),
        Index("ix_setback_account", "account_id", "at", "id"),
        Index("ix_setback_better", "account_id", "better_at", "id"),
        Index("ix_setback_project", "project_id", "at", "id"),
        Index("ix_setback_project_better", "project_id", "better_at", "id"),
        **AUTOINCREMENT,
    )
    op.create_table(
        "schedule",
        key(),
        references("account", nullable=False),
        references("project", nullable=False, index=True),
        Column("person_id", Id, nullable=False),
        Column("what", Text, nullable=False),
        Column("every", Text, nullable=False),
        Column("at", Text, nullable=False),
        Column("time_zone", Text, nullable=False),
        Column("settings", Text, nullable=False),
        Column("created_at", Seconds, nullable=False),
        Column("planned_at", Seconds, nullable=False),
        Column("due_at", Seconds, nullable=False),
        Column("last_at", Seconds),
        Column("last_is_late", SmallInteger, nullable=False, server_default="0"),
        Column("last_batch", Id),
        Column("last_crawl", Id),
        Column("last_problem", Text),
        Index("ix_schedule_account", "account_id", "id"),
        Index("ix_schedule_due", "due_at", "id"),
        **AUTOINCREMENT,
    )


def _create_message_tables() -> None:
    op.create_table(
        "webhook",
        key(),
        references("account", nullable=False, index=True),
        references("project", index=True),
        Column("name", Text, nullable=False),
        Column("kind", Text, nullable=False),
        Column("events", Text, nullable=False),
        Column("target", LargeBinary, nullable=False),
        Column("created_at", Seconds, nullable=False),
        Column("updated_at", Seconds, nullable=False),
        Column("disabled_at", Seconds),
        Column("disabled_why", Text),
        Column("failing_since", Seconds),
        Column("language", Text),
        **AUTOINCREMENT,
    )
    op.create_table(
        "event",
        key(),
        Column("uid", Bytewise, nullable=False, unique=True),
        references("account", nullable=False),
        references("project", index=True),
        Column("type", Text, nullable=False),
        Column("cause", Bytewise, nullable=False),
        Column("at", Seconds, nullable=False, index=True),
        Column("data", Text, nullable=False),
        UniqueConstraint("account_id", "type", "cause"),
        **AUTOINCREMENT,
    )
    op.create_table(
        "delivery",
        key(),
        references("account", nullable=False, index=True),
        references("event", index=True),
        references("webhook"),
        references("person", index=True),
        Column("mail", LargeBinary),
        Column("state", Text, nullable=False),
        Column("run_at", Seconds, nullable=False),
        Column("created_at", Seconds, nullable=False),
        Column("attempt", Integer, nullable=False, server_default="0"),
        Column("failures", Integer, nullable=False, server_default="0"),
        Column("worker", Text),
        Column("tried_at", Seconds),
        Column("took_ms", Integer),
        Column("status", Integer),
        Column("response", Text),
        Column("error", Text),
        Column("ended_at", Seconds),
        Index("ix_delivery_ended", "ended_at"),
        Index("ix_delivery_queued", "run_at", "id", **where("state = 'ready'")),
        Index("ix_delivery_running", "id", **where("state = 'running'")),
        Index("ix_delivery_webhook", "webhook_id", "id"),
        **AUTOINCREMENT,
    )
    op.create_table(
        "subscription",
        references("person", primary_key=True),
        references("project", primary_key=True, index=True),
        Column("created_at", Seconds, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "mail_choice",
        references("person", primary_key=True),
        Column("digest", Text, nullable=False),
        Column("digest_at", Seconds),
    )
    op.create_table(
        "feed",
        key(),
        references("account", nullable=False, index=True),
        references("person", nullable=False, index=True),
        references("project", index=True),
        references("saved_view", index=True),
        Column("name", Text, nullable=False),
        Column("token_hash", LargeBinary, nullable=False, unique=True),
        Column("created_at", Seconds, nullable=False),
        Column("last_used_at", Seconds),
        **AUTOINCREMENT,
    )
    op.create_table(
        "recipient",
        key(),
        references("project", nullable=False),
        Column("email", Text, nullable=False),
        Column("language", Text, nullable=False),
        Column("created_at", Seconds, nullable=False),
        Column("stopped_at", Seconds),
        Column("sent_month", Text),
        UniqueConstraint("project_id", "email"),
        **AUTOINCREMENT,
    )


def _create_project_tables() -> None:
    op.create_table(
        "project_day",
        references("project", primary_key=True),
        Column("day", Integer, primary_key=True),
        Column("score", SmallInteger, nullable=False),
        Column("ruleset", Text),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "marker",
        key(),
        references("project", nullable=False),
        Column("at", Seconds, nullable=False),
        Column("label", Text, nullable=False),
        Index("ix_marker_project", "project_id", "at"),
        **AUTOINCREMENT,
    )
    op.create_table(
        "url_data",
        references("project", primary_key=True),
        Column("source", Text, primary_key=True),
        Column("day", Text, nullable=False),
        Column("columns", Text, nullable=False),
        Column("rows", Integer, nullable=False),
        Column("skipped", Integer, nullable=False),
        Column("uploaded_at", Seconds, nullable=False),
        Column("data", LargeBinary, nullable=False),
        Column("data_hash", LargeBinary),
    )
    op.create_table(
        "report_merge",
        key(),
        references("report", nullable=False, index=True),
        Column("created_at", Seconds, nullable=False, index=True),
        Column("undo", Text, nullable=False),
        **AUTOINCREMENT,
    )
    op.create_table(
        "unchanged_run",
        references("report", primary_key=True),
        Column("at", Seconds, primary_key=True),
        sqlite_with_rowid=False,
    )


def _create_alert_tables() -> None:
    op.create_table(
        "page_watch",
        references("report", primary_key=True),
        Column("account_id", Id, nullable=False),
        Column("project_id", Id, nullable=False),
        Column("facts", Text),
        Column("seen_at", Seconds, nullable=False),
        Column("is_reached", SmallInteger, nullable=False),
        Column("again_at", Seconds),
        Column("fingerprint", LargeBinary),
        Column("full_at", Seconds),
        Index("ix_page_watch_again", "again_at", "report_id", **where("again_at IS NOT NULL")),
        Index("ix_page_watch_project", "account_id", "project_id", "seen_at"),
    )
    op.create_table(
        "site_watch",
        references("project", primary_key=True),
        Column("facts", Text),
        Column("crawl_id", Id),
        Column("crawl", Text),
    )
    op.create_table(
        "alert",
        key(),
        references("account", nullable=False),
        references("project", index=True),
        Column("rule", Text, nullable=False),
        Column("cause", Text, nullable=False),
        Column("phase", Text, nullable=False),
        Column("state", Text, nullable=False),
        Column("details", Text, nullable=False),
        Column("created_at", Seconds, nullable=False),
        Column("opened_at", Seconds),
        Column("closed_at", Seconds),
        Column("next_at", Seconds),
        Column("pages_count", Integer, nullable=False, server_default="0"),
        Column("examples", Text, nullable=False),
        Column("is_over", SmallInteger, nullable=False, server_default="0"),
        Index("ix_alert_account", "account_id", "id"),
        Index("ix_alert_next", "next_at", "id", **where("next_at IS NOT NULL")),
        Index("uq_alert_live", "account_id", "project_id", "rule", "cause", unique=True, **where("is_over = 0")),
        **AUTOINCREMENT,
    )
    op.create_table(
        "alert_subject",
        references("alert", primary_key=True),
        Column("subject_id", Id, primary_key=True),
        Column("phase", Text, nullable=False),
        Column("runs", SmallInteger, nullable=False),
        Index("ix_alert_subject_subject", "subject_id", "alert_id"),
        sqlite_with_rowid=False,
    )


def _alter_account_tables() -> None:
    _add_columns(
        "account",
        Column("brand_name", Text),
        Column("brand_color", Text),
        Column("brand_logo", LargeBinary),
        Column("language", Text),
        Column("default_privacy", SmallInteger),
        Column("browser", Text),
    )
    _add_columns(
        "person",
        Column("seen_at", Seconds),
        Column("visited_at", Seconds),
        Column("is_operator", SmallInteger, nullable=False, server_default="0"),
    )
    _add_columns("session", Column("proxied_email", Text))
    with op.batch_alter_table("invitation") as invitation:
        invitation.add_column(Column("project_id", Id))
        invitation.create_foreign_key(op.f("fk_invitation_project_id"), "project", ["project_id"], ["id"], ondelete="CASCADE")
        invitation.create_index(op.f("ix_invitation_project_id"), ["project_id"])


def _alter_project() -> None:
    _add_columns(
        "project",
        Column("segments", Text),
        Column("extractors", Text),
        Column("page_scores", Integer, nullable=False, server_default="0"),
        Column("scored_pages", Integer, nullable=False, server_default="0"),
        Column("start_cap", SmallInteger),
        Column("alert_rules", Text),
        Column("top_urls", Text),
        Column("public_id", Bytewise),
        Column("privacy", SmallInteger, nullable=False, server_default="1"),
        Column("password_hash", Text),
        Column("password_version", Integer, nullable=False, server_default="0"),
        Column("link_expires_at", Seconds),
        Column("is_listed", SmallInteger, nullable=False, server_default="0"),
        Column("client", Text),
        Column("browser", Text),
        Column("retention", Text),
        Column("reports_bytes", Seconds, nullable=False, server_default="0"),
        Column("measured_at", Seconds, nullable=False, server_default="0"),
        Column("default_privacy", SmallInteger),
        Column("tracker", Text),
        Column("title", Text),
        Column("browser_options", Text),
    )
    _add_columns("acceptance", Column("of_crawls", SmallInteger, nullable=False, server_default="0"))
    connection = op.get_bind()
    for project_id in connection.execute(text("SELECT id FROM project")).scalars().all():
        values = {"id": project_id, "public_id": secrets.token_urlsafe(PUBLIC_ID_BYTES)}
        connection.execute(text("UPDATE project SET public_id = :public_id WHERE id = :id"), values)


def _alter_report_tables() -> None:
    op.drop_index("ix_report_worse", "report")
    _add_columns(
        "report",
        Column("is_page", SmallInteger, nullable=False, server_default="1"),
        Column("merged_into", Id),
        Column("cap", SmallInteger),
        Column("new_findings", Text),
        Column("fixed_findings", Text),
        Column("browser", Text),
        Column("worst_down", SmallInteger, nullable=False, server_default="0"),
        Column("verdict_since", Seconds),
        Column("subject", Bytewise, nullable=False, server_default=""),
    )
    _add_columns(
        "run",
        Column("failed", SmallInteger),
        Column("warned", SmallInteger),
        Column("phone", LargeBinary),
        Column("desktop", LargeBinary),
        Column("filmstrip", LargeBinary),
        Column("subject", Bytewise, nullable=False, server_default=""),
    )
    _add_subjects()
    _add_columns("finding", Column("is_accepted", SmallInteger, nullable=False, server_default="0"))
    _add_columns(
        "batch",
        Column("makes_new", SmallInteger, nullable=False, server_default="0"),
        Column("schedule_id", Id),
        Column("person_id", Id),
        Column("project_id", Id),
        Column("browser", Text),
    )
    op.execute(  # the person who requested a batch could write in all projects
        "UPDATE batch SET person_id = "
        "(SELECT min(person.id) FROM person WHERE person.account_id = batch.account_id AND person.role = 'owner' AND disabled_at IS NULL)"
    )


def _add_subjects() -> None:
    """Store the page of each run and report: runs of one page are one history, whatever the form of its URL."""
    connection = op.get_bind()
    for table in ("run", "report"):
        pages = connection.execute(text(f"SELECT DISTINCT account_id, url FROM {table}")).all()  # noqa: S608 - not input
        values = [{"account": account_id, "url": url, "subject": subject_key(url)} for account_id, url in pages]
        if values:
            update = text(f"UPDATE {table} SET subject = :subject WHERE account_id = :account AND url = :url")  # noqa: S608 - not input
            connection.execute(update, values)
    op.create_index("ix_report_project_subject", "report", ["project_id", "subject", "id"])
    op.drop_index("ix_run_history", "run")
    op.create_index("ix_run_history", "run", ["account_id", "subject", "id"])


def _alter_job() -> None:
    """Let jobs belong to crawls. Jobs have no leases any more: the queue engine or the only process of the database runs them."""
    with op.batch_alter_table("job", table_kwargs=AUTOINCREMENT) as job:
        job.alter_column("report_id", existing_type=Id, nullable=True)
        job.add_column(Column("crawl_id", Id))
        job.add_column(Column("person_id", Id))
        job.add_column(Column("is_scheduled", SmallInteger, nullable=False, server_default="0"))
        job.drop_column("lease_until")
        job.create_foreign_key(op.f("fk_job_crawl_id"), "crawl", ["crawl_id"], ["id"], ondelete="CASCADE")
        job.create_unique_constraint(op.f("uq_job_crawl_id"), ["crawl_id"])


def _create_indexes() -> None:
    """Create the indexes of new columns of earlier tables, after their values are converted."""
    op.create_index("uq_project_public_id", "project", ["public_id"], unique=True)
    op.create_index("ix_project_measured", "project", ["measured_at", "id"], **where("deleted_at IS NULL"))
    op.create_index("ix_report_duplicate", "report", ["account_id", "project_id", "result_up"], **where("is_page = 0"))
    op.create_index("ix_report_failed_last", "report", ["verdict_since"], **where("last_error IS NOT NULL AND score > 0"))
    op.create_index("ix_report_merged", "report", ["merged_into"], **where("merged_into IS NOT NULL"))
    op.create_index("ix_report_worst_down", "report", ["account_id", "worst_down", "id"])
    op.create_index("ix_report_project_worst_down", "report", ["project_id", "worst_down", "id"])
    for image in ("phone", "desktop", "filmstrip"):
        op.create_index(f"ix_run_{image}", "run", [image], **where(f"{image} IS NOT NULL"))


def _add_columns(table: str, *columns: Column[Any]) -> None:
    for column in columns:
        op.add_column(table, column)
