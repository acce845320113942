"""Jobs without leases: a message or the only process of the database says who runs them.

Revision ID: 0044
Revises: 0043
"""

import sqlalchemy as sa
from alembic import op

revision = "0044"
down_revision = "0043"
branch_labels = None
depends_on = None


def upgrade() -> None:
    at_work = sa.literal_column("state") == sa.literal_column("'running'")
    op.drop_index("ix_delivery_running", "delivery")
    op.drop_column("delivery", "lease_until")
    op.drop_column("job", "lease_until")
    op.create_index("ix_delivery_running", "delivery", ["id"], sqlite_where=at_work, postgresql_where=at_work)
