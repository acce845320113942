"""Use of a browser for the runs of one report.

Revision ID: 0032
Revises: 0031
"""

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("report", sa.Column("browser", sa.Text(), nullable=True))
