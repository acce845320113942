"""Browser mode of projects, and screenshots of runs.

Revision ID: 0024 Revises: 0023
"""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("project", sa.Column("browser", sa.Text(), nullable=True))
    for name in ("phone", "desktop"):
        op.add_column("run", sa.Column(name, sa.LargeBinary(), nullable=True))
        where = sa.text(f"{name} IS NOT NULL")
        op.create_index(f"ix_run_{name}", "run", [name], unique=False, sqlite_where=where, postgresql_where=where)
