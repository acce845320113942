"""Links, notes for clients and accepted findings of crawls.

Revision ID: 0012
Revises: 0011
"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("crawl", sa.Column("is_listed", sa.SmallInteger(), server_default="0", nullable=False))
    op.add_column("crawl", sa.Column("link_expires_at", sa.BigInteger(), nullable=True))
    op.add_column("crawl", sa.Column("client", sa.Text(), nullable=True))
    op.add_column("acceptance", sa.Column("of_crawls", sa.SmallInteger(), server_default="0", nullable=False))
