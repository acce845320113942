"""Indexes by which is told whether a picture is still shown."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for name in ("icon", "card"):
        shown = sa.text(f"{name} IS NOT NULL")
        op.create_index(f"ix_run_{name}", "run", [name], sqlite_where=shown, postgresql_where=shown)
