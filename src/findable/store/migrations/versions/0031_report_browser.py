"""Use of a browser for the runs of one report.

Revision ID: 0031
Revises: 0030
"""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("report", sa.Column("browser", sa.Text(), nullable=True))
