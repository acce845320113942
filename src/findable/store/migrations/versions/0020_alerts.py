"""Alerts, comparison facts of watched pages and sites, and markers.

Revision ID: 0020 Revises: 0019
"""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.add_column("project", sa.Column("alert_rules", sa.Text(), nullable=True))
    op.create_table(
        "page_watch",
        sa.Column("report_id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("account_id", NUMBER, nullable=False),
        sa.Column("project_id", NUMBER, nullable=False),
        sa.Column("facts", sa.Text(), nullable=True),
        sa.Column("seen_at", sa.BigInteger(), nullable=False),
        sa.Column("is_reached", sa.SmallInteger(), nullable=False),
        sa.Column("again_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["report_id"], ["report.id"], name=op.f("fk_page_watch_report_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("report_id", name=op.f("pk_page_watch")),
    )
    again = sa.text("again_at IS NOT NULL")
    op.create_index("ix_page_watch_project", "page_watch", ["account_id", "project_id", "seen_at"])
    op.create_index("ix_page_watch_again", "page_watch", ["again_at", "report_id"], sqlite_where=again, postgresql_where=again)
    op.create_table(
        "site_watch",
        sa.Column("project_id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("facts", sa.Text(), nullable=True),
        sa.Column("crawl_id", NUMBER, nullable=True),
        sa.Column("crawl", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f("fk_site_watch_project_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("project_id", name=op.f("pk_site_watch")),
    )
    op.create_table(
        "alert",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("account_id", NUMBER, nullable=False),
        sa.Column("project_id", NUMBER, nullable=True),
        sa.Column("rule", sa.Text(), nullable=False),
        sa.Column("cause", sa.Text(), nullable=False),
        sa.Column("phase", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("details", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("opened_at", sa.BigInteger(), nullable=True),
        sa.Column("closed_at", sa.BigInteger(), nullable=True),
        sa.Column("next_at", sa.BigInteger(), nullable=True),
        sa.Column("pages_count", sa.Integer(), server_default="0", nullable=False),
        sa.Column("examples", sa.Text(), nullable=False),
        sa.Column("is_over", sa.SmallInteger(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_alert_account_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f("fk_alert_project_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_alert")),
        sqlite_autoincrement=True,
    )
    live, tells = sa.text("is_over = 0"), sa.text("next_at IS NOT NULL")
    op.create_index("ix_alert_project_id", "alert", ["project_id"])
    key = ["account_id", "project_id", "rule", "cause"]
    op.create_index("uq_alert_live", "alert", key, unique=True, sqlite_where=live, postgresql_where=live)
    op.create_index("ix_alert_account", "alert", ["account_id", "id"])
    op.create_index("ix_alert_next", "alert", ["next_at", "id"], sqlite_where=tells, postgresql_where=tells)
    op.create_table(
        "alert_subject",
        sa.Column("alert_id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("subject_id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("phase", sa.Text(), nullable=False),
        sa.Column("runs", sa.SmallInteger(), nullable=False),
        sa.ForeignKeyConstraint(["alert_id"], ["alert.id"], name=op.f("fk_alert_subject_alert_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("alert_id", "subject_id", name=op.f("pk_alert_subject")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_alert_subject_subject", "alert_subject", ["subject_id", "alert_id"])
    op.create_table(
        "marker",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("project_id", NUMBER, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f("fk_marker_project_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_marker")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_marker_project", "marker", ["project_id", "at"])
