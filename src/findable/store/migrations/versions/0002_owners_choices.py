"""What owners accept and what is not meant for search; runs that judge a saved page again."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("project", sa.Column("not_for_search", sa.Text()))
    op.add_column("run", sa.Column("rescored_from", sa.Integer()))
    op.add_column("report", sa.Column("accepted_end", sa.BigInteger()))
    ends = sa.text("accepted_end IS NOT NULL")
    op.create_index("ix_report_accepted_end", "report", ["accepted_end"], sqlite_where=ends, postgresql_where=ends)
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "acceptance",
        sa.Column("id", number, nullable=False),
        sa.Column("project_id", number, nullable=False),
        sa.Column("report_id", number),
        sa.Column("check_name", sa.Text(), nullable=False),
        sa.Column("pattern", sa.Text(), nullable=False),
        sa.Column("finding_key", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("until", sa.Text(), nullable=False),
        sa.Column("accepted_by", sa.Text(), nullable=False),
        sa.Column("person_id", number),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f("fk_acceptance_project_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["report_id"], ["report.id"], name=op.f("fk_acceptance_report_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_acceptance_person_id"), ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_acceptance")),
    )
    op.create_index("ix_acceptance_project_id", "acceptance", ["project_id"])
    op.create_index("ix_acceptance_report_id", "acceptance", ["report_id"])
