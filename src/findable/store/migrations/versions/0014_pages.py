"""One report per page: which report represents its page.

Revision ID: 0014 Revises: 0013
"""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
OLDER = """
UPDATE report SET is_page = 0 WHERE EXISTS (
    SELECT 1 FROM report AS newer JOIN project ON project.id = newer.project_id
    WHERE newer.account_id = report.account_id AND newer.url = report.url AND newer.id > report.id AND project.deleted_at IS NULL)
"""


def upgrade() -> None:
    op.add_column("report", sa.Column("is_page", sa.SmallInteger(), server_default="1", nullable=False))
    op.add_column("report", sa.Column("merged_into", NUMBER, nullable=True))
    op.add_column("batch", sa.Column("makes_new", sa.SmallInteger(), server_default="0", nullable=False))
    op.execute(OLDER)
    duplicate, merged = sa.text("is_page = 0"), sa.text("merged_into IS NOT NULL")
    columns = ["account_id", "project_id", "result_up"]
    op.create_index("ix_report_duplicate", "report", columns, sqlite_where=duplicate, postgresql_where=duplicate)
    op.create_index("ix_report_merged", "report", ["merged_into"], sqlite_where=merged, postgresql_where=merged)
