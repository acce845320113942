"""The report's result beside what failed or warned, and an index by which reports are found by both; unfinished reports by address."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

RATED = sa.text("result IS NOT NULL")
UNFINISHED = sa.text("status != 'done'")


def upgrade() -> None:
    op.add_column("finding", sa.Column("result", sa.SmallInteger()))
    # 1 and 2: warned and failed. A report without a result has 0.
    op.execute(
        "UPDATE finding SET result = (SELECT nullif(report.result_down, 0) FROM report WHERE report.id = finding.report_id) "
        "WHERE verdict IN (1, 2)"
    )
    columns = ["account_id", "check_id", "verdict", "result", "report_id"]
    op.create_index("ix_finding_result", "finding", columns, sqlite_where=RATED, postgresql_where=RATED)
    unfinished = ["account_id", "status", "url", "id"]
    op.create_index("ix_report_unfinished_url", "report", unfinished, sqlite_where=UNFINISHED, postgresql_where=UNFINISHED)
