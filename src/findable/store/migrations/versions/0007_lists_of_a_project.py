"""Indexes for the orders of a project's reports."""

from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for key in ("url", "result_up", "result_down"):
        op.create_index(f"ix_report_project_{key}", "report", ["project_id", key, "id"])
