"""What a batch gives its reports and how far it is; an index of the reports that got worse."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

WAITING = sa.text("fed < members")
WORSE = sa.text(
    "(score < previous_score OR (result = 'bad' AND previous_result IN ('decent', 'good')) "
    "OR (result = 'decent' AND previous_result = 'good'))"
)


def upgrade() -> None:
    op.add_column("batch", sa.Column("duplicates", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("batch", sa.Column("fed", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("batch", sa.Column("privacy", sa.SmallInteger(), nullable=False, server_default="0"))
    op.add_column("batch", sa.Column("password_hash", sa.Text()))
    op.add_column("batch_member", sa.Column("scheme_guessed", sa.SmallInteger(), nullable=False, server_default="0"))
    op.create_index("ix_batch_waiting", "batch", ["account_id", "id"], sqlite_where=WAITING, postgresql_where=WAITING)
    op.create_index("ix_report_worse", "report", ["account_id", "generated_down", "id"], sqlite_where=WORSE, postgresql_where=WORSE)
