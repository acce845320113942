"""Tables of the queue engine on PostgreSQL.

Revision ID: 0043
Revises: 0042
"""

from alembic import op

from findable.store.engine_schema import make_engine_tables

revision = "0043"
down_revision = "0042"
branch_labels = None
depends_on = None


def upgrade() -> None:
    make_engine_tables(op.get_bind())
