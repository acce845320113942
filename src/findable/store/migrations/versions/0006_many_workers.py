"""What several workers tell each other: why a job waits once more, hosts that asked for a pause, answers of sites."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
BYTEWISE = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.add_column("job", sa.Column("reason", sa.Text()))
    op.create_index("ix_run_finished", "run", ["finished_at"])
    op.create_table(
        "pause",
        sa.Column("origin", BYTEWISE, nullable=False),
        sa.Column("host", BYTEWISE, nullable=False),
        sa.Column("until_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("origin", name="pk_pause"),
    )
    op.create_table(
        "site_answer",
        sa.Column("id", ID, nullable=False),
        sa.Column("site", BYTEWISE, nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_site_answer"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_site_answer_site", "site_answer", ["site", "id"])
    op.create_index("ix_site_answer_made", "site_answer", ["made_at"])
