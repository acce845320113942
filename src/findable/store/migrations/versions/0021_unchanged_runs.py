"""Runs of pages that have not changed.

Revision ID: 0021
Revises: 0020
"""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.add_column("project", sa.Column("top_urls", sa.Text(), nullable=True))
    op.add_column("page_watch", sa.Column("fingerprint", sa.LargeBinary(), nullable=True))
    op.add_column("page_watch", sa.Column("full_at", sa.BigInteger(), nullable=True))
    op.create_table(
        "unchanged_run",
        sa.Column("report_id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.ForeignKeyConstraint(["report_id"], ["report.id"], name=op.f("fk_unchanged_run_report_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("report_id", "at", name=op.f("pk_unchanged_run")),
        sqlite_with_rowid=False,
    )
