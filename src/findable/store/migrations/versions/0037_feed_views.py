"""Feeds of saved views.

Revision ID: 0037
Revises: 0036
"""

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    with op.batch_alter_table("feed", table_kwargs={"sqlite_autoincrement": True}) as feed:
        feed.add_column(sa.Column("saved_view_id", NUMBER, nullable=True))
        feed.create_foreign_key(op.f("fk_feed_saved_view_id"), "saved_view", ["saved_view_id"], ["id"], ondelete="CASCADE")
        feed.create_index(op.f("ix_feed_saved_view_id"), ["saved_view_id"])
