"""Merges of the reports of one URL.

Revision ID: 0017
Revises: 0016
"""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "report_merge",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("report_id", NUMBER, nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("undo", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["report_id"], ["report.id"], name=op.f("fk_report_merge_report_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_report_merge")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_report_merge_report_id", "report_merge", ["report_id"])
    op.create_index("ix_report_merge_created_at", "report_merge", ["created_at"])
