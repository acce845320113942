"""Filmstrips of runs.

Revision ID: 0042
Revises: 0041
"""

import sqlalchemy as sa
from alembic import op

revision = "0042"
down_revision = "0041"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("run", sa.Column("filmstrip", sa.LargeBinary(), nullable=True))
    where = sa.text("filmstrip IS NOT NULL")
    op.create_index("ix_run_filmstrip", "run", ["filmstrip"], unique=False, sqlite_where=where, postgresql_where=where)
