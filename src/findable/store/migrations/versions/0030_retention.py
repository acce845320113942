"""Retention of runs, and the measured size of the reports of a project.

Revision ID: 0030
Revises: 0029
"""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("project", sa.Column("retention", sa.Text(), nullable=True))
    op.add_column("project", sa.Column("reports_bytes", sa.BigInteger(), server_default="0", nullable=False))
    op.add_column("project", sa.Column("measured_at", sa.BigInteger(), server_default="0", nullable=False))
    alive = sa.text("deleted_at IS NULL")
    op.create_index("ix_project_measured", "project", ["measured_at", "id"], sqlite_where=alive, postgresql_where=alive)
