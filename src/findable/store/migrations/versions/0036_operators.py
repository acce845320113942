"""Operators of the service.

Revision ID: 0036 Revises: 0035
"""

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("person", sa.Column("is_operator", sa.SmallInteger(), nullable=False, server_default="0"))
