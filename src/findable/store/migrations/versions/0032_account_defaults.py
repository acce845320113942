"""Default brand, language and access of an account's projects.

Revision ID: 0032 Revises: 0031
"""

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for name, kind in (("brand_name", sa.Text()), ("brand_color", sa.Text()), ("brand_logo", sa.LargeBinary()), ("language", sa.Text())):
        op.add_column("account", sa.Column(name, kind, nullable=True))
    for table in ("account", "project"):
        op.add_column(table, sa.Column("default_privacy", sa.SmallInteger(), nullable=True))
