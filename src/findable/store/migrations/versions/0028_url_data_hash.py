"""Hashes of uploaded metrics, so that caches can distinguish two uploads within one second.

Revision ID: 0028 Revises: 0027
"""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("url_data", sa.Column("data_hash", sa.LargeBinary(), nullable=True))
