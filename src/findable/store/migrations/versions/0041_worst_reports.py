"""Orders of reports by rating and score, the worst or the best first; the browser of an account's reports.

Revision ID: 0041 Revises: 0040
"""

import sqlalchemy as sa
from alembic import op

revision = "0041"
down_revision = "0040"
branch_labels = None
depends_on = None

RATED = """
UPDATE report SET result_down = result_down * 1000 + coalesce(score, 0), worst_down = (4 - result_down) * 1000 + 100 - coalesce(score, 0)
WHERE result_down BETWEEN 1 AND 3
"""


def upgrade() -> None:
    op.add_column("account", sa.Column("browser", sa.Text(), nullable=True))
    op.add_column("report", sa.Column("worst_down", sa.SmallInteger(), server_default="0", nullable=False))
    op.execute(RATED)
    op.create_index("ix_report_worst_down", "report", ["account_id", "worst_down", "id"])
    op.create_index("ix_report_project_worst_down", "report", ["project_id", "worst_down", "id"])
