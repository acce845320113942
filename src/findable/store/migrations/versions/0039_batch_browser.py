"""Browser mode of batches.

Revision ID: 0039 Revises: 0038
"""

import sqlalchemy as sa
from alembic import op

revision = "0039"
down_revision = "0038"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("batch", sa.Column("browser", sa.Text()))
