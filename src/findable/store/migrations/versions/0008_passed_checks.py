"""The set of checks in the indexes by which reports that passed one are counted."""

from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for owner in ("account", "project"):
        op.drop_index(f"ix_report_{owner}", "report")
        op.create_index(f"ix_report_{owner}", "report", [f"{owner}_id", "id", "check_set"])
