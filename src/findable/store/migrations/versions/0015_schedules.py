"""Schedules, and batches that start new runs of existing reports.

Revision ID: 0015 Revises: 0014
"""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.add_column("batch", sa.Column("schedule_id", NUMBER, nullable=True))
    op.add_column("job", sa.Column("is_scheduled", sa.SmallInteger(), server_default="0", nullable=False))
    op.create_table(
        "schedule",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("account_id", NUMBER, nullable=False),
        sa.Column("project_id", NUMBER, nullable=False),
        sa.Column("what", sa.Text(), nullable=False),
        sa.Column("every", sa.Text(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("time_zone", sa.Text(), nullable=False),
        sa.Column("settings", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("planned_at", sa.BigInteger(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.Column("last_at", sa.BigInteger(), nullable=True),
        sa.Column("last_is_late", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("last_batch", NUMBER, nullable=True),
        sa.Column("last_crawl", NUMBER, nullable=True),
        sa.Column("last_problem", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_schedule_account_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f("fk_schedule_project_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_schedule")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_schedule_project_id", "schedule", ["project_id"])
    op.create_index("ix_schedule_due", "schedule", ["due_at", "id"])
    op.create_index("ix_schedule_account", "schedule", ["account_id", "id"])
